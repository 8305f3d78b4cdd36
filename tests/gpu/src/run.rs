//! Runs a case on a device.
//!
//! In: a case. Out: an error with the first wrong word. *Invariant:* each buffer is followed by
//! guard words that no kernel may change, and they are compared too.

use crate::case::{Buffer, Case, Launch, Value};
use sinter_core::{EntryInfo, LaunchShape};
use sinter_driver::{Device, DriverError, Kernel, MemoryKind, Queue};
use std::{ffi::c_void, sync::Arc};

/// Guard words behind each buffer.
const GUARD: [u32; 32] = [0xa5a5_a5a5; 32];
const ALIGNMENT: usize = 256;

/// Runs every launch of the case.
pub fn run(device: &dyn Device, case: &Case) -> Result<(), String> {
    let named = |error: String| format!("{}: {error}", case.name);
    let text = |error: DriverError| named(error.to_string());
    let assembled = device.assemble(&case.code).map_err(text)?;
    let kernel = device.load(assembled.as_ref().unwrap_or(&case.code)).map_err(text)?;
    let queue = device.create_queue().map_err(text)?;
    for launch in &case.launches {
        let outcome = run_launch(device, &*queue, &kernel, launch);
        outcome.map_err(|error| named(format!("groups of {:?}: {error}", launch.group)))?;
    }
    Ok(())
}

fn run_launch(device: &dyn Device, queue: &dyn Queue, kernel: &Arc<dyn Kernel>, launch: &Launch) -> Result<(), String> {
    let text = |error: DriverError| error.to_string();
    let blocks = launch.buffers.iter().map(|buffer| Block::new(device, queue, buffer).map_err(text));
    let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
    let addresses: Vec<u64> = blocks.iter().map(|block| block.pointer as u64).collect();
    let arguments = arguments(kernel.entry(), &launch.parameters, &addresses)?;
    let shape = LaunchShape { global: launch.global, group: launch.group, local_memory: launch.local_memory };
    // SAFETY: the buffer is laid out as the entry says, and the blocks live until the wait below.
    let ticket = unsafe { queue.launch(kernel, &shape, &arguments) }.map_err(text)?;
    queue.wait(ticket).map_err(text)?;
    blocks.iter().zip(&launch.buffers).try_for_each(|(block, buffer)| {
        let found = block.read(queue).map_err(text)?;
        difference(buffer, &found)
    })
}

/// Builds the argument buffer.
fn arguments(entry: &EntryInfo, values: &[Value], addresses: &[u64]) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; entry.argument_size as usize];
    for argument in &entry.arguments {
        let value = match values.get(argument.parameter as usize) {
            Some(Value::Pointer(number)) => addresses.get(*number as usize).map(|address| address.to_le_bytes().into()),
            Some(Value::Bytes(bytes)) => Some(bytes.clone()),
            None => None,
        };
        let value =
            value.ok_or_else(|| format!("the code reads parameter {}, which has no value", argument.parameter))?;
        let place = bytes.get_mut(argument.offset as usize..argument.offset as usize + argument.size as usize);
        match place {
            Some(place) if place.len() == value.len() => place.copy_from_slice(&value),
            _ => return Err(format!("parameter {} does not fit where the code wants it", argument.parameter)),
        }
    }
    Ok(bytes)
}

/// Finds the first wrong word.
fn difference(buffer: &Buffer, found: &[u32]) -> Result<(), String> {
    let wanted = buffer.after.iter().chain(&GUARD);
    match found.iter().zip(wanted).position(|(found, wanted)| found != wanted) {
        None => Ok(()),
        Some(at) if at >= buffer.after.len() => Err(format!("the kernel wrote beyond {}", buffer.name)),
        Some(at) => Err(format!("{}[{at}] is {:#x}, not {:#x}", buffer.name, found[at], buffer.after[at])),
    }
}

/// Device memory, freed on drop.
struct Block<'d> {
    device: &'d dyn Device,
    pointer: *mut c_void,
    words: usize,
}

impl<'d> Block<'d> {
    /// Allocates memory with the contents before the launch, and the guard.
    fn new(device: &'d dyn Device, queue: &dyn Queue, buffer: &Buffer) -> Result<Self, DriverError> {
        let content = [&buffer.before[..], &GUARD].concat();
        let pointer = device.memory().allocate(MemoryKind::Device, 4 * content.len(), ALIGNMENT)?;
        let block = Block { device, pointer, words: content.len() };
        // SAFETY: both ranges have this size, and the content outlives the wait.
        let ticket = unsafe { queue.copy(pointer, content.as_ptr().cast(), 4 * content.len()) }?;
        queue.wait(ticket)?;
        Ok(block)
    }

    fn read(&self, queue: &dyn Queue) -> Result<Vec<u32>, DriverError> {
        let mut content = vec![0u32; self.words];
        // SAFETY: both ranges have this size, and the content outlives the wait.
        let ticket = unsafe { queue.copy(content.as_mut_ptr().cast(), self.pointer, 4 * self.words) }?;
        queue.wait(ticket)?;
        Ok(content)
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        // SAFETY: all commands that used the memory were waited for. After an error it is left to
        // the device.
        let _ = unsafe { self.device.memory().free(self.pointer) };
    }
}
