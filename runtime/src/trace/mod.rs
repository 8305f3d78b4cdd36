//! Records what the process does as a trace for Perfetto and for Chrome's viewer.
//!
//! In: spans of threads and commands of queues. Out: the file of `SINTER_TRACE`, in the format
//! "Trace Event Format" of the Chromium project: an array of complete events, whose last bracket
//! may be missing. *Invariant:* without a trace a span is one load of a flag, and a launch has
//! none: only the devices of a process with a trace are wrapped (`device.rs`). Writing a trace
//! never fails a program.

mod device;
mod event;
mod file;
mod record;
pub(crate) mod totals;

pub(crate) use device::traced;
pub(crate) use record::{Span, finish, span, start, totals};
