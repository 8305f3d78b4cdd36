//! Limits of SPIR-V modules.
//!
//! *Invariant:* a larger construct is emitted in another way, or refused with its place.
//! Instruction sizes have 16 bits (2.3 "Physical Layout of a SPIR-V Module and Instruction"); the
//! other limits are those that every consumer must support (2.17 "Universal Limits").

/// Words of an instruction.
pub(super) const WORDS: usize = 65_535;
/// Elements of an array constant: the first three words of the instruction are not elements.
pub(super) const ELEMENTS: u64 = WORDS as u64 - 3;
/// Incoming blocks of a phi, of two words each.
pub(super) const INCOMING: usize = (WORDS - 3) / 2;
/// Members of a structure.
pub(super) const MEMBERS: usize = 16_383;
/// Cases of a `switch`.
pub(super) const CASES: usize = 16_383;
/// Constructs of control flow in each other.
pub(super) const NESTING: usize = 1023;
/// Bytes of a name.
pub(super) const NAME: usize = 65_535;
/// The ID bound of a module.
pub(super) const BOUND: u32 = 4_194_303;

/// A name, truncated to the limit.
pub(super) fn cut(name: &str) -> &str {
    let ends = (0..=NAME).rev().find(|end| name.is_char_boundary(*end));
    ends.filter(|_| name.len() > NAME).map_or(name, |end| &name[..end])
}
