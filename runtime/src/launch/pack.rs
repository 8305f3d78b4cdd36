//! Copies live arguments from the program's block to the argument buffer of the kernel.
//!
//! In: parameter records (offset of a leaf in the block), [`EntryInfo`] (offset in the buffer), the
//! addresses of device globals and the content of constants. Out: a list of copies, made once per
//! kernel. *Invariant:* every copy is checked against both sizes when the list is made, so that
//! running it on a block of the right size cannot fail.
#![forbid(unsafe_code)]

use crate::device_globals::constants::Bytes;
use crate::error::RuntimeError;
use crate::registry::descriptor::Descriptor;
use sinter_core::{Argument, EntryInfo};
use std::sync::Arc;

/// The variables of a device that code gets.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables {
    /// Addresses of device globals.
    pub(crate) addresses: Vec<usize>,
    /// Contents of those that are passed by value.
    pub(crate) constants: Vec<Arc<Bytes>>,
}

/// A contiguous copy. Arguments that are adjacent in both block and buffer share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    source: usize,
    destination: usize,
    size: usize,
}

/// List of copies that packs the arguments of one kernel.
#[derive(Debug, Clone)]
pub(crate) struct PackPlan {
    runs: Vec<Run>,
    /// Offsets in the buffer and addresses of device globals, which follow all parameters.
    globals: Vec<(usize, usize)>,
    /// Offsets and contents of constants, which follow these.
    constants: Vec<(usize, Arc<Bytes>)>,
    size: usize,
    /// Alignment minus 1; the alignment is a power of two.
    mask: usize,
    block_size: usize,
}

/// No target needs a larger alignment; wider vectors are passed as bytes.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

/// Error for a descriptor and a code object that do not match: one of them was changed after stage
/// 1 or the translator made it.
fn mismatch(kernel: &Descriptor<'_>, argument: &Argument, reason: &str) -> RuntimeError {
    let kernel = kernel.symbol.to_owned();
    let Argument { parameter, offset, size, is_pointer: _ } = argument;
    let reason = format!("its code reads parameter {parameter} as {size} bytes at offset {offset}, but {reason}");
    RuntimeError::Kernel { kernel, reason }
}

fn run(kernel: &Descriptor<'_>, entry: &EntryInfo, argument: &Argument) -> Result<Run, RuntimeError> {
    let record = kernel.parameters.get(argument.parameter as usize);
    let record = record.ok_or_else(|| mismatch(kernel, argument, "the kernel has no such parameter"))?;
    if record.byte_size != argument.size {
        return Err(mismatch(kernel, argument, &format!("the program passes {} bytes", record.byte_size)));
    }
    if u64::from(argument.offset) + u64::from(argument.size) > u64::from(entry.argument_size) {
        return Err(mismatch(kernel, argument, &format!("the argument buffer has {} bytes", entry.argument_size)));
    }
    let [source, destination, size] = [record.byte_offset, argument.offset, argument.size].map(|n| n as usize);
    Ok(Run { source, destination, size })
}

/// Appends `next`, or extends the last run if `next` continues it on both sides.
fn append(runs: &mut Vec<Run>, next: Run) {
    let ends = |run: &Run| (run.source + run.size, run.destination + run.size);
    match runs.last_mut() {
        Some(last) if ends(last) == (next.source, next.destination) => last.size += next.size,
        // Padding between two leaves may be copied too, if it has the same size on both sides.
        Some(last)
            if next.source > ends(last).0
                && next.source - last.source == next.destination.wrapping_sub(last.destination) =>
        {
            last.size = next.source + next.size - last.source;
        }
        _ => runs.push(next),
    }
}

/// Offset and address of the device global that an argument is.
fn global(
    kernel: &Descriptor<'_>,
    entry: &EntryInfo,
    argument: &Argument,
    index: usize,
    addresses: &[usize],
) -> Result<(usize, usize), RuntimeError> {
    let address = addresses.get(index).ok_or_else(|| mismatch(kernel, argument, "it has no such device global"))?;
    let end = u64::from(argument.offset) + size_of::<usize>() as u64;
    if argument.size as usize != size_of::<usize>() || end > u64::from(entry.argument_size) {
        return Err(mismatch(kernel, argument, "an address has 8 bytes in the argument buffer"));
    }
    Ok((argument.offset as usize, *address))
}

/// Offset and content of the constant that an argument is.
fn constant(
    kernel: &Descriptor<'_>,
    entry: &EntryInfo,
    argument: &Argument,
    bytes: &Arc<Bytes>,
) -> Result<(usize, Arc<Bytes>), RuntimeError> {
    let (offset, size) = (argument.offset as usize, bytes.size());
    if argument.size as usize != size || offset + size > entry.argument_size as usize {
        return Err(mismatch(kernel, argument, &format!("the constant has {size} bytes")));
    }
    Ok((offset, Arc::clone(bytes)))
}

