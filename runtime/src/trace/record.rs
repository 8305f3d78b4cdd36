//! The one trace of a process.
//!
//! In: spans of the calling thread, and commands of queues with their times. Out: events in the
//! file, and sums of times. *Invariant:* without a trace nothing but a flag is read.
#![forbid(unsafe_code)]

use super::{
    event::{self, Event},
    file::TraceFile,
    totals::Totals,
};
use crate::system;
use std::{
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

static IS_ON: AtomicBool = AtomicBool::new(false);
static TRACE: OnceLock<Trace> = OnceLock::new();
/// Number of the next queue.
static QUEUES: AtomicU64 = AtomicU64::new(1);

/// The trace of a process.
struct Trace {
    file: TraceFile,
    totals: Totals,
}

/// Starts the trace of this process. The first call counts.
pub(crate) fn start(path: &Path) {
    TRACE.get_or_init(|| Trace { file: TraceFile::create(path), totals: Totals::default() });
    IS_ON.store(true, Ordering::Release);
}

/// The trace, if there is one.
fn trace() -> Option<&'static Trace> {
    if IS_ON.load(Ordering::Acquire) { TRACE.get() } else { None }
}

/// Completes the file. Further events may follow.
pub(crate) fn finish() {
    if let Some(trace) = trace() {
        trace.file.finish();
    }
}

/// Times of the kernels that have run, if they were traced.
pub(crate) fn totals() -> Option<&'static Totals> {
    trace().map(|trace| &trace.totals)
}

/// A piece of work of the calling thread, recorded when this is dropped.
pub(crate) struct Span(Option<Event>);

impl Drop for Span {
    fn drop(&mut self) {
        if let (Some(event), Some(trace)) = (self.0.take(), trace()) {
            trace.file.write(&Event { end: system::monotonic(), ..event });
        }
    }
}

/// Begins a span. `arguments` are shown with it.
pub(crate) fn span<const N: usize>(
    name: &'static str,
    arguments: impl FnOnce() -> [(&'static str, String); N],
) -> Span {
    if !IS_ON.load(Ordering::Acquire) {
        return Span(None);
    }
    let now = system::monotonic();
    Span(Some(Event {
        name: name.to_owned(),
        category: "host",
        track: u64::from(system::thread_number()),
        start: now,
        end: now,
        arguments: arguments().into(),
    }))
}

/// A queue in the trace.
pub(super) struct Track {
    pub(super) number: u64,
    device: String,
}

impl Track {
    /// A track of its own for a queue.
    pub(super) fn new(device: &str) -> Self {
        let own = QUEUES.fetch_add(1, Ordering::Relaxed);
        let track = Track { number: event::track_of_queue(own), device: device.to_owned() };
        if let Some(trace) = trace() {
            trace.file.name_track(track.number, &format!("queue {own} of {device}"));
        }
        track
    }

    /// Records a command with its times on the device.
    pub(super) fn command(&self, name: &str, category: &'static str, start: u64, end: u64) {
        let Some(trace) = trace() else { return };
        if category == KERNEL {
            trace.totals.add(name, &self.device, end.saturating_sub(start));
        }
        let (name, track) = (name.to_owned(), self.number);
        trace.file.write(&Event { name, category, track, start, end, arguments: Vec::new() });
    }
}

/// Category of kernels.
pub(super) const KERNEL: &str = "kernel";
/// Category of copies, fills and prefetches.
pub(super) const TRANSFER: &str = "transfer";
