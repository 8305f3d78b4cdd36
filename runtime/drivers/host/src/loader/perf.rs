//! Names of functions for `perf`.
//!
//! In: the functions of published objects. Out: a line for each in `/tmp/perf-PID.map`, where `perf report` looks for code
//! that belongs to no file (`tools/perf/Documentation/jit-interface.txt` of Linux). *Invariant:* a file that cannot be
//! written costs nothing but the names.

use super::object::Function;
use std::{
    fmt::Write as _,
    fs::{File, OpenOptions},
    io::Write as _,
    os::unix::fs::OpenOptionsExt,
    sync::Mutex,
    sync::PoisonError,
};

/// The file that `perf` reads for this process.
#[derive(Debug)]
pub struct PerfMap {
    readable: fn(&str) -> String,
    /// The process whose file it is: a child of `fork` has one of its own.
    file: Mutex<Option<(u32, File)>>,
}

impl PerfMap {
    /// A map whose names are made by `readable`.
    pub fn new(readable: fn(&str) -> String) -> Self {
        PerfMap { readable, file: Mutex::new(None) }
    }

    /// Adds functions.
    pub(super) fn add(&self, functions: &[Function<'_>]) {
        let mut lines = String::new();
        for Function { name, address, size } in functions {
            let _ = writeln!(lines, "{address:x} {size:x} {}", (self.readable)(name));
        }
        if let Err(error) = self.append(&lines) {
            tracing::warn!(%error, "the names of kernels cannot be written for perf");
        }
    }

    fn append(&self, lines: &str) -> std::io::Result<()> {
        let process = std::process::id();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.as_ref().is_none_or(|(owner, _)| *owner != process) {
            *file = Some((process, open(process)?));
        }
        file.as_mut().map_or(Ok(()), |(_, file)| file.write_all(lines.as_bytes()))
    }
}

/// A file that starts empty. No link that lies in wait under its name is followed.
fn open(process: u32) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
    options.open(format!("/tmp/perf-{process}.map"))
}
