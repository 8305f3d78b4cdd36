//! Chooses how many registers a work-item may have.
//!
//! In: PTX, and what the assembler used for it when left alone. Out: a number that is worth assembling again with, or none; the PTX
//! that asks for it. *Invariant:* no other text is looked at, so the choice is the same in every process.
//!
//! Left alone, the assembler aims at as many registers as leave a multiprocessor full of work-items (32 on an H200) and takes more where
//! it must. Two cases are worth another try, both measured on an H200:
//!
//! * A loop that reads global memory, and in which nobody waits for others, hides the time of a read by having several under
//!   way. A quarter more registers made the sum over all bodies 1.6 times faster. With barriers in the loop it is other
//!   work-items that hide it: a matrix product lost 4 % by the same.
//! * A few registers above the full multiprocessor cost a whole group: 34 instead of 32 made a stencil of radius 4 slower by 13 %.

use std::ops::Range;

/// Where PTX says how large work-groups are.
const GROUP_SIZE: &str = "\n.reqntid ";
/// Where it says which is the kernel.
const ENTRY: &str = ".entry ";
/// Registers are given out in so many.
const UNIT: u32 = 8;

/// What a kernel uses, as the driver says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Registers of a work-item.
    pub(crate) registers: u32,
    /// Bytes of memory for what has no register, and for arrays.
    pub(crate) memory: u32,
    /// Work-items that a group may have.
    pub(crate) group: u32,
}

impl Usage {
    /// Whether code with another number of registers is no worse in what can be compared.
    pub(crate) fn may_become(self, other: Usage, group: u32) -> bool {
        other.memory <= self.memory && other.group >= group.min(self.group)
    }
}

/// The number of registers worth another try, where a multiprocessor is full with `full` for each work-item.
pub(crate) fn second_try(text: &str, used: Usage, full: u32) -> Option<u32> {
    let roomy = (full + full / 4).next_multiple_of(UNIT);
    let is_at_limit = (full.saturating_sub(UNIT / 2) + 1..=full).contains(&used.registers);
    match used.registers {
        _ if is_at_limit && has_reading_loop(text) => Some(roomy),
        registers if registers > full && registers <= roomy && !has_reading_loop(text) => Some(full),
        _ => None,
    }
}

/// PTX without the size of work-groups, and their work-items, where it says so.
pub(crate) fn without_group_size(text: &str) -> Option<(String, u32)> {
    let (before, rest) = text.split_once(GROUP_SIZE)?;
    let (sizes, after) = rest.split_once('\n')?;
    let items = sizes.split(',').map(|size| size.trim().parse::<u32>().ok());
    let items = items.reduce(|a, b| a?.checked_mul(b?))??;
    Some((format!("{before}\n{after}"), items))
}

/// PTX whose kernel has at most so many registers.
pub(crate) fn with_at_most(text: &str, registers: u32) -> Option<String> {
    let start = text.find(ENTRY)?;
    let body = start + text[start..].find("\n{")?;
    Some(format!("{}\n.maxnreg {registers}{}", &text[..body], &text[body..]))
}

/// Whether some loop reads global memory and waits for nobody.
fn has_reading_loop(text: &str) -> bool {
    let has = |lines: &[&str], word: &str| lines.iter().any(|line| line.contains(word));
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    loops(&lines).any(|range| has(&lines[range.clone()], "ld.global") && !has(&lines[range], "bar."))
}

/// From a label to each later branch back to it.
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
