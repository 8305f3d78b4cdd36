//! Writes textual IR and counts the instructions.
//!
//! In: operations, one after another. Out: a module with the kernel `kernel`. *Invariant:* the same
//! seed gives the same module; every block has one terminator, and names are unique.

use std::{collections::BTreeSet, fmt::Write};

/// Builtins for the index of the work-item, which every kernel reads first.
const INDEX: &str = "declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
";

/// Pseudorandom numbers (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (b ^ (b >> 31)) % end
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }
}

/// Unroll pragma of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pragma {
    None,
    /// `#pragma unroll`.
    Unroll,
}

/// Code under construction: a function body, and the functions before it.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) random: Random,
    text: String,
    declarations: BTreeSet<String>,
    /// Instructions so far.
    pub(crate) count: usize,
    names: usize,
    block: String,
    /// Offset in `text` where the entry block of the open function starts.
    entry: usize,
    nodes: String,
    node_count: usize,
}

impl Code {
    pub(crate) fn new(seed: u64) -> Self {
        Code {
            random: Random(seed),
            text: String::new(),
            declarations: BTreeSet::new(),
            count: 0,
            names: 0,
            block: String::new(),
            entry: 0,
            nodes: String::new(),
            node_count: 0,
        }
    }

    /// The module.
    pub(crate) fn finish(self) -> String {
        let declarations: String = self.declarations.iter().map(|line| format!("{line}\n")).collect();
        format!("{INDEX}{declarations}{}{}", self.text, self.nodes)
    }

    pub(crate) fn declare(&mut self, line: &str) {
        self.declarations.insert(line.to_owned());
    }

    /// Opens a function; `head` is what lies between `define` and the brace.
    pub(crate) fn open(&mut self, head: &str) {
        let _ = writeln!(self.text, "define {head} {{");
        "entry".clone_into(&mut self.block);
        self.text += "entry:\n";
        self.entry = self.text.len();
    }

    pub(crate) fn close(&mut self) {
        self.text += "}\n";
    }

    pub(crate) fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// Writes an instruction and returns the name of its result.
    pub(crate) fn op(&mut self, instruction: &str) -> String {
        let name = format!("%{}", self.name("v"));
        self.effect(&format!("{name} = {instruction}"));
        name
    }

    pub(crate) fn effect(&mut self, instruction: &str) {
        let _ = writeln!(self.text, "  {instruction}");
        self.count += 1;
    }

    /// Private memory, allocated in the entry block of the function.
    pub(crate) fn private(&mut self, ty: &str) -> String {
        let name = format!("%{}", self.name("m"));
        self.text.insert_str(self.entry, &format!("  {name} = alloca {ty}\n"));
        self.count += 1;
        name
    }

    /// Starts a block, without a branch to it.
    pub(crate) fn label(&mut self, name: &str) {
        let _ = writeln!(self.text, "{name}:");
        name.clone_into(&mut self.block);
    }

    pub(crate) fn block(&self) -> String {
        self.block.clone()
    }

    pub(crate) fn jump(&mut self, to: &str) {
        self.effect(&format!("br label %{to}"));
    }

    /// A loop that runs `trips` times over values of i64. The body gets the index and the values
    /// and returns their successors.
    pub(crate) fn counted(
        &mut self,
        trips: u64,
        values: &[String],
        pragma: Pragma,
        body: impl FnOnce(&mut Self, &str, &[String]) -> Vec<String>,
    ) -> Vec<String> {
        let (before, header, exit) = (self.block(), self.name("loop"), self.name("exit"));
        self.jump(&header);
        self.label(&header);
        let (place, index) = (self.text.len(), format!("%{}", self.name("i")));
        let carried: Vec<String> = values.iter().map(|_| format!("%{}", self.name("c"))).collect();
        let after = body(self, &index, &carried);
        let next = self.op(&format!("add nuw nsw i64 {index}, 1"));
        let done = self.op(&format!("icmp eq i64 {next}, {trips}"));
        let (latch, node) = (self.block(), self.loop_node(pragma));
        self.effect(&format!("br i1 {done}, label %{exit}, label %{header}{node}"));
        let all = [(index, "0".to_owned(), next)].into_iter().chain(
            carried
                .iter()
                .zip(values)
                .zip(&after)
                .map(|((name, start), next)| (name.clone(), start.clone(), next.clone())),
        );
        let phis: String = all
            .map(|(name, start, next)| format!("  {name} = phi i64 [ {start}, %{before} ], [ {next}, %{latch} ]\n"))
            .collect();
        self.count += phis.lines().count();
        self.text.insert_str(place, &phis);
        self.label(&exit);
        after
    }

    /// The `!llvm.loop` metadata of a latch's branch; empty without a pragma.
    fn loop_node(&mut self, pragma: Pragma) -> String {
        if pragma == Pragma::None {
            return String::new();
        }
        let at = self.node_count;
        self.node_count += 2;
        let _ = writeln!(
            self.nodes,
            "!{at} = distinct !{{!{at}, !{}}}\n!{} = !{{!\"llvm.loop.unroll.full\"}}",
            at + 1,
            at + 1
        );
        format!(", !llvm.loop !{at}")
    }

    /// Branches to either of two blocks by the lowest bit of `value`.
    pub(crate) fn either(
        &mut self,
        value: &str,
        first: impl FnOnce(&mut Self) -> String,
        second: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let condition = self.op(&format!("trunc i64 {value} to i1"));
        let [yes, no, end] = ["yes", "no", "end"].map(|what| self.name(what));
        self.effect(&format!("br i1 {condition}, label %{yes}, label %{no}"));
        self.label(&yes);
        let (a, from_a) = (first(self), self.block());
        self.jump(&end);
        self.label(&no);
        let (b, from_b) = (second(self), self.block());
        self.jump(&end);
        self.label(&end);
        self.op(&format!("phi i64 [ {a}, %{from_a} ], [ {b}, %{from_b} ]"))
    }

    /// `steps` random operations on values of i64, each of which depends on the one before.
    pub(crate) fn mix(&mut self, start: &str, others: &[String], steps: usize) -> String {
        const OPERATIONS: [&str; 8] =
            ["add i64", "xor i64", "mul i64", "sub i64", "or i64", "lshr i64", "add nsw i64", "and i64"];
        let mut value = start.to_owned();
        for step in 0..steps {
            let operation = *self.random.pick(&OPERATIONS);
            let other = match (self.random.below(3), operation) {
                (_, "lshr i64") => (1 + self.random.below(31)).to_string(),
                (0, _) => (self.random.below(1 << 40) | 1).to_string(),
                _ => self.random.pick(others).clone(),
            };
            // Bits that `and` clears come back, so that no bit is known to be zero.
            value = if operation == "and i64" && step % 2 == 0 {
                value
            } else {
                self.op(&format!("{operation} {value}, {other}"))
            };
        }
        value
    }

    /// The address of an element of an array of i64. The index is reduced modulo `length`, a power
    /// of two.
    pub(crate) fn element(&mut self, array: &str, index: &str, length: u64) -> String {
        let cut = self.op(&format!("and i64 {index}, {}", length - 1));
        self.op(&format!("getelementptr i64, ptr {array}, i64 {cut}"))
    }
}
