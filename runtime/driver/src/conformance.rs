//! Conformance suite for drivers.
//!
//! In: a device, and a [`Sample`] if it can run code. Out: one [`Outcome`] per check, so that a
//! test lists all failures at once. *Invariant:* the suite accesses the device only through the
//! traits, and device memory only through copies. Without a sample, checks that need one are
//! skipped, never passed.

mod kernels;
mod memory;
mod tools;

pub use tools::Sample;

use crate::{Device, DriverError, Mark, MemoryKind, PROFILED_TICKETS, Queue, Ticket};
use std::{any::Any, ffi::c_void, fmt, sync::Arc, thread};
use tools::{Buffer, Check, check_times, ensure, profile, text};

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The behaviour is as documented.
    Passed,
    /// The behaviour differs; the string describes it.
    Failed(String),
    /// The check was not run; the string says why.
    Skipped(&'static str),
}

/// A check with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Name of the check, for messages.
    pub name: &'static str,
    /// Result of running it.
    pub verdict: Verdict,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Passed => write!(f, "{}: passed", self.name),
            Verdict::Failed(text) => write!(f, "{}: FAILED: {text}", self.name),
            Verdict::Skipped(text) => write!(f, "{}: skipped: {text}", self.name),
        }
    }
}

/// Messages of the failed checks.
pub fn failures(outcomes: &[Outcome]) -> Vec<String> {
    let failed = |outcome: &&Outcome| matches!(outcome.verdict, Verdict::Failed(_));
    outcomes.iter().filter(failed).map(Outcome::to_string).collect()
}

type PlainCheck = fn(&dyn Device) -> Check;
type KernelCheck = fn(&dyn Device, &Sample) -> Check;

const PLAIN_CHECKS: &[(&str, PlainCheck)] = &[
    ("allocations are aligned and found by interior pointers", allocation),
    ("freeing an unknown pointer is an error", unknown_free),
    ("an impossible size is out of memory", impossible_size),
    ("a fresh queue is complete", fresh_queue),
    ("tickets count up", tickets_count_up),
    ("a ticket not handed out is an error", future_ticket),
    ("copies and fills run in order", copies_in_order),
    ("odd patterns fill exactly their range", odd_patterns),
    ("large copies arrive whole", large_copy),
    ("rectangles arrive whole and nothing else changes", memory::rectangles),
    ("advice and moves change no data", memory::advice),
    ("copies reach registered memory", memory::registered),
    ("a dependency orders two queues", dependency),
    ("a wait for a queue is a wait for its dependencies", dependency_alone),
    ("several threads wait for one ticket", many_waiters),
    ("one queue takes commands from several threads", many_submitters),
    ("many submissions without a wait", many_submissions),
    ("times are in order", times_in_order),
    ("times are recorded only where they were asked for in time", times_on_request),
    ("records of times are bounded", times_bounded),
    ("marks are in order and belong to one device", marks_in_order),
];

const KERNEL_CHECKS: &[(&str, KernelCheck)] = &[
    ("damaged code is refused", kernels::damaged_code),
    ("a launch runs each work-item once", kernels::launch_once),
    ("launches of every size", kernels::launch_sizes),
    ("an empty launch completes", kernels::empty_launch),
    ("a zero work-group is refused", kernels::zero_group),
    ("kernels reach registered memory", kernels::registered),
    ("a kernel outlives its handle", kernels::dropped_kernel),
    ("launches on one queue run in order", kernels::launches_in_order),
    ("launches across queues follow dependencies", kernels::launches_across_queues),
    ("launches of every size have times", kernels::launch_times),
    ("ready code is not assembled again", kernels::assembled_once),
    ("chosen work-groups can be launched", kernels::chosen_groups),
];

/// Runs every check on `device`.
pub fn check(device: &dyn Device, sample: Option<&Sample>) -> Vec<Outcome> {
    let plain = PLAIN_CHECKS.iter().map(|(name, check)| Outcome { name, verdict: verdict(check(device)) });
    let kernel = KERNEL_CHECKS.iter().map(|(name, check)| Outcome {
        name,
        verdict: sample.map_or(Verdict::Skipped("no sample kernel for this device"), |s| verdict(check(device, s))),
    });
    plain.chain(kernel).collect()
}

