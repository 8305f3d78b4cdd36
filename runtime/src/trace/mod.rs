//! Records what the process does, for viewers of traces, for tools that speak NVTX, and for the
//! report.
//!
//! In: spans of threads and commands of queues. Out: the file of `SINTER_TRACE`, in the format
//! "Trace Event Format" of the Chromium project: an array of complete events, whose last bracket
//! may be missing; ranges of threads for the tool of `NVTX_INJECTION64_PATH`; sums of the times of
//! kernels. *Invariant:* without any of them a span is one load of a flag, and a launch has none:
//! only the devices of a process that records something are wrapped (`device.rs`). Recording never
//! fails a program.

mod device;
mod event;
mod file;
mod names;
mod ranges;
mod record;
pub(crate) mod totals;

pub(crate) use device::traced;
pub(crate) use record::{Span, finish, records, span, start, start_ranges, start_totals, totals};