impl PackPlan {
    /// Makes the plan for a kernel with this descriptor, this code, and these variables of the
    /// device that the code uses.
    pub(crate) fn new(kernel: &Descriptor<'_>, entry: &EntryInfo, variables: &Variables) -> Result<Self, RuntimeError> {
        let Variables { addresses, constants: contents } = variables;
        let (mut runs, mut globals, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for argument in &entry.arguments {
            let behind = (argument.parameter as usize).checked_sub(kernel.parameters.len());
            let content = behind.and_then(|index| contents.get(index.checked_sub(addresses.len())?));
            match (behind, content) {
                (_, Some(bytes)) => constants.push(constant(kernel, entry, argument, bytes)?),
                (Some(index), None) if !addresses.is_empty() => {
                    globals.push(global(kernel, entry, argument, index, addresses)?);
                }
                _ => append(&mut runs, run(kernel, entry, argument)?),
            }
        }
        let [size, align] = [entry.argument_size, entry.argument_align].map(|n| n as usize);
        let (mask, block_size) = (align.max(1).next_power_of_two() - 1, kernel.block_size);
        Ok(PackPlan { runs, globals, constants, size, mask, block_size })
    }

    /// Required size of the argument block in bytes.
    pub(crate) fn block_size(&self) -> usize {
        self.block_size
    }

    /// The part of the block that already is the argument buffer, if there is one. Saves the copy.
    #[inline]
    pub(crate) fn in_place<'b>(&self, block: &'b [u8]) -> Option<&'b [u8]> {
        let lies_elsewhere = !self.globals.is_empty() || !self.constants.is_empty();
        let ([Run { source, destination: 0, size }], false) = (&self.runs[..], lies_elsewhere) else { return None };
        let (source, size) = (*source, *size);
        let part = &block[source..source + size];
        (size == self.size && part.as_ptr().addr() & self.mask == 0).then_some(part)
    }

    fn fill(&self, block: &[u8], buffer: &mut [u8]) {
        for Run { source, destination, size } in &self.runs {
            buffer[*destination..destination + size].copy_from_slice(&block[*source..source + size]);
        }
        for (offset, address) in &self.globals {
            buffer[*offset..offset + size_of::<usize>()].copy_from_slice(&address.to_ne_bytes());
        }
        for (offset, bytes) in &self.constants {
            bytes.read(&mut buffer[*offset..offset + bytes.size()]);
        }
    }

    /// Calls `submit` with an argument buffer made from `block`, which has [`PackPlan::block_size`]
    /// bytes.
    pub(crate) fn with_copy<R>(&self, block: &[u8], submit: impl FnOnce(&[u8]) -> R) -> R {
        match self.size {
            0..=128 => self.with_buffer(block, &mut Aligned([0; 128]).0, submit),
            129..=512 => self.with_buffer(block, &mut Aligned([0; 512]).0, submit),
            // 64 additional bytes to align the start.
            _ => {
                let mut heap = vec![0; self.size + 64];
                let start = heap.as_ptr().addr().wrapping_neg() % 64;
                self.with_buffer(block, &mut heap[start..], submit)
            }
        }
    }

    fn with_buffer<R>(&self, block: &[u8], buffer: &mut [u8], submit: impl FnOnce(&[u8]) -> R) -> R {
        let buffer = &mut buffer[..self.size];
        self.fill(block, buffer);
        submit(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi;

    fn descriptor(parameters: &[abi::Parameter], block_size: usize) -> Descriptor<'_> {
        let requirements = abi::KernelRequirements::default();
        Descriptor {
            symbol: "k",
            parameters,
            container: std::ptr::null(),
            image: None,
            block_size,
            ir_hash: None,
            requirements,
            aspects: 0,
        }
    }

    fn parameter(byte_offset: u32, byte_size: u32) -> abi::Parameter {
        abi::Parameter { byte_offset, byte_size, original_index: 0, kind: 1 }
    }

    fn entry(arguments: &[(u32, u32, u32)], argument_size: u32) -> EntryInfo {
        let make =
            |&(parameter, offset, size): &(u32, u32, u32)| Argument { parameter, offset, size, is_pointer: false };
        let arguments = arguments.iter().map(make).collect();
        EntryInfo {
            symbol: "k".into(),
            arguments,
            argument_size,
            argument_align: 8,
            local_memory: 0,
            item_memory: 0,
            takes_local_memory: false,
            depends_on_allocations: false,
            followed: Default::default(),
            may_wait: false,
            candidates: Vec::new(),
            device_globals: Vec::new(),
            constants: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn packed(parameters: &[abi::Parameter], entry: &EntryInfo, block: &[u8]) -> Vec<u8> {
        let plan = PackPlan::new(&descriptor(parameters, block.len()), entry, &Variables::default()).expect("plan");
        let copy = plan.with_copy(block, <[u8]>::to_vec);
        assert!(plan.in_place(block).is_none_or(|part| part == copy));
        copy
    }

    #[test]
    fn dead_parameters_are_left_out() {
        let block: Vec<u8> = (0..24).collect();
        let parameters = [parameter(0, 8), parameter(8, 4), parameter(16, 8)];
        let bytes = packed(&parameters, &entry(&[(0, 0, 8), (2, 8, 8)], 16), &block);
        assert_eq!(bytes, [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
        assert_eq!(packed(&parameters, &entry(&[], 0), &block), []);
    }

    #[test]
    fn an_identical_layout_is_one_run() {
        let parameters = [parameter(0, 4), parameter(8, 8), parameter(16, 8)];
        let info = entry(&[(0, 0, 4), (1, 8, 8), (2, 16, 8)], 24);
        let plan = PackPlan::new(&descriptor(&parameters, 24), &info, &Variables::default()).expect("plan");
        assert_eq!(plan.runs, [Run { source: 0, destination: 0, size: 24 }]);
    }

    fn at(addresses: &[usize]) -> Variables {
        Variables { addresses: addresses.to_vec(), constants: Vec::new() }
    }

    #[test]
    fn constants_follow_device_globals_by_value() {
        let bytes = Arc::new(Bytes::new(&[1, 2, 3, 4, 5, 6, 7, 8]));
        let variables = Variables { addresses: vec![0x1234], constants: vec![Arc::clone(&bytes)] };
        // The code reads the constant by value alone.
        let info = entry(&[(0, 0, 8), (2, 16, 8)], 24);
        let block = [7u8; 8];
        let plan = PackPlan::new(&descriptor(&[parameter(0, 8)], 8), &info, &variables).expect("plan");
        assert!(plan.in_place(&block).is_none());
        assert_eq!(plan.with_copy(&block, |buffer| buffer[16..].to_vec()), [1, 2, 3, 4, 5, 6, 7, 8]);
        bytes.write(0, &[9]);
        assert_eq!(plan.with_copy(&block, |buffer| buffer[16..18].to_vec()), [9, 2]);
        for wrong in [entry(&[(2, 0, 4)], 24), entry(&[(2, 20, 8)], 24), entry(&[(3, 0, 8)], 24)] {
            assert!(PackPlan::new(&descriptor(&[parameter(0, 8)], 8), &wrong, &variables).is_err());
        }
    }

    #[test]
    fn addresses_of_device_globals_follow_the_parameters() {
        let block = [7u8; 8];
        let info = entry(&[(0, 0, 8), (1, 8, 8), (2, 16, 8)], 24);
        let plan = PackPlan::new(&descriptor(&[parameter(0, 8)], 8), &info, &at(&[0x1234, 0x5678])).expect("plan");
        assert!(plan.in_place(&block).is_none());
        let words: Vec<u64> = plan.with_copy(&block, |buffer| {
            buffer.chunks(8).map(|word| u64::from_ne_bytes(word.try_into().expect("8 bytes"))).collect()
        });
        assert_eq!(words, [0x0707_0707_0707_0707, 0x1234, 0x5678]);
        assert!(PackPlan::new(&descriptor(&[parameter(0, 8)], 8), &info, &at(&[0x1234])).is_err());
    }

    #[test]
    fn large_buffers_are_packed_as_small_ones_are() {
        for size in [100, 300, 5000] {
            let block: Vec<u8> = (0..size + 8).map(|i| i as u8).collect();
            let parameters = [parameter(0, 1), parameter(8, size as u32)];
            let bytes = packed(&parameters, &entry(&[(1, 0, size as u32)], size as u32), &block);
            assert_eq!(bytes, block[8..], "{size}");
            let info = entry(&[(0, 0, 1), (1, 16, size as u32)], size as u32 + 16);
            assert_eq!(packed(&parameters, &info, &block)[16..], block[8..], "{size}");
        }
    }

    #[test]
    fn code_that_does_not_fit_the_descriptor_is_refused() {
        let parameters = [parameter(0, 8)];
        for info in
            [entry(&[(1, 0, 8)], 8), entry(&[(0, 0, 4)], 8), entry(&[(0, 4, 8)], 8), entry(&[(0, u32::MAX, 8)], 8)]
        {
            let plan = PackPlan::new(&descriptor(&parameters, 8), &info, &Variables::default());
            assert!(matches!(plan, Err(RuntimeError::Kernel { .. })), "{info:?}");
        }
    }
}
