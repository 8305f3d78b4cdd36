//! The one recorder of a process.
//!
//! In: spans of the calling thread, and commands of queues with their times. Out: events in the
//! file, ranges for a tool, and sums of times, each if it was started. *Invariant:* if nothing was,
//! nothing but a flag is read.
#![forbid(unsafe_code)]

use super::{
    event::{self, Event},
    file::TraceFile,
    ranges::{self, Range},
    totals::Totals,
};
use crate::system;
use std::{
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
};

/// The sinks that are in use.
static SINKS: AtomicU8 = AtomicU8::new(0);
/// The file of the trace.
const FILE: u8 = 1;
/// Ranges for a tool.
const RANGES: u8 = 2;
/// Sums of times.
const TOTALS: u8 = 4;

static TRACE: OnceLock<TraceFile> = OnceLock::new();
static SUMS: OnceLock<Totals> = OnceLock::new();
/// Number of the next queue.
static QUEUES: AtomicU64 = AtomicU64::new(1);

fn has(sinks: u8) -> bool {
    SINKS.load(Ordering::Acquire) & sinks != 0
}

/// Starts the trace of this process, with sums of times. The first call counts.
pub(crate) fn start(path: &Path) {
    TRACE.get_or_init(|| TraceFile::create(path));
    SINKS.fetch_or(FILE, Ordering::Release);
    start_totals();
}

/// Starts the sums of the times of kernels.
pub(crate) fn start_totals() {
    SUMS.get_or_init(Totals::default);
    SINKS.fetch_or(TOTALS, Ordering::Release);
}

/// Loads the tool that takes ranges.
pub(crate) fn start_ranges(tool: &Path) {
    if ranges::start(tool) {
        SINKS.fetch_or(RANGES, Ordering::Release);
    }
}

/// True if commands of queues are recorded.
pub(crate) fn records() -> bool {
    has(FILE | RANGES | TOTALS)
}

/// True if transfers and the times of all commands are recorded.
pub(super) fn has_device_times() -> bool {
    has(FILE)
}

/// True if the times of kernels are summed up.
pub(super) fn has_totals() -> bool {
    has(TOTALS)
}

/// True if spans of threads are recorded.
pub(super) fn has_spans() -> bool {
    has(FILE | RANGES)
}

/// The trace, if there is one.
fn trace() -> Option<&'static TraceFile> {
    if has(FILE) { TRACE.get() } else { None }
}

/// Completes the file. Further events may follow.
pub(crate) fn finish() {
    if let Some(trace) = trace() {
        trace.finish();
    }
}

/// Times of the kernels that have run, if they were recorded.
pub(crate) fn totals() -> Option<&'static Totals> {
    if has(TOTALS) { SUMS.get() } else { None }
}

/// A piece of work of the calling thread, recorded when this is dropped.
pub(crate) struct Span {
    event: Option<Event>,
    _range: Option<Range>,
}

impl Drop for Span {
    fn drop(&mut self) {
        if let (Some(event), Some(trace)) = (self.event.take(), trace()) {
            trace.write(&Event { end: system::monotonic(), ..event });
        }
    }
}

/// Begins a span. `arguments` are shown with it.
pub(crate) fn span<const N: usize>(
    name: &'static str,
    arguments: impl FnOnce() -> [(&'static str, String); N],
) -> Span {
    if !has_spans() {
        return Span { event: None, _range: None };
    }
    let arguments: Vec<_> = arguments().into();
    let range = if has(RANGES) { Range::begin(name, message(name, &arguments)) } else { None };
    let now = system::monotonic();
    let track = u64::from(system::thread_number());
    let event = Event { name: name.to_owned(), category: "host", track, start: now, end: now, arguments };
    Span { event: has(FILE).then_some(event), _range: range }
}

/// The message of a range: the command, or the phase with what it is about.
fn message(name: &str, arguments: &[(&'static str, String)]) -> String {
    match arguments {
        [("command", command), ..] => command.clone(),
        [("kernel", kernel), ("tier", tier)] => format!("{name} {kernel} ({tier})"),
        [("kernel" | "for", what), ..] => format!("{name} {what}"),
        _ => name.to_owned(),
    }
}

/// A queue in the trace.
pub(super) struct Track {
    pub(super) number: u64,
    device: Arc<str>,
}

impl Track {
    /// A track of its own for a queue.
    pub(super) fn new(device: &str) -> Self {
        let own = QUEUES.fetch_add(1, Ordering::Relaxed);
        let track = Track { number: event::track_of_queue(own), device: Arc::from(device) };
        if let Some(trace) = trace() {
            trace.name_track(track.number, &format!("queue {own} of {device}"));
        }
        track
    }

    /// Records a command with its times on the device.
    pub(super) fn command(&self, name: &Arc<str>, category: &'static str, start: u64, end: u64) {
        if let Some(totals) = totals().filter(|_| category == KERNEL) {
            totals.add(name, &self.device, end.saturating_sub(start));
        }
        let Some(trace) = trace() else { return };
        let (name, track) = (String::from(&**name), self.number);
        trace.write(&Event { name, category, track, start, end, arguments: Vec::new() });
    }
}

/// Category of kernels.
pub(super) const KERNEL: &str = "kernel";
/// Category of copies, fills and prefetches.
pub(super) const TRANSFER: &str = "transfer";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_kernel() {
        let pair = |name, value: &str| (name, value.to_owned());
        assert_eq!(message("launch", &[pair("command", "triad"), pair("queue", "3")]), "triad");
        assert_eq!(message("translate", &[pair("kernel", "triad"), pair("tier", "full")]), "translate triad (full)");
        assert_eq!(message("load", &[pair("kernel", "triad")]), "load triad");
        assert_eq!(message("background", &[pair("for", "kernels in use")]), "background kernels in use");
        assert_eq!(message("wait", &[pair("queue", "3")]), "wait");
    }
}
