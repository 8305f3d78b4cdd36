//! How much SPIR-V has room for.
//!
//! *Invariant:* what is larger is written in another way, or refused with its place. Sizes of instructions have 16 bits (2.3 "Physical Layout of
//! a SPIR-V Module and Instruction"); the rest is what every consumer takes (2.17 "Universal Limits").

/// Words of an instruction.
pub(super) const WORDS: usize = 65_535;
/// Elements of an array whose value is an instruction: its first three words are not elements.
pub(super) const ELEMENTS: u64 = WORDS as u64 - 3;
/// Blocks that a phi gets values from, in two words each.
pub(super) const INCOMING: usize = (WORDS - 3) / 2;
/// Members of a structure.
pub(super) const MEMBERS: usize = 16_383;
/// Cases of a `switch`.
pub(super) const CASES: usize = 16_383;
/// Bytes of a name.
pub(super) const NAME: usize = 65_535;
/// Ids of a module, plus one.
pub(super) const BOUND: u32 = 4_194_303;

/// A name, as much of it as there is room for.
pub(super) fn cut(name: &str) -> &str {
    let ends = (0..=NAME).rev().find(|end| name.is_char_boundary(*end));
    ends.filter(|_| name.len() > NAME).map_or(name, |end| &name[..end])
}
