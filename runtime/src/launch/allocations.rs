//! Detects which pointer arguments of a launch point to different allocations.
//!
//! In: an argument block and the memory of the queue's device. Out: for each pointer, the
//! allocation that it is the start of, if any. *Invariant:* only a pointer to the first byte of an
//! allocation by the runtime counts. A pointer into the middle may be one element below or above
//! the range that the kernel uses, as in programs that index from 1, so it proves nothing. Nor does
//! one with less than the alignment that the translator relies on.
//!
//! Each lookup takes the read lock of the allocation table: once per pointer of a launch, and only
//! for kernels whose code depends on it.
#![forbid(unsafe_code)]

use crate::{
    code::MOST_POINTERS,
    registry::descriptor::{self, Descriptor},
};
use sinter_core::{ALLOCATION_ALIGNMENT, ParameterKind};
use sinter_driver::Memory;
use std::{
    ffi::c_void,
    sync::atomic::{AtomicU64, Ordering},
};

/// Maximum number of patterns that a kernel is compiled for. Launches with further patterns use the
/// code that is valid for all.
const MAX_PATTERNS: usize = 4;
/// Bits of a [`Pattern`] for each pointer; limits the number of pointers.
const BITS: usize = 4;
const MAX_POINTERS: usize = (1 << BITS) - 1;
const _: () = assert!(MAX_POINTERS == MOST_POINTERS);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pointer {
    /// Index of its parameter record.
    parameter: u32,
    offset: usize,
}

/// The pointer parameters of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointers(Box<[Pointer]>);

/// For each pointer 0 if its allocation is unknown, otherwise the number, from 1, of the first
/// pointer to the same allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pattern(pub(super) u64);

/// Patterns that a kernel is compiled for. Bounded, because a memory pool may give each launch
/// another one.
#[derive(Debug, Default)]
pub(super) struct Patterns([AtomicU64; MAX_PATTERNS]);

impl Patterns {
    /// Returns `pattern` if the kernel may be compiled for it, otherwise the pattern without
    /// knowledge.
    pub(super) fn admit(&self, pattern: Pattern) -> Pattern {
        let take = |slot: &AtomicU64| slot.compare_exchange(0, pattern.0, Ordering::Relaxed, Ordering::Relaxed);
        let is_here = |slot: &AtomicU64| match slot.load(Ordering::Relaxed) {
            0 => take(slot).map_or_else(|there| there == pattern.0, |_| true),
            there => there == pattern.0,
        };
        if pattern == Pattern::default() || self.0.iter().any(is_here) { pattern } else { Pattern::default() }
    }
}

impl Pattern {
    fn number(self, pointer: usize) -> u64 {
        self.0 >> (pointer * BITS) & MAX_POINTERS as u64
    }
}

impl Pointers {
    pub(super) fn of(kernel: &Descriptor<'_>) -> Self {
        let records = (0..).zip(kernel.parameters);
        let pointers = records.filter(|(_, record)| {
            descriptor::kind(record) == Some(ParameterKind::Pointer) && record.byte_size as usize == size_of::<usize>()
        });
        let pointer = |(parameter, record): (u32, &crate::abi::Parameter)| Pointer {
            parameter,
            offset: record.byte_offset as usize,
        };
        Pointers(pointers.map(pointer).take(MAX_POINTERS).collect())
    }

    fn address(&self, pointer: usize, block: &[u8]) -> Option<usize> {
        let bytes = block.get(self.0[pointer].offset..)?.first_chunk()?;
        Some(usize::from_ne_bytes(*bytes))
    }

    /// Pattern of a launch; without knowledge if its pointers point to fewer than two allocations.
    /// Adjacent allocations count as one, because the end of the first is the start of the second.
    pub(super) fn pattern(&self, block: &[u8], memory: &dyn Memory) -> Pattern {
        let mut known = [None; MAX_POINTERS];
        let mut numbers = [0; MAX_POINTERS];
        for pointer in 0..self.0.len() {
            let Some(own) = self.address(pointer, block).and_then(|address| allocation(address, memory)) else {
                continue;
            };
            numbers[pointer] = pointer + 1;
            let touches = |other: &Option<Range>| other.is_some_and(|other| touch(other, own));
            let touching = known.iter().enumerate().filter(|(_, other)| touches(other));
            touching.for_each(|(other, _)| merge(&mut numbers, other, pointer));
            known[pointer] = Some(own);
        }
        let first = numbers.iter().copied().find(|number| *number != 0);
        if numbers.iter().all(|number| *number == 0 || Some(*number) == first) {
            return Pattern::default();
        }
        Pattern(numbers.iter().rev().fold(0, |bits, number| bits << BITS | *number as u64))
    }

