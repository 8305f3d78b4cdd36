//! Writes the table as Rust constants.
//!
//! In: the lines of the table. Out: `TARGETS`, `FAMILIES`, `FUNCTIONS` and `BUILTINS`, in its order. *Invariant:* a
//! builtin and a function refer to the line that they are from.

use crate::table::{Bound, Builtin, Family, Table};

/// The constants of the crate.
pub(crate) fn write(table: &Table) -> String {
    let lines = || table.families.iter().enumerate();
    let families: String = table.families.iter().map(family).collect();
    let functions: String = lines().flat_map(|(index, line)| functions(line, index)).collect();
    let builtins: String =
        lines().flat_map(|(index, line)| line.builtins().into_iter().map(move |one| builtin(&one, index))).collect();
    format!(
        "/// The targets, in the order of their columns.\npub const TARGETS: &[&str] = &{:?};\n\
         /// The lines of the table.\npub static FAMILIES: &[Family] = &[{families}];\n\
         /// Functions on floating-point numbers and integers, in the order of the table.\n\
         pub static FUNCTIONS: &[Function] = &[{functions}];\n\
         /// Every builtin, in the order of the table.\npub static BUILTINS: &[Builtin] = &[{builtins}];\n",
        table.targets
    )
}

fn family(family: &Family) -> String {
    let providers: String = family.providers.iter().map(|cell| provider(cell) + ", ").collect();
    format!(
        "Family {{ group: {:?}, name: {:?}, types: &{:?}, result: {:?}, parameters: &{:?}, is_pure: {}, \
         is_convergent: {}, returns: {}, origin: {}, providers: &[{providers}] }},\n",
        family.group,
        family.name,
        family.types,
        family.result,
        family.parameters,
        family.is("pure"),
        family.is("convergent"),
        !family.is("noreturn"),
        origin(family),
    )
}

fn origin(family: &Family) -> &'static str {
    let words = [("exact", "Origin::Intrinsic"), ("vendor", "Origin::Vendor"), ("opencl", "Origin::OpenCl")];
    words.into_iter().find(|(word, _)| family.is(word)).map_or("Origin::Own", |(_, origin)| origin)
}

fn provider(cell: &str) -> String {
    match cell {
        "library" => "Provider::Library".to_owned(),
        "backend" => "Provider::Backend".to_owned(),
        "libc" => "Provider::LibC".to_owned(),
        refused => format!("Provider::Refused({:?})", refused.trim_start_matches("refused:").trim()),
    }
}

fn functions(family: &Family, index: usize) -> Vec<String> {
    let one = |name: String| {
        let c: Vec<&str> = family.c.iter().map(|word| if word == "=" { name.as_str() } else { word }).collect();
        format!(
            "Function {{ name: {name:?}, c: &{c:?}, llvm: {}, sycl: &{:?}, bound: {}, family: &FAMILIES[{index}] }},\n",
            operation(&family.llvm, &name),
            family.sycl,
            bound(family.bound.as_ref()),
        )
    };
    family.functions().into_iter().map(one).collect()
}

fn operation(cell: &str, name: &str) -> String {
    match cell {
        "" => "None".to_owned(),
        "frem" => "Some(Llvm::Remainder)".to_owned(),
        "sincos" => "Some(Llvm::SinCos)".to_owned(),
        cell => match cell.strip_prefix("class ") {
            Some(mask) => format!("Some(Llvm::Class({mask}))"),
            None => format!("Some(Llvm::Intrinsic(\"llvm.{}\"))", if cell == "=" { name } else { cell }),
        },
    }
}

fn bound(bound: Option<&Bound>) -> String {
    let Some(Bound { ulps, interval }) = bound else { return "None".to_owned() };
    format!("Some(Bound {{ ulps: {ulps:?}, interval: {interval:?} }})")
}

fn builtin(builtin: &Builtin, index: usize) -> String {
    format!(
        "Builtin {{ name: {:?}, result: {:?}, parameters: &{:?}, family: &FAMILIES[{index}] }},\n",
        builtin.name, builtin.result, builtin.parameters
    )
}
