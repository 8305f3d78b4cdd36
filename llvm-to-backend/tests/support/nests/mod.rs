//! Small kernels that are awkward to translate, for bounds on the work of a translation.
//!
//! In: a size and a seed. Out: textual IR with one kernel, `kernel`, whose parameters are two
//! pointers and a number. *Invariant:* no module has more instructions than [`LIMIT`], counted with
//! all functions that the kernel calls; the same seed gives the same text.
#![allow(dead_code, reason = "each user needs a part")]

mod code;
mod families;

use code::Code;

/// Instructions of the largest kernel whose translation is bounded.
pub(crate) const LIMIT: usize = 5000;
/// Sizes that each family comes in, in instructions.
const SIZES: [usize; 3] = [250, 1200, LIMIT];

/// A generated kernel.
#[derive(Debug, Clone)]
pub(crate) struct Nest {
    /// Family and size.
    pub(crate) name: String,
    /// Textual IR.
    pub(crate) text: String,
    /// Instructions of the module.
    pub(crate) instructions: usize,
}

/// A family: its name, and a function that writes the kernel's body up to a number of instructions.
/// The function gets the index of the work-item and returns the value to store.
type Family = (&'static str, fn(&mut Body<'_>, &str) -> String);

/// A kernel under construction and its limit in instructions.
pub(crate) struct Body<'c> {
    pub(crate) code: &'c mut Code,
    pub(crate) size: usize,
}

impl Body<'_> {
    /// Instructions that may still be written, less some for the end of the kernel.
    pub(crate) fn left(&self) -> usize {
        self.size.saturating_sub(self.code.count + RESERVE)
    }
}

/// Instructions at the start and the end of a kernel.
const RESERVE: usize = 12;

/// One kernel of each family and size.
pub(crate) fn nests(seed: u64) -> Vec<Nest> {
    let sized = |family: &Family| SIZES.map(|size| nest(*family, size, seed));
    families::FAMILIES.iter().flat_map(sized).collect()
}

fn nest((name, write): Family, size: usize, seed: u64) -> Nest {
    let mut code = Code::new(seed ^ size as u64);
    let functions = families::functions(name, &mut code, size);
    code.open("void @kernel(ptr %p, ptr %q, i64 %n)");
    let [group, length, local] =
        ["group_id", "local_size", "local_id"].map(|query| code.op(&format!("call i64 @__acpp_sscp_get_{query}_x()")));
    let base = code.op(&format!("mul i64 {group}, {length}"));
    let item = code.op(&format!("add i64 {base}, {local}"));
    let start = functions.map_or_else(|| item.clone(), |call| code.op(&call.replace("ITEM", &item)));
    let result = write(&mut Body { code: &mut code, size }, &start);
    let to = code.op(&format!("getelementptr i64, ptr %p, i64 {item}"));
    code.effect(&format!("store i64 {result}, ptr {to}"));
    code.effect("ret void");
    code.close();
    let instructions = code.count;
    Nest { name: format!("{name}-{size}"), text: code.finish(), instructions }
}