    /// Converts a pattern to the form in a request: parameter index and number.
    pub(super) fn allocations(&self, pattern: Pattern) -> Vec<(u32, u32)> {
        let known = |(index, pointer): (usize, &Pointer)| match pattern.number(index) {
            0 => None,
            number => Some((pointer.parameter, number as u32)),
        };
        self.0.iter().enumerate().filter_map(known).collect()
    }
}

/// First byte and end of an allocation.
type Range = (usize, usize);

/// The allocation that starts at `address`.
fn allocation(address: usize, memory: &dyn Memory) -> Option<Range> {
    let info = memory.query_own(std::ptr::without_provenance::<c_void>(address)).filter(|_| address != 0)?;
    let is_start = info.base.addr() == address && address.is_multiple_of(ALLOCATION_ALIGNMENT as usize);
    is_start.then_some((address, address + info.size))
}

fn touch(one: Range, other: Range) -> bool {
    one.0 == other.0 || one.1 == other.0 || other.1 == one.0
}

/// Merges the numbers of two pointers: all pointers with either one get the smaller.
fn merge(numbers: &mut [usize; MAX_POINTERS], one: usize, other: usize) {
    let (small, large) = (numbers[one].min(numbers[other]), numbers[one].max(numbers[other]));
    numbers.iter_mut().filter(|number| **number == large).for_each(|number| *number = small);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi;
    use sinter_driver::{Device, Driver, MemoryKind, recording::RecordingDriver};
    use std::sync::Arc;

    #[test]
    fn starts_of_allocations_are_told_apart_and_nothing_else_is() {
        let record =
            |index: u32, kind| abi::Parameter { byte_offset: index * 8, byte_size: 8, original_index: 0, kind };
        let parameters = [record(0, 0), record(1, 1), record(2, 0x100), record(3, 0), record(4, 0)];
        let kernel = Descriptor {
            symbol: "k",
            parameters: &parameters,
            container: std::ptr::null(),
            image: None,
            block_size: 40,
            ir_hash: None,
            requirements: abi::KernelRequirements::default(),
            aspects: 0,
        };
        let pointers = Pointers::of(&kernel);
        let device: Arc<dyn Device> = RecordingDriver::new().devices().expect("devices").remove(0);
        let memory = device.memory();
        let allocate = || memory.allocate(MemoryKind::Shared, 64, 64).expect("memory").addr();
        let (a, b) = (allocate(), allocate());
        let allocations = |addresses: [usize; 5]| {
            let block: Vec<u8> = addresses.iter().flat_map(|address| address.to_ne_bytes()).collect();
            pointers.allocations(pointers.pattern(&block, memory))
        };
        assert_eq!(allocations([a, b, b, a, b]), [(0, 1), (2, 2), (3, 1), (4, 2)]);
        assert_eq!(allocations([a, b, b + 4, 0, b]), [(0, 1), (4, 4)]);
        // Only one allocation, an integer that is an address, a pointer that is not to an
        // allocation, and a block that is too short.
        assert_eq!(allocations([a, b, a, a + 8, 8]), []);
        assert_eq!(pointers.pattern(&a.to_ne_bytes(), memory), Pattern::default());
    }

    #[test]
    fn only_so_many_patterns_are_compiled_for() {
        let patterns = Patterns::default();
        for round in 0..2 {
            for pattern in 1..=MAX_PATTERNS as u64 + 3 {
                let admitted = if pattern <= MAX_PATTERNS as u64 { pattern } else { 0 };
                assert_eq!(patterns.admit(Pattern(pattern)), Pattern(admitted), "round {round}");
            }
            assert_eq!(patterns.admit(Pattern::default()), Pattern::default());
        }
    }

    #[test]
    fn allocations_that_touch_count_as_one() {
        assert!(touch((64, 128), (128, 256)) && touch((128, 256), (64, 128)) && touch((64, 128), (64, 128)));
        assert!(!touch((64, 127), (128, 256)) && !touch((128, 256), (64, 127)));
        let mut numbers = [0; MAX_POINTERS];
        numbers[..4].copy_from_slice(&[1, 2, 3, 1]);
        merge(&mut numbers, 2, 3);
        assert_eq!(numbers[..5], [1, 2, 1, 1, 0]);
    }
}