fn verdict(result: Check) -> Verdict {
    result.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn allocation(device: &dyn Device) -> Check {
    let memory = device.memory();
    for (size, alignment) in [(1, 1), (3, 2), (64, 64), (100, 4096), (1 << 16, 64), (5 << 20, 64), (1, 1 << 21)] {
        for kind in [MemoryKind::Device, MemoryKind::Host, MemoryKind::Shared] {
            let base = match memory.allocate(kind, size, alignment) {
                Err(DriverError::Unsupported { .. }) if kind != MemoryKind::Device => continue,
                allocated => allocated.map_err(text)?,
            };
            let inside = base.wrapping_byte_add(size - 1);
            ensure((base as usize).is_multiple_of(alignment), || format!("{base:?} is not aligned to {alignment}"))?;
            for pointer in [base, inside] {
                let info = memory.query(pointer).ok_or_else(|| format!("{pointer:?} is unknown"))?;
                ensure((info.kind, info.base, info.size) == (kind, base, size), || format!("{size}: {info:?}"))?;
            }
            let beyond = memory.query(base.wrapping_byte_add(size)).map(|info| info.base);
            ensure(beyond != Some(base), || "the end counts as inside".into())?;
            // SAFETY: nothing was submitted.
            unsafe { memory.free(base) }.map_err(text)?;
            ensure(memory.query(base).is_none(), || "still known after free".into())?;
        }
    }
    Ok(())
}

fn unknown_free(device: &dyn Device) -> Check {
    let memory = device.memory();
    let base = memory.allocate(MemoryKind::Device, 256, 64).map_err(text)?;
    let mut local = 0u64;
    for pointer in [base.wrapping_byte_add(8), (&raw mut local).cast(), std::ptr::null_mut()] {
        // SAFETY: the pointers are not allocations, which `free` must detect.
        let result = unsafe { memory.free(pointer) };
        ensure(matches!(result, Err(DriverError::UnknownPointer { .. })), || format!("{pointer:?}: {result:?}"))?;
    }
    // SAFETY: nothing was submitted.
    unsafe { memory.free(base) }.map_err(text)?;
    // SAFETY: the pointer was freed, which `free` must detect.
    let twice = unsafe { memory.free(base) };
    ensure(matches!(twice, Err(DriverError::UnknownPointer { .. })), || format!("freed twice: {twice:?}"))
}

fn impossible_size(device: &dyn Device) -> Check {
    for size in [usize::MAX, usize::MAX / 2, 1 << 60] {
        let result = device.memory().allocate(MemoryKind::Device, size, 64);
        ensure(matches!(result, Err(DriverError::OutOfMemory { .. })), || format!("{size} bytes: {result:?}"))?;
    }
    Ok(())
}

fn fresh_queue(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    ensure(queue.last() == Ticket(0), || format!("{:?}", queue.last()))?;
    ensure(queue.is_complete(Ticket(0)).map_err(text)?, || "ticket 0 is not complete".into())?;
    queue.wait(Ticket(0)).map_err(text)
}

fn tickets_count_up(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, 64)?;
    for expected in 1..=100 {
        let ticket = buffer.fill(&*queue, 0, b"abcdefgh", 8)?;
        ensure(ticket == Ticket(expected) && queue.last() == ticket, || format!("{ticket:?} for {expected}"))?;
    }
    queue.wait(Ticket(100)).map_err(text)?;
    for ticket in 0..=100 {
        ensure(queue.is_complete(Ticket(ticket)).map_err(text)?, || format!("{ticket} after a wait for 100"))?;
    }
    Ok(())
}

fn future_ticket(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let result = queue.wait(Ticket(1));
    ensure(matches!(result, Err(DriverError::UnknownTicket { .. })), || format!("{result:?}"))?;
    ensure(!queue.is_complete(Ticket(1)).map_err(text)?, || "it counts as complete".into())
}

fn copies_in_order(device: &dyn Device) -> Check {
    const SIZE: usize = 1 << 20;
    let queue = device.create_queue().map_err(text)?;
    let (a, b) = (Buffer::new(device, SIZE)?, Buffer::new(device, SIZE)?);
    for round in 0..20u8 {
        a.fill(&*queue, 0, &[round], SIZE)?;
        // SAFETY: both buffers hold SIZE bytes and outlive the wait below.
        unsafe { queue.copy(b.pointer, a.pointer, SIZE) }.map_err(text)?;
    }
    a.fill(&*queue, 0, &[255], SIZE)?;
    let bytes = b.read(&*queue)?;
    queue.wait(queue.last()).map_err(text)?;
    ensure(bytes.iter().all(|&byte| byte == 19), || "a later fill overtook a copy".into())
}

