//! The values that a launch specialises its kernel on.
//!
//! In: constants that the program names, arguments that the kernel marks as specialised, and the
//! allocations of its pointers where its code depends on them. Out: a digest that distinguishes
//! launches with different values, and on a miss the [`Specialization`] to compile for.
//! *Invariant:* a launch without values hashes nothing. A launch with values hashes their bytes and
//! allocates nothing if its kernel is loaded.
//!
//! Each combination of values is a separate variant, which stays in this process for its whole life
//! and in the disk cache within its limits. A value that differs in each launch makes each launch a
//! translation.
#![forbid(unsafe_code)]

use super::{
    allocations::{Pattern, Patterns, Pointers},
    leaf::Leaf,
};
use crate::{abi, error::RuntimeError, registry::descriptor::Descriptor};
use sinter_core::{Constant as NamedValue, ConstantValue, Specialization};
use sinter_driver::Memory;

/// Maximum number of constants in a launch; a larger number means an uninitialised struct.
pub const MAX_CONSTANTS: usize = 1024;
/// Maximum size of a constant in bytes; a larger number means an uninitialised struct.
pub const MAX_CONSTANT_SIZE: usize = 1 << 16;

/// Value of an IR constant or a specialization constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant<'a> {
    /// Mangled name.
    pub name: &'a str,
    /// The value as it is stored in memory.
    pub value: &'a [u8],
}

/// Distinguishes launches with different values: 128 bits of BLAKE3, or zero for a launch without
/// values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Digest([u64; 2]);

