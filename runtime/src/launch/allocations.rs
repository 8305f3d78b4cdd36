//! Finds the pointers of a launch that lead to allocations of their own.
//!
//! In: an argument block and the memory of the queue's device. Out: for each pointer the allocation
//! that it is the start of, if any. *Invariant:* only the first byte of an allocation of ours
//! counts. A pointer into the middle may be one below or above what the kernel uses it for, as
//! programs have that count from 1, so nothing is concluded from it.
//!
//! Reading the table of allocations takes its lock for reading: once for each pointer of a launch,
//! and only for kernels whose code depends on it.
#![forbid(unsafe_code)]

use super::descriptor::{self, Descriptor};
use sinter_core::ParameterKind;
use sinter_driver::Memory;
use std::ffi::c_void;

/// Bits of a [`Pattern`] for each pointer, and how many pointers are looked at.
const BITS: usize = 4;
const MAX_POINTERS: usize = (1 << BITS) - 1;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pointer {
    /// Index of its parameter record.
    parameter: u32,
    offset: usize,
}

/// The pointers among a kernel's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointers(Box<[Pointer]>);

/// For each pointer 0 if nothing is known about it, else the number of the first pointer to the
/// same allocation, from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pattern(pub(super) u64);

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

    /// The pattern of a launch; nothing is known where the pointers lead to fewer than two allocations.
    pub(super) fn pattern(&self, block: &[u8], memory: &dyn Memory) -> Pattern {
        let mut starts = [0usize; MAX_POINTERS];
        let (mut pattern, mut allocations) = (0, 0);
        for pointer in 0..self.0.len() {
            let Some(address) = self.address(pointer, block).filter(|address| is_start(*address, memory)) else {
                continue;
            };
            let first = starts[..pointer].iter().position(|start| *start == address).unwrap_or(pointer);
            allocations += usize::from(first == pointer);
            starts[pointer] = address;
            pattern |= (first as u64 + 1) << (pointer * BITS);
        }
        if allocations < 2 { Pattern::default() } else { Pattern(pattern) }
    }

    /// A pattern as a request has it.
    pub(super) fn allocations(&self, pattern: Pattern) -> Vec<(u32, u32)> {
        let known = |(index, pointer): (usize, &Pointer)| match pattern.number(index) {
            0 => None,
            number => Some((pointer.parameter, number as u32)),
        };
        self.0.iter().enumerate().filter_map(known).collect()
    }
}

fn is_start(address: usize, memory: &dyn Memory) -> bool {
    let pointer = std::ptr::without_provenance::<c_void>(address);
    address != 0 && memory.query_own(pointer).is_some_and(|info| info.base.addr() == address)
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
        // One allocation alone, the integer that is an address, what is not an allocation, and a
        // block that is too short.
        assert_eq!(allocations([a, b, a, a + 8, 8]), []);
        assert_eq!(pointers.pattern(&a.to_ne_bytes(), memory), Pattern::default());
    }
}
