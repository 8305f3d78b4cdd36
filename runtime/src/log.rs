//! Prints log events on standard error when the runtime is used through its C interface.
//!
//! *Invariant:* a Rust program that links the runtime keeps its own subscriber; only the C
//! interface installs one. A line that cannot be written is lost without further effect.
#![forbid(unsafe_code)]

use crate::settings::DebugLevel;
use std::io::{self, Write};
use tracing_subscriber::filter::LevelFilter;

/// Standard error, which may be a file at its size limit or a pipe without a reader.
struct QuietStderr;

impl Write for QuietStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A failure is ignored, because its report would be written here as well.
        let _ = sinter_signals::with_signals_blocked(|| io::stderr().write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn filter(level: DebugLevel) -> LevelFilter {
    match level {
        DebugLevel::Off => LevelFilter::OFF,
        DebugLevel::Error => LevelFilter::ERROR,
        DebugLevel::Warn => LevelFilter::WARN,
        DebugLevel::Info => LevelFilter::INFO,
        DebugLevel::Debug => LevelFilter::DEBUG,
        DebugLevel::Trace => LevelFilter::TRACE,
    }
}

/// Installs the subscriber, unless the process already has one.
pub fn install(level: DebugLevel) {
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(filter(level))
        .with_writer(|| QuietStderr)
        .with_ansi(false)
        .without_time()
        .finish();
    // An error means that another subscriber is installed, which then receives these events.
    let _ = tracing::subscriber::set_global_default(subscriber);
}
