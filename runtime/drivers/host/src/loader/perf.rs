//! Reports the names of functions to `perf`.
//!
//! In: the functions of published objects. Out: a line for each in `/tmp/perf-PID.map`, in which
//! `perf report` looks up code without a file (`tools/perf/Documentation/jit-interface.txt`,
//! Linux). *Invariant:* an address has one name: when code replaces unloaded code, the lines of the
//! latter are removed, because `perf` would show the longer name. Until then they stay, for samples
//! taken earlier. If the file cannot be written, only the names are missing.

use super::object::Function;
use std::{
    collections::BTreeMap,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Seek, Write},
    os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt},
    sync::{Mutex, PoisonError},
};

/// The file that `perf` reads for this process.
#[derive(Debug)]
pub struct PerfMap {
    readable: fn(&str) -> String,
    map: Mutex<Option<Map>>,
}

impl PerfMap {
    /// A map that passes symbols through `readable`, such as a demangler.
    pub fn new(readable: fn(&str) -> String) -> Self {
        PerfMap { readable, map: Mutex::new(None) }
    }

    /// Adds functions.
    pub(super) fn add(&self, functions: &[Function<'_>]) {
        if let Err(error) = self.write(functions) {
            tracing::warn!(%error, "the names of kernels cannot be written for perf");
        }
    }

    fn write(&self, functions: &[Function<'_>]) -> io::Result<()> {
        let process = std::process::id();
        let mut map = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        if map.as_ref().is_none_or(|map| map.process != process) {
            *map = Some(Map::open(process)?);
        }
        let Some(map) = map.as_mut() else { return Ok(()) };
        functions.iter().try_for_each(|function| map.add(function, &(self.readable)(function.name)))
    }
}

/// A line of the file, keyed by the start address of its function.
#[derive(Debug)]
struct Line {
    /// End address of the function.
    end: u64,
    offset: u64,
    length: usize,
}

/// The open file and our lines in it.
#[derive(Debug)]
struct Map {
    /// Process that the file belongs to: a forked child has a file of its own.
    process: u32,
    /// Opened for appending, because another compiler in this process may write to the file too.
    end: File,
    /// Opened for writing at any offset, which appending does not allow (pwrite(2), "Bugs").
    anywhere: File,
    lines: BTreeMap<u64, Line>,
}

impl Map {
    fn open(process: u32) -> io::Result<Map> {
        let (end, anywhere) = open(process)?;
        Ok(Map { process, end, anywhere, lines: BTreeMap::new() })
    }

    fn add(&mut self, Function { address, size, .. }: &Function<'_>, name: &str) -> io::Result<()> {
        self.remove_overlapping(*address, address + size)?;
        let line = format!("{address:x} {size:x} {name}\n");
        self.end.write_all(line.as_bytes())?;
        let offset = self.end.stream_position()?.saturating_sub(line.len() as u64);
        self.lines.insert(*address, Line { end: address + size, offset, length: line.len() });
        Ok(())
    }

    /// Blanks the lines of functions between two addresses. `perf` skips empty lines.
    fn remove_overlapping(&mut self, start: u64, end: u64) -> io::Result<()> {
        let before_end = self.lines.range(..end).rev();
        let old: Vec<u64> = before_end.take_while(|(_, line)| line.end > start).map(|(address, _)| *address).collect();
        for line in old.iter().filter_map(|address| self.lines.remove(address)) {
            self.anywhere.write_all_at(&vec![b'\n'; line.length], line.offset)?;
        }
        Ok(())
    }
}

/// Opens the map twice: for appending, and for writing at any offset. Replaces a map left by an
/// earlier process with the same ID. Never writes to or waits for a file of another user.
fn open(process: u32) -> io::Result<(File, File)> {
    let path = format!("/tmp/perf-{process}.map");
    let mut options = OpenOptions::new();
    options.append(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let end = match options.open(&path) {
        Ok(file) if is_of_this_process(&file.metadata()?) => file,
        Ok(_) => {
            fs::remove_file(&path)?;
            options.create_new(true).open(&path)?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => options.create_new(true).open(&path)?,
        Err(error) => return Err(error),
    };
    let anywhere = OpenOptions::new().write(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(&path)?;
    let [one, other] = [&end, &anywhere].map(File::metadata);
    let identity = |file: Metadata| (file.dev(), file.ino());
    match identity(one?) == identity(other?) {
        true => Ok((end, anywhere)),
        false => Err(io::Error::other("the map was replaced while it was opened")),
    }
}

/// True if a map belongs to this user and is not older than this process.
fn is_of_this_process(map: &Metadata) -> bool {
    // SAFETY: `geteuid` always succeeds.
    let is_ours = map.is_file() && map.nlink() == 1 && map.uid() == unsafe { libc::geteuid() };
    // The `/proc` folder of a process is as old as the process.
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
        // SAFETY: the path is null-terminated.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o666) }, 0);
        // A pipe without a reader cannot be opened for writing, and opening does not block.
        assert!(open(process).is_err());
        fs::remove_file(&path).expect("remove");
        open(process).expect("a new file").0.write_all(b"one\n").expect("write");
        open(process).expect("the same file").0.write_all(b"two\n").expect("write");
        assert_eq!(fs::read_to_string(&path).expect("read"), "one\ntwo\n");
        let other = format!("{path}.link");
        fs::hard_link(&path, &other).expect("link");
        open(process).expect("another file").0.write_all(b"three\n").expect("write");
        let texts = [&path, &other].map(|path| fs::read_to_string(path).expect("read"));
        [&path, &other].into_iter().for_each(|path| fs::remove_file(path).expect("remove"));
        assert_eq!(texts, ["three\n", "one\ntwo\n"]);
    }

    #[test]
    fn reused_addresses_have_their_new_names() {
        let process = u32::MAX / 2 - std::process::id();
        let path = format!("/tmp/perf-{process}.map");
        let mut map = Map::open(process).expect("a map");
        let mut add = |address, size, name: &str| {
            map.add(&Function { name, address, size }, name).expect("written");
        };
        [(0x1000, 0x10, "first"), (0x1010, 0x20, "a longer second"), (0x1030, 0x10, "third")]
            .into_iter()
            .for_each(|(address, size, name)| add(address, size, name));
        // Lines of another compiler in the process stay.
        OpenOptions::new().append(true).open(&path).expect("open").write_all(b"9000 10 foreign\n").expect("write");
        add(0x1008, 0x18, "new");
        add(0x2000, 0x10, "elsewhere");
        let text = fs::read_to_string(&path).expect("read");
        fs::remove_file(&path).expect("remove");
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["1030 10 third", "9000 10 foreign", "1008 18 new", "2000 10 elsewhere"]);
    }
}
