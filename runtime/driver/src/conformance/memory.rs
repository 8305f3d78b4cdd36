//! Checks of rectangular copies and mem-advise.
//!
//! In: a device. Out: deviations from the documentation. *Invariant:* a check waits for every
//! command that uses its buffers.

use super::tools::{Buffer, Check, Registered, ensure, text};
use crate::{Advice, Device, DriverError, MemoryKind, Queue, Rows, Ticket};
use std::ffi::c_void;

/// Copies rows between a buffer and host memory or another buffer. Blocks until the copy is
/// complete.
fn copy_rows(queue: &dyn Queue, to: *mut c_void, from: *const c_void, rows: Rows) -> Result<Ticket, String> {
    // SAFETY: the callers' buffers hold the rows and outlive the wait.
    let ticket = unsafe { queue.copy_rows(to, from, rows) }.map_err(text)?;
    ensure(ticket == queue.last(), || format!("{ticket:?} is not the last"))?;
    queue.wait(ticket).map_err(text)?;
    Ok(ticket)
}

/// Expected content of `to` after copying the rows of `from`.
fn expected(mut to: Vec<u8>, from: &[u8], rows: &Rows) -> Vec<u8> {
    for row in 0..rows.height {
        let (there, here) = (row * rows.destination_pitch, row * rows.source_pitch);
        to[there..there + rows.width].copy_from_slice(&from[here..here + rows.width]);
    }
    to
}

pub(super) fn rectangles(device: &dyn Device) -> Check {
    const SIZE: usize = 4096;
    let queue = device.create_queue().map_err(text)?;
    let (a, b) = (Buffer::new(device, SIZE)?, Buffer::new(device, SIZE)?);
    let source: Vec<u8> = (0..SIZE).map(|i| (i * 7 % 251) as u8).collect();
    for (destination_pitch, source_pitch, width, height) in
        [(64, 100, 31, 40), (33, 33, 33, 100), (100, 64, 0, 10), (100, 64, 10, 0), (10, 0, 10, 3), (1, 4000, 90, 1)]
    {
        let rows = Rows { destination_pitch, source_pitch, width, height };
        let mut back = vec![0u8; SIZE];
        a.write(&*queue, &vec![0; SIZE])?;
        b.write(&*queue, &vec![0; SIZE])?;
        copy_rows(&*queue, a.pointer, source.as_ptr().cast(), rows)?;
        let there = expected(vec![0; SIZE], &source, &rows);
        ensure(a.read(&*queue)? == there, || format!("to the device: {rows:?}"))?;
        copy_rows(&*queue, b.pointer, a.pointer, rows)?;
        let across = expected(vec![0; SIZE], &there, &rows);
        ensure(b.read(&*queue)? == across, || format!("on the device: {rows:?}"))?;
        copy_rows(&*queue, back.as_mut_ptr().cast(), b.pointer, rows)?;
        ensure(back == expected(vec![0; SIZE], &across, &rows), || format!("from the device: {rows:?}"))?;
    }
    Ok(())
}

pub(super) fn advice(device: &dyn Device) -> Check {
    const SIZE: usize = 1 << 20;
    let queue = device.create_queue().map_err(text)?;
    for kind in [MemoryKind::Shared, MemoryKind::Device, MemoryKind::Host] {
        let pointer = match device.memory().allocate(kind, SIZE, 64) {
            Err(DriverError::Unsupported { .. }) => continue,
            allocated => allocated.map_err(text)?,
        };
        for advice in [Advice::ReadMostly, Advice::PreferDevice, Advice::PreferHost, Advice::Default] {
            // SAFETY: the range was allocated and outlives the waits below.
            let advised = unsafe { queue.advise(pointer, SIZE, advice) }.map_err(text)?;
            ensure(advised == queue.last(), || format!("{advised:?} is not the last"))?;
        }
        for to_host in [false, true, false] {
            // SAFETY: as above.
            unsafe { queue.fill(pointer, b"ab", SIZE / 2) }.map_err(text)?;
            // SAFETY: as above.
            let moved = unsafe { queue.prefetch(pointer, SIZE, to_host) }.map_err(text)?;
            queue.wait(moved).map_err(text)?;
        }
        let mut bytes = vec![0u8; SIZE];
        // SAFETY: both ranges hold SIZE bytes and outlive the wait.
        let read = unsafe { queue.copy(bytes.as_mut_ptr().cast(), pointer, SIZE) }.map_err(text)?;
        queue.wait(read).map_err(text)?;
        ensure(bytes.chunks(2).all(|pair| pair == b"ab"), || format!("{kind:?} memory changed"))?;
        // SAFETY: every command was waited for.
        unsafe { device.memory().free(pointer) }.map_err(text)?;
    }
    Ok(())
}

pub(super) fn registered(device: &dyn Device) -> Check {
    const SIZE: usize = 100_000;
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, SIZE)?;
    let mut bytes: Vec<u8> = (0..SIZE).map(|i| (i % 251) as u8).collect();
    let wanted: Vec<u8> = bytes.iter().rev().copied().collect();
    for _ in 0..2 {
        let Some(registered) = Registered::new(device, &mut bytes)? else { return Ok(()) };
        // SAFETY: both ranges hold SIZE bytes and outlive the waits below.
        unsafe { queue.copy(buffer.pointer, registered.pointer, SIZE) }.map_err(text)?;
        ensure(buffer.read(&*queue)? == registered.bytes(), || "a copy to the device".into())?;
        buffer.write(&*queue, &wanted)?;
        // SAFETY: as above.
        let back = unsafe { queue.copy(registered.pointer, buffer.pointer, SIZE) }.map_err(text)?;
        queue.wait(back).map_err(text)?;
        ensure(registered.bytes() == wanted, || "a copy from the device".into())?;
        registered.end()?;
    }
    Ok(())
}
