//! Names of functions for `perf`.
//!
//! In: the functions of published objects. Out: a line for each in `/tmp/perf-PID.map`, where `perf report` looks for code
//! that belongs to no file (`tools/perf/Documentation/jit-interface.txt` of Linux). *Invariant:* a file that cannot be
//! written costs nothing but the names.

use super::object::Function;
use std::{
    fmt::Write as _,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    sync::{Mutex, PoisonError},
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

    fn append(&self, lines: &str) -> io::Result<()> {
        let process = std::process::id();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.as_ref().is_none_or(|(owner, _)| *owner != process) {
            *file = Some((process, open(process)?));
        }
        file.as_mut().map_or(Ok(()), |(_, file)| file.write_all(lines.as_bytes()))
    }
}

/// Opens the map to append to it: another compiler in this process may write to it too. One that a process of the same
/// number left behind is replaced. Nothing that another user laid there is written to or waited for.
fn open(process: u32) -> io::Result<File> {
    let path = format!("/tmp/perf-{process}.map");
    let mut options = OpenOptions::new();
    options.append(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    match options.open(&path) {
        Ok(file) if is_of_this_process(&file.metadata()?) => Ok(file),
        Ok(_) => {
            fs::remove_file(&path)?;
            options.create_new(true).open(&path)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => options.create_new(true).open(&path),
        Err(error) => Err(error),
    }
}

/// Whether a map is a file of this user's that is not older than this process.
fn is_of_this_process(map: &Metadata) -> bool {
    // SAFETY: `geteuid` always succeeds.
    let is_ours = map.is_file() && map.nlink() == 1 && map.uid() == unsafe { libc::geteuid() };
    // The folder of a process is as old as the process.
    let start = fs::metadata("/proc/self").and_then(|process| process.modified());
    is_ours && map.modified().ok().zip(start.ok()).is_some_and(|(written, start)| written >= start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;

    #[test]
    fn a_map_is_continued_and_what_others_laid_there_is_replaced() {
        let process = u32::MAX - std::process::id();
        let path = format!("/tmp/perf-{process}.map");
        let name = CString::new(path.as_str()).expect("a path");
        // SAFETY: a path that ends with zero.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o666) }, 0);
        // Without a reader a pipe cannot be opened for writing, and nobody waits for one.
        assert!(open(process).is_err());
        fs::remove_file(&path).expect("remove");
        open(process).expect("a new file").write_all(b"one\n").expect("write");
        open(process).expect("the same file").write_all(b"two\n").expect("write");
        assert_eq!(fs::read_to_string(&path).expect("read"), "one\ntwo\n");
        let other = format!("{path}.link");
        fs::hard_link(&path, &other).expect("link");
        open(process).expect("another file").write_all(b"three\n").expect("write");
        let texts = [&path, &other].map(|path| fs::read_to_string(path).expect("read"));
        [&path, &other].into_iter().for_each(|path| fs::remove_file(path).expect("remove"));
        assert_eq!(texts, ["three\n", "one\ntwo\n"]);
    }
}
