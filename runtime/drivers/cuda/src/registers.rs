//! Chooses the maximum number of registers per work-item.
//!
//! In: PTX, and the resources that the assembler used for it by default. Out: a register count
//! worth assembling again with, if any, and the PTX that requests it. *Invariant:* the choice
//! depends on nothing else, so it is the same in every process.
//!
//! By default the assembler aims at the register count that allows full occupancy of a
//! multiprocessor (32 on an H200) and uses more where it must. Two cases are worth another try,
//! both measured on an H200:
//!
//! * A loop that reads global memory and has no barrier hides the latency of a read by having
//!   several in flight. A quarter more registers made the sum over all bodies 1.6 times faster.
//!   With barriers in the loop other work-items hide the latency: a matrix product lost 4 % by the
//!   same.
//! * A few registers too many for full occupancy cost a whole group: 34 instead of 32 slowed a
//!   stencil of radius 4 by 13 %.

use std::ops::Range;

/// PTX directive of the required work-group size.
const GROUP_SIZE: &str = "\n.reqntid ";
/// PTX directive of the kernel.
const ENTRY: &str = ".entry ";
/// Registers are allocated in multiples of this.
const UNIT: u32 = 8;

/// Resources that a kernel uses, as the driver reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Registers per work-item.
    pub(crate) registers: u32,
    /// Bytes of local memory in CUDA's sense, for spilled registers and arrays.
    pub(crate) memory: u32,
    /// Largest number of work-items in a group.
    pub(crate) group: u32,
}

impl Usage {
    /// True if the other code does not spill more than this one and allows groups as large, up to
    /// `group` work-items.
    pub(crate) fn may_become(self, other: Usage, group: u32) -> bool {
        other.memory <= self.memory && other.group >= group.min(self.group)
    }
}

/// The register count worth another try, if any. `full` is the count per work-item at full
/// occupancy.
pub(crate) fn second_try(text: &str, used: Usage, full: u32) -> Option<u32> {
    let roomy = (full + full / 4).next_multiple_of(UNIT);
    let is_at_limit = (full.saturating_sub(UNIT / 2) + 1..=full).contains(&used.registers);
    match used.registers {
        _ if is_at_limit && has_reading_loop(text) => Some(roomy),
        registers if registers > full && registers <= roomy && !has_reading_loop(text) => Some(full),
        _ => None,
    }
}

/// PTX without its required work-group size, and that size in work-items; `None` if it has none.
pub(crate) fn without_group_size(text: &str) -> Option<(String, u32)> {
    let (before, rest) = text.split_once(GROUP_SIZE)?;
    let (sizes, after) = rest.split_once('\n')?;
    let items = sizes.split(',').map(|size| size.trim().parse::<u32>().ok());
    let items = items.reduce(|a, b| a?.checked_mul(b?))??;
    Some((format!("{before}\n{after}"), items))
}

/// PTX that limits its kernel to `registers` registers.
pub(crate) fn with_at_most(text: &str, registers: u32) -> Option<String> {
    let start = text.find(ENTRY)?;
    let body = start + text[start..].find("\n{")?;
    Some(format!("{}\n.maxnreg {registers}{}", &text[..body], &text[body..]))
}

/// True if a loop reads global memory and has no barrier.
fn has_reading_loop(text: &str) -> bool {
    let has = |lines: &[&str], word: &str| lines.iter().any(|line| line.contains(word));
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    loops(&lines).any(|range| has(&lines[range.clone()], "ld.global") && !has(&lines[range], "bar."))
}

/// Line ranges from a label to each later branch back to it.
fn loops<'t>(lines: &'t [&str]) -> impl Iterator<Item = Range<usize>> + 't {
    let labels = lines.iter().enumerate().filter_map(|(start, line)| Some((start, line.strip_suffix(':')?)));
    labels.flat_map(move |(start, label)| {
        let back = move |line: &&str| line.contains("bra") && line.trim_end_matches(';').ends_with(label);
        let end = lines[start..].iter().rposition(back);
        end.map(|length| start..start + length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: u32 = 32;

    fn kernel(body: &str) -> String {
        format!(
            "//\n.version 8.5\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n.reqntid 16, 8, 2\n{{\n{body}\n\tret;\n}}\n"
        )
    }

    fn used(registers: u32) -> Usage {
        Usage { registers, memory: 0, group: 1024 }
    }

    const READING: &str =
        "$L__BB0_2:\n\tld.global.v4.f32 {%f1}, [%rd1];\n\tsetp.ne.s32 %p1, %r1, 0;\n\t@%p1 bra \t$L__BB0_2;";
    const WAITING: &str = "$L__BB0_2:\n\tld.global.f32 %f1, [%rd1];\n\tbar.sync \t0;\n\tbra.uni \t$L__BB0_2;";

    #[test]
    fn loops_that_read_get_more() {
        let choose = |body: &str, registers| second_try(&kernel(body), used(registers), FULL);
        assert_eq!([choose(READING, 32), choose(READING, 29)], [Some(40); 2]);
        assert_eq!([choose(READING, 28), choose(READING, 33), choose(READING, 80)], [None; 3]);
        assert_eq!([choose(WAITING, 32), choose("", 32)], [None; 2]);
        assert_eq!(choose(&READING.replace("global", "shared"), 32), None);
        assert_eq!(choose("$L__BB0_1:\n\tld.global.f32 %f1, [%rd1];\n\tbra.uni \t$L__BB0_12;\n$L__BB0_12:", 32), None);
    }

    #[test]
    fn a_few_too_many_are_taken_back() {
        let choose = |body: &str, registers| second_try(&kernel(body), used(registers), FULL);
        assert_eq!([choose("", 34), choose(WAITING, 40)], [Some(32); 2]);
        assert_eq!([choose("", 41), choose("", 255), choose("", 8)], [None; 3]);
    }

    #[test]
    fn other_code_is_taken_only_if_it_can_do_as_much() {
        let spilling = Usage { memory: 16, ..used(32) };
        assert!(!used(34).may_become(spilling, 1) && spilling.may_become(used(32), 1));
        let small = Usage { group: 512, ..used(40) };
        assert!(used(32).may_become(small, 512) && !used(32).may_become(small, 768));
    }

    #[test]
    fn the_size_of_groups_is_taken_out() {
        let (text, items) = without_group_size(&kernel("")).expect("a size");
        assert_eq!((text, items), (kernel("").replace(".reqntid 16, 8, 2\n", ""), 256));
        assert_eq!(without_group_size(".entry k(\n)\n{\n}\n"), None);
        assert_eq!(without_group_size(".entry k(\n)\n.reqntid x\n{\n}\n"), None);
    }

    #[test]
    fn the_limit_stands_before_the_body_of_the_kernel() {
        let text = ".func f()\n{\n}\n.visible .entry k(\n)\n{\n}\n";
        assert_eq!(
            with_at_most(text, 40).as_deref(),
            Some(".func f()\n{\n}\n.visible .entry k(\n)\n.maxnreg 40\n{\n}\n")
        );
        assert_eq!(with_at_most(".func f()\n{\n}\n", 40), None);
    }
}
