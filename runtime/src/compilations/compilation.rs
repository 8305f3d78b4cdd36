//! An attempt to make code of a kernel ready, as the program is told of it.
#![forbid(unsafe_code)]

use crate::statistics::{Made, Reason, Source};
use sinter_core::names::readable;
use std::{fmt, time::Duration};

/// Kernels that the message of an error names.
const NAMED: usize = 8;

/// Outcome of an attempt.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The code is loaded.
    Ready(Made),
    /// There is no code; the message of the error. The launch fails, or goes on with other code.
    Failed(String),
    /// The attempt goes on. Only the end of a region tells of such.
    UnderWay,
}

/// An attempt to make code of a kernel ready.
#[derive(Debug, Clone)]
pub struct Compilation {
    /// Symbol of the kernel.
    pub symbol: String,
    /// Name of the device.
    pub device: String,
    /// Index of the device.
    pub device_index: u32,
    /// Launches that the code is for, in the words of the report.
    pub variant: String,
    /// Use of the code.
    pub reason: Reason,
    /// Outcome.
    pub outcome: Outcome,
    /// Time from the begin of the attempt, with waits for other threads and processes.
    pub duration: Duration,
}

impl Compilation {
    /// Readable name of the kernel.
    pub fn kernel(&self) -> String {
        readable(&self.symbol)
    }

    /// True if a compiler or the loader of a driver worked, or still does.
    pub(super) fn has_work(&self) -> bool {
        !matches!(&self.outcome, Outcome::Ready(made) if made.source == Source::Memory && made.assemble.is_zero())
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1e3)
}

impl fmt::Display for Compilation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kernel, time) = (self.kernel(), milliseconds(self.duration));
        write!(f, "`{kernel}` (")?;
        match &self.outcome {
            Outcome::Ready(Made { source: Source::Translated, .. }) => write!(f, "translated in {time}")?,
            Outcome::Ready(Made { source, .. }) => write!(f, "from the {} in {time}", place(*source))?,
            Outcome::Failed(_) => write!(f, "failed after {time}")?,
            Outcome::UnderWay => write!(f, "still being compiled after {time}")?,
        }
        write!(f, ", for {})", of(self.reason))
    }
}

fn place(source: Source) -> &'static str {
    match source {
        Source::Disk => "disk cache",
        Source::System => "read-only cache",
        Source::Translated | Source::Memory => "process",
    }
}

fn of(reason: Reason) -> &'static str {
    match reason {
        Reason::Launch => "a launch",
        Reason::Upgrade => "an upgrade in the background",
        Reason::Values => "values that launches repeat",
        Reason::Ahead => "a launch that may follow",
    }
}

/// The kernels of a region, for the message of its error.
pub(crate) fn listed(compilations: &[Compilation]) -> String {
    let named: Vec<_> = compilations.iter().take(NAMED).map(ToString::to_string).collect();
    match compilations.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
