//! Checks that launch kernels.
//!
//! In: a device and a [`Sample`]. Out: deviations from the documentation. *Invariant:* unless it
//! fails, a check waits for its launches before its buffers are freed.

use super::tools::{Buffer, Check, Registered, Sample, check_times, ensure, text};
use crate::{Device, DriverError, Kernel, Queue, Ticket};
use sinter_core::{CodeObject, LaunchShape};
use std::{ffi::c_void, sync::Arc};

fn shape(items: u64, group: u32) -> LaunchShape {
    LaunchShape { global: [items, 1, 1], group: [group, 1, 1], local_memory: 0 }
}

fn arguments(pointer: *mut c_void, items: u64) -> [u8; 16] {
    let mut arguments = [0; 16];
    arguments[..8].copy_from_slice(&(pointer as usize as u64).to_ne_bytes());
    arguments[8..].copy_from_slice(&items.to_ne_bytes());
    arguments
}

fn launch(queue: &dyn Queue, kernel: &Arc<dyn Kernel>, buffer: &Buffer, shape: &LaunchShape) -> Result<Ticket, String> {
    assert!(shape.global[0] as usize * 8 <= buffer.size);
    let arguments = arguments(buffer.pointer, shape.global[0]);
    // SAFETY: the sample's arguments are this pointer and the number of items, and the kernel stays
    // within the buffer, which the checks keep alive.
    unsafe { queue.launch(kernel, shape, &arguments) }.map_err(text)
}

pub(super) fn damaged_code(device: &dyn Device, sample: &Sample) -> Check {
    for length in [0, 3, 40, sample.add_one.bytes.len() / 2] {
        let damaged = CodeObject { bytes: Arc::from(&sample.add_one.bytes[..length]), ..sample.add_one.clone() };
        let result = device.load(&damaged).map(|kernel| kernel.entry().clone());
        ensure(matches!(result, Err(DriverError::Load { .. })), || format!("{length} bytes: {result:?}"))?;
    }
    let mut renamed = sample.add_one.clone();
    renamed.entry.symbol = "no_such_symbol".into();
    let result = device.load(&renamed).map(|kernel| kernel.entry().clone());
    ensure(matches!(result, Err(DriverError::Load { .. })), || format!("an unknown entry: {result:?}"))
}

pub(super) fn launch_once(device: &dyn Device, sample: &Sample) -> Check {
    let kernel = device.load(&sample.add_one).map_err(text)?;
    ensure(*kernel.entry() == sample.add_one.entry, || "the entry information was lost".into())?;
    run_once(device, &kernel, 1 << 20, 256)
}

fn run_once(device: &dyn Device, kernel: &Arc<dyn Kernel>, items: u64, group: u32) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, items as usize * 8 + 8)?;
    buffer.fill(&*queue, 0, &[0], buffer.size)?;
    launch(&*queue, kernel, &buffer, &shape(items, group))?;
    let words = buffer.words(&*queue)?;
    let (guard, body) = words.split_last().ok_or("no words")?;
    let wrong = body.iter().position(|&word| u64::from_le(word) != 1);
    ensure(wrong.is_none() && *guard == 0, || format!("{items} items in groups of {group}: item {wrong:?}, {guard}"))
}

pub(super) fn registered(device: &dyn Device, sample: &Sample) -> Check {
    const ITEMS: u64 = 5000;
    let (queue, kernel) = (device.create_queue().map_err(text)?, device.load(&sample.add_one).map_err(text)?);
    let mut bytes = vec![0; ITEMS as usize * 8];
    let Some(registered) = Registered::new(device, &mut bytes)? else { return Ok(()) };
    let shape = shape(ITEMS, 100);
    // SAFETY: the kernel stays within the registered memory, which outlives the wait below.
    let launched = unsafe { queue.launch(&kernel, &shape, &arguments(registered.address, ITEMS)) };
    queue.wait(launched.map_err(text)?).map_err(text)?;
    let wrong = registered.bytes().as_chunks().0.iter().position(|word| u64::from_ne_bytes(*word) != 1);
    ensure(wrong.is_none(), || format!("item {wrong:?}"))?;
    registered.end()
}

pub(super) fn launch_sizes(device: &dyn Device, sample: &Sample) -> Check {
    let kernel = device.load(&sample.add_one).map_err(text)?;
    for (items, group) in [(1, 1), (64, 64), (4096, 1), (3000, 100), (70_000, 1000), (262_144, 64)] {
        run_once(device, &kernel, items, group)?;
    }
    for items in [1, 2, 63, 1000, 1024, 65_536, 1 << 21] {
        run_once(device, &kernel, items, device.choose_group_size([items, 1, 1])[0])?;
    }
    Ok(())
}

pub(super) fn empty_launch(device: &dyn Device, sample: &Sample) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let kernel = device.load(&sample.add_one).map_err(text)?;
    let buffer = Buffer::new(device, 8)?;
    let ticket = launch(&*queue, &kernel, &buffer, &shape(0, 1))?;
    queue.wait(ticket).map_err(text)
}

