//! Shows log events on standard error when the runtime is used through its C interface.
//!
//! *Invariant:* a Rust program that links the runtime keeps its own subscriber; only the C interface installs one. A line that
//! cannot be written is lost and nothing else.
#![forbid(unsafe_code)]

use crate::settings::DebugLevel;
use std::io::{self, Write};
use tracing_subscriber::filter::LevelFilter;

/// Standard error, which may be a file at its limit or a pipe that nobody reads.
struct QuietStderr;

impl Write for QuietStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not to be told of, since telling would be written here as well.
        let _ = sinter_signals::quiet(|| io::stderr().write_all(bytes));
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

/// Installs the subscriber, unless the process has one.
pub fn install(level: DebugLevel) {
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(filter(level))
        .with_writer(|| QuietStderr)
        .with_ansi(false)
        .without_time()
        .finish();
    // An error means that someone else's subscriber is in place, which then receives our events.
    let _ = tracing::subscriber::set_global_default(subscriber);
}