/// Hashes the size before the bytes, so that different lists of values never give the same input.
fn update(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn hash_constants(constants: &[Constant<'_>]) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(constants.len() as u64).to_le_bytes());
    for Constant { name, value } in constants {
        update(&mut hasher, name.as_bytes());
        update(&mut hasher, value);
    }
    hasher
}

fn finish(hasher: &blake3::Hasher) -> Digest {
    let hash = hasher.finalize();
    let word =
        |i: usize| hash.as_bytes()[i * 8..].iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    Digest([word(0), word(1)])
}

impl Digest {
    /// Digest of the constants of a launch.
    #[inline]
    pub(super) fn of(constants: &[Constant<'_>]) -> Self {
        if constants.is_empty() { Digest::default() } else { Self::of_some(constants) }
    }

    #[inline(never)]
    fn of_some(constants: &[Constant<'_>]) -> Self {
        finish(&hash_constants(constants))
    }
}

/// Arguments that a kernel is specialised on.
#[derive(Debug)]
pub(crate) struct Leaves {
    leaves: Box<[Leaf]>,
    /// Present if the code depends on the allocations that pointers point to.
    pointers: Option<(Pointers, Patterns)>,
    pub(super) block_size: usize,
}

/// Second half of the digest of a launch that differs from others only in its allocations.
const ALLOCATIONS: u64 = u64::from_le_bytes(*b"pointers");

/// The leaf of a record, if it is marked as specialised and its type can be a literal in the code.
fn leaf((index, record): (usize, &abi::Parameter)) -> Option<Leaf> {
    Leaf::of(index as u32, record).filter(|_| record.kind & abi::PARAMETER_SPECIALIZED != 0)
}

impl Leaves {
    /// Specialised arguments of a kernel; `None` if it has none.
    pub(super) fn of(kernel: &Descriptor<'_>) -> Option<Self> {
        let leaves: Box<[Leaf]> = kernel.parameters.iter().enumerate().filter_map(leaf).collect();
        (!leaves.is_empty()).then_some(Leaves { leaves, pointers: None, block_size: kernel.block_size })
    }

    /// Specialised arguments of a kernel whose code depends on the allocations of its pointers.
    pub(super) fn with_pointers(kernel: &Descriptor<'_>) -> Self {
        let leaves = Leaves::of(kernel).map(|leaves| leaves.leaves).unwrap_or_default();
        Leaves { leaves, pointers: Some((Pointers::of(kernel), Patterns::default())), block_size: kernel.block_size }
    }

    /// True if the allocations of pointers are among the values.
    pub(super) fn has_pointers(&self) -> bool {
        self.pointers.is_some()
    }

    /// Pattern to compile a launch for; without knowledge unless the code depends on it. `memory`
    /// belongs to the launch's device. Request and digest must use the result of one call, because
    /// memory may be freed at any time.
    pub(super) fn pattern(&self, block: &[u8], memory: &dyn Memory) -> Pattern {
        let (pointers, patterns) = match &self.pointers {
            Some((pointers, patterns)) => (pointers, patterns),
            None => return Pattern::default(),
        };
        patterns.admit(pointers.pattern(block, memory))
    }

    /// Admits a pattern that the kernel has been compiled for.
    pub(super) fn admit(&self, pattern: Pattern) -> Pattern {
        self.pointers.as_ref().map_or(pattern, |(_, patterns)| patterns.admit(pattern))
    }

    /// Digest of the values of a launch. `block` must have the size of the kernel's argument block.
    pub(super) fn digest(&self, constants: &[Constant<'_>], block: &[u8], pattern: Pattern) -> Digest {
        if self.has_pointers() && self.leaves.is_empty() && constants.is_empty() {
            return Digest([pattern.0, ALLOCATIONS]);
        }
        let mut hasher = hash_constants(constants);
        for leaf in &self.leaves {
            hasher.update(leaf.bytes(block));
        }
        if self.has_pointers() {
            hasher.update(&pattern.0.to_le_bytes());
        }
        finish(&hasher)
    }

    fn arguments(&self, block: &[u8]) -> Vec<(u32, ConstantValue)> {
        self.leaves.iter().map(|leaf| (leaf.parameter, leaf.value(block))).collect()
    }
}

/// Values to compile for. Independent of the order in which the program passes its constants.
pub(super) fn specialization(
    constants: &[Constant<'_>],
    leaves: Option<(&Leaves, &[u8])>,
    allocations: Vec<(u32, u32)>,
) -> Result<Specialization, RuntimeError> {
    let value = |constant: &Constant<'_>| NamedValue {
        name: constant.name.to_owned(),
        value: ConstantValue::Bytes(constant.value.to_vec()),
    };
    let mut constants: Vec<_> = constants.iter().map(value).collect();
    constants.sort_unstable();
    if let Some(pair) = constants.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(RuntimeError::invalid("constants", format!("`{}` is given twice", pair[0].name)));
    }
    let arguments = leaves.map(|(leaves, block)| leaves.arguments(block)).unwrap_or_default();
    Ok(Specialization { constants, arguments, allocations })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant<'a>(name: &'a str, value: &'a [u8]) -> Constant<'a> {
        Constant { name, value }
    }

    #[test]
    fn different_values_have_different_digests() {
        let lists: [&[Constant<'_>]; 6] = [
            &[],
            &[constant("a", b"12")],
            &[constant("a1", b"2")],
            &[constant("a", b"1"), constant("", b"2")],
            &[constant("a", b"1"), constant("b", b"2")],
            &[constant("b", b"12")],
        ];
        for (i, list) in lists.iter().enumerate() {
            assert!(lists[..i].iter().all(|other| Digest::of(other) != Digest::of(list)), "{list:?}");
            assert_eq!(Digest::of(list), Digest::of(list));
        }
        assert_eq!(Digest::of(&[]), Digest::default());
    }

    #[test]
    fn marked_scalars_are_read_from_the_block() {
        let record = |byte_offset, byte_size, kind| abi::Parameter { byte_offset, byte_size, original_index: 0, kind };
        let parameters =
            [record(0, 4, 1), record(4, 4, 0x102), record(8, 1, 0x101), record(16, 8, 0x100), record(24, 40, 0x103)];
        let requirements = abi::KernelRequirements::default();
        let (container, symbol) = (std::ptr::null(), "k");
        let kernel = Descriptor {
            symbol,
            parameters: &parameters,
            container,
            image: None,
            block_size: 64,
            ir_hash: None,
            requirements,
            aspects: 0,
        };
        let leaves = Leaves::of(&kernel).expect("leaves");
        let mut block = [0u8; 64];
        block[4..8].copy_from_slice(&1.5f32.to_le_bytes());
        (block[8], block[17]) = (7, 1);
        let expected =
            [(1, ConstantValue::F32(1.5f32.to_bits())), (2, ConstantValue::I8(7)), (3, ConstantValue::I64(0x100))];
        assert_eq!(leaves.arguments(&block), expected);
        let digest = |block: &[u8]| leaves.digest(&[], block, Pattern::default());
        let before = digest(&block);
        (block[0], block[30]) = (9, 9);
        assert_eq!(digest(&block), before);
        block[8] = 8;
        assert_ne!(digest(&block), before);
        let of = |pattern| Leaves::with_pointers(&kernel).digest(&[], &block, Pattern(pattern));
        assert!(of(0) != digest(&block) && of(0) != of(1) && of(1) == of(1));
        assert!(Leaves::of(&Descriptor { parameters: &parameters[..1], ..kernel }).is_none());
    }

    #[test]
    fn the_order_of_constants_does_not_matter_and_none_comes_twice() {
        let (a, b) = (constant("a", b"1"), constant("b", b"2"));
        assert_eq!(
            specialization(&[a, b], None, Vec::new()).expect("values"),
            specialization(&[b, a], None, Vec::new()).expect("values")
        );
        let twice = specialization(&[a, b, constant("a", b"3")], None, Vec::new());
        assert!(matches!(&twice, Err(RuntimeError::InvalidArgument { reason, .. }) if reason.contains("`a`")));
    }
}