pub(super) fn zero_group(device: &dyn Device, sample: &Sample) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let kernel = device.load(&sample.add_one).map_err(text)?;
    let huge = LaunchShape { global: [u64::MAX; 3], group: [1; 3], local_memory: 0 };
    for bad in [shape(16, 0), huge] {
        // SAFETY: a rejected launch runs nothing.
        let result = unsafe { queue.launch(&kernel, &bad, &[0; 16]) };
        ensure(matches!(result, Err(DriverError::Launch { .. })), || format!("{bad:?}: {result:?}"))?;
    }
    ensure(queue.last() == Ticket(0), || "a refused launch took a ticket".into())
}

pub(super) fn dropped_kernel(device: &dyn Device, sample: &Sample) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, 8 << 20)?;
    buffer.fill(&*queue, 0, &[0], 8 << 20)?;
    for _ in 0..5 {
        let kernel = device.load(&sample.add_one).map_err(text)?;
        launch(&*queue, &kernel, &buffer, &shape(1 << 20, 1024))?;
    }
    let words = buffer.words(&*queue)?;
    ensure(words.iter().all(|&word| u64::from_le(word) == 5), || "wrong sums".into())
}

pub(super) fn launches_in_order(device: &dyn Device, sample: &Sample) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let kernel = device.load(&sample.add_one).map_err(text)?;
    let buffer = Buffer::new(device, 1 << 20)?;
    buffer.fill(&*queue, 0, &[0], 1 << 20)?;
    for round in 0..500 {
        let items = [1, 1 << 17, 100, 1 << 14][round % 4];
        launch(&*queue, &kernel, &buffer, &shape(items, 64))?;
    }
    let words = buffer.words(&*queue)?;
    let (first, last) = (u64::from_le(words[0]), u64::from_le(words[(1 << 17) - 1]));
    ensure((first, last) == (500, 125), || format!("{first} and {last} instead of 500 and 125"))
}

pub(super) fn launches_across_queues(device: &dyn Device, sample: &Sample) -> Check {
    const ITEMS: u64 = 1 << 15;
    let queues: Vec<_> = (0..3).map(|_| device.create_queue().map_err(text)).collect::<Result<_, _>>()?;
    let kernel = device.load(&sample.add_one).map_err(text)?;
    let buffer = Buffer::new(device, ITEMS as usize * 8)?;
    let mut ticket = buffer.fill(&*queues[0], 0, &[0], buffer.size)?;
    for round in 0..300 {
        let (previous, queue) = (&queues[round % 3], &queues[(round + 1) % 3]);
        queue.depend(previous, ticket).map_err(text)?;
        ticket = launch(&**queue, &kernel, &buffer, &shape(ITEMS, 128))?;
    }
    let words = buffer.words(&*queues[300 % 3])?;
    ensure(words.iter().all(|&word| u64::from_le(word) == 300), || "a launch did not wait for its dependency".into())
}

pub(super) fn launch_times(device: &dyn Device, sample: &Sample) -> Check {
    let queue = device.create_queue().map_err(text)?;
    queue.enable_profiling().map_err(text)?;
    let kernel = device.load(&sample.add_one).map_err(text)?;
    let buffer = Buffer::new(device, 1 << 23)?;
    for items in [1, 0, 1 << 20, 1 << 10, 1 << 20, 1] {
        for _ in 0..20 {
            launch(&*queue, &kernel, &buffer, &shape(items, 64))?;
        }
    }
    check_times(&*queue, queue.last().0)
}

pub(super) fn assembled_once(device: &dyn Device, sample: &Sample) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let made = device.assemble(&sample.add_one).map_err(text)?;
    let code = made.as_ref().unwrap_or(&sample.add_one);
    ensure(code.entry == sample.add_one.entry, || "the entry information was lost".into())?;
    ensure(made.is_none() || code.assembly.is_some(), || "what it was made from was lost".into())?;
    let again = device.assemble(code).map_err(text)?;
    ensure(again.is_none(), || "ready code is assembled again".into())?;
    ensure(device.is_assembled(code), || "ready code does not count as such".into())?;
    let kernel = device.load(code).map_err(text)?;
    let buffer = Buffer::new(device, 80)?;
    buffer.fill(&*queue, 0, &[0], 80)?;
    launch(&*queue, &kernel, &buffer, &shape(10, 1))?;
    let words = buffer.words(&*queue)?;
    ensure(words == [1u64.to_le(); 10], || format!("{words:?}"))
}

pub(super) fn chosen_groups(device: &dyn Device, sample: &Sample) -> Check {
    let kernel = device.load(&sample.add_one).map_err(text)?;
    for items in [1, 31, 1000, 1 << 20] {
        let group = kernel.choose_group_size([items, 1, 1]);
        let fits = |group: [u32; 3]| group[0] >= 1 && u64::from(group[0]) <= device.info().max_work_group_size;
        ensure(group.is_none_or(|group| fits(group) && group[1..] == [1, 1]), || format!("{items} items: {group:?}"))?;
        run_once(device, &kernel, items, group.map_or(1, |group| group[0]))?;
    }
    Ok(())
}