fn odd_patterns(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    for length in [1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 64, 128] {
        for count in [0, 1, 2, 3, 1000, 70_001] {
            let pattern: Vec<u8> = (1..=length as u8).collect();
            let buffer = Buffer::new(device, 1 + length * count + 1)?;
            buffer.write(&*queue, &vec![0xee; buffer.size])?;
            buffer.fill(&*queue, 1, &pattern, count)?;
            let bytes = buffer.read(&*queue)?;
            let edges = bytes.first() == Some(&0xee) && bytes.last() == Some(&0xee);
            let filled = bytes[1..=length * count].chunks(length).all(|chunk| chunk == pattern);
            ensure(edges && filled, || format!("{count} patterns of {length} bytes"))?;
        }
    }
    Ok(())
}

fn large_copy(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    for size in [(4 << 20) + 3, 17 << 20] {
        let bytes: Vec<u8> = (0..size).map(|i: usize| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
        let buffer = Buffer::new(device, size)?;
        buffer.write(&*queue, &bytes)?;
        ensure(buffer.read(&*queue)? == bytes, || format!("{size} bytes"))?;
    }
    Ok(())
}

fn dependency(device: &dyn Device) -> Check {
    const SIZE: usize = 4 << 20;
    let (a, b) = (device.create_queue().map_err(text)?, device.create_queue().map_err(text)?);
    let (from, to) = (Buffer::new(device, SIZE)?, Buffer::new(device, SIZE)?);
    for round in 0..20u8 {
        let written = from.fill(&*a, 0, &[round], SIZE)?;
        b.depend(&a, written).map_err(text)?;
        // SAFETY: both buffers hold SIZE bytes and outlive the waits below.
        let copied = unsafe { b.copy(to.pointer, from.pointer, SIZE) }.map_err(text)?;
        a.depend(&b, copied).map_err(text)?;
    }
    let overwritten = from.fill(&*a, 0, &[255], SIZE)?;
    let bytes = to.read(&*b)?;
    a.wait(overwritten).map_err(text)?;
    ensure(bytes.iter().all(|&byte| byte == 19), || "a command did not wait for its dependency".into())
}

fn dependency_alone(device: &dyn Device) -> Check {
    const SIZE: usize = 16 << 20;
    let (a, buffer) = (device.create_queue().map_err(text)?, Buffer::new(device, SIZE)?);
    for round in 0..5u8 {
        let b = device.create_queue().map_err(text)?;
        let written = buffer.fill(&*a, 0, &[round], SIZE)?;
        b.depend(&a, written).map_err(text)?;
        b.wait(b.last()).map_err(text)?;
        let complete = a.is_complete(written).map_err(text)?;
        a.wait(written).map_err(text)?;
        ensure(complete, || format!("round {round}: the dependency was not complete"))?;
    }
    Ok(())
}

fn many_waiters(device: &dyn Device) -> Check {
    const SIZE: usize = 1 << 20;
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, SIZE)?;
    for _ in 0..20 {
        buffer.fill(&*queue, 0, b"xyz", SIZE / 3)?;
        buffer.fill(&*queue, 0, b"x", 8)?;
        let waited = thread::scope(|scope| {
            let waiters: Vec<_> = (0..4).map(|_| scope.spawn(|| queue.wait(queue.last()))).collect();
            waiters.into_iter().all(|waiter| matches!(waiter.join(), Ok(Ok(()))))
        });
        ensure(waited && queue.is_complete(queue.last()).map_err(text)?, || "a wait returned early".into())?;
    }
    Ok(())
}

fn many_submitters(device: &dyn Device) -> Check {
    const THREADS: u64 = 4;
    const EACH: u64 = 2000;
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, 8)?;
    let target = buffer.pointer as usize;
    let submit = || {
        // SAFETY: the buffer outlives the wait below.
        (0..EACH).all(|_| unsafe { queue.fill(target as *mut c_void, b"12345678", 1) }.is_ok())
    };
    let submitted = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(submit)).collect();
        threads.into_iter().all(|thread| matches!(thread.join(), Ok(true)))
    });
    queue.wait(queue.last()).map_err(text)?;
    ensure(submitted && queue.last() == Ticket(THREADS * EACH), || format!("{:?}", queue.last()))
}

fn many_submissions(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let (large, small) = (Buffer::new(device, 8 << 20)?, Buffer::new(device, 8)?);
    // The large fills keep the queue busy, so that the small ones after them cannot complete at
    // once.
    for _ in 0..5 {
        large.fill(&*queue, 0, b"a", 8 << 20)?;
        for round in 0..10_000u64 {
            small.fill(&*queue, 0, &round.to_ne_bytes(), 1)?;
        }
    }
    queue.wait(queue.last()).map_err(text)?;
    let words = small.words(&*queue)?;
    ensure(words == [9999u64.to_le()], || format!("{words:?}"))
}

fn times_in_order(device: &dyn Device) -> Check {
    const SIZE: usize = 4 << 20;
    let (queue, other) = (device.create_queue().map_err(text)?, device.create_queue().map_err(text)?);
    queue.enable_profiling().map_err(text)?;
    let (from, to) = (Buffer::new(device, SIZE)?, Buffer::new(device, SIZE)?);
    for size in [8, SIZE, 64, SIZE] {
        from.fill(&*queue, 0, b"abcdefgh", size / 8)?;
        // SAFETY: both buffers hold SIZE bytes and outlive the waits below.
        unsafe { queue.copy(to.pointer, from.pointer, size) }.map_err(text)?;
        let theirs = to.fill(&*other, 0, b"x", SIZE)?;
        queue.depend(&other, theirs).map_err(text)?;
    }
    let checked = check_times(&*queue, queue.last().0);
    other.wait(other.last()).map_err(text)?;
    checked
}

fn times_on_request(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    let buffer = Buffer::new(device, 64)?;
    let ticket = buffer.fill(&*queue, 0, b"a", 64)?;
    let late = queue.enable_profiling();
    queue.wait(ticket).map_err(text)?;
    ensure(matches!(late, Err(DriverError::LateProfiling { .. })), || format!("after a command: {late:?}"))?;
    let times = queue.profile(ticket).map_err(text)?;
    ensure(times.is_none(), || format!("times without a request: {times:?}"))?;
    let queue = device.create_queue().map_err(text)?;
    queue.enable_profiling().map_err(text)?;
    let times = queue.profile(Ticket(0)).map_err(text)?;
    ensure(times.is_none(), || format!("ticket 0 has times: {times:?}"))?;
    let unknown = queue.profile(Ticket(1));
    ensure(matches!(unknown, Err(DriverError::UnknownTicket { .. })), || format!("{unknown:?}"))?;
    let ticket = buffer.fill(&*queue, 0, b"a", 64)?;
    queue.enable_profiling().map_err(text)?;
    profile(&*queue, ticket).map(drop)
}

/// A mark of no device.
struct Elsewhere;

impl Mark for Elsewhere {
    fn until(&self, _: &dyn Mark) -> Result<Option<f64>, DriverError> {
        Ok(None)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

fn marks_in_order(device: &dyn Device) -> Check {
    const SIZE: usize = 4 << 20;
    let (queue, other) = (device.create_queue().map_err(text)?, device.create_queue().map_err(text)?);
    let mark = |queue: &Arc<dyn Queue>| queue.mark().map_err(text);
    let Some(first) = mark(&queue)? else {
        return ensure(!queue.has_marks(), || "a queue with marks returns none".to_owned());
    };
    let buffer = Buffer::new(device, SIZE)?;
    let ticket = buffer.fill(&*queue, 0, b"abcdefgh", SIZE / 8)?;
    let (Some(second), Some(beside)) = (mark(&queue)?, mark(&other)?) else {
        return Err("a queue had a mark and has none".to_owned());
    };
    let times = [(&first, &second), (&second, &first), (&first, &beside)].map(|(from, to)| from.until(to.as_ref()));
    queue.wait(ticket).map_err(text)?;
    let [Ok(Some(forth)), Ok(Some(back)), Ok(Some(_))] = times else { return Err(format!("{times:?}")) };
    ensure(forth >= 0.0 && forth == -back, || format!("{forth} there and {back} back"))?;
    let foreign = first.until(&Elsewhere);
    ensure(matches!(foreign, Ok(None)), || format!("{foreign:?} to a mark of no device"))
}

fn times_bounded(device: &dyn Device) -> Check {
    let queue = device.create_queue().map_err(text)?;
    queue.enable_profiling().map_err(text)?;
    let buffer = Buffer::new(device, 8)?;
    for _ in 0..PROFILED_TICKETS + 10 {
        buffer.fill(&*queue, 0, b"12345678", 1)?;
    }
    queue.wait(queue.last()).map_err(text)?;
    for (ticket, kept) in [(10, false), (11, true), (PROFILED_TICKETS + 10, true)] {
        let times = queue.profile(Ticket(ticket)).map_err(text)?;
        ensure(times.is_some() == kept, || format!("ticket {ticket}: {times:?}"))?;
    }
    Ok(())
}
