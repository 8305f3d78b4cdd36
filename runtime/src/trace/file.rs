//! Writes events to a file.
//!
//! In: events. Out: a JSON array. *Invariant:* the file holds whole events at any time, so that a
//! process that is killed leaves an array without its last bracket. A forked child writes nothing,
//! because the file is its parent's.
#![forbid(unsafe_code)]

use super::event::{self, Event};
use crate::forks::{self, ForkSafe};
use std::{
    fs::File,
    io::{Seek, SeekFrom, Write},
    path::Path,
    process,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Bytes, and time, after which events are written.
const ROOM: usize = 32 << 10;
const PERIOD: Duration = Duration::from_millis(100);
/// End of the array.
const END: &[u8] = b"\n]\n";

struct State {
    /// `None` if it cannot be written.
    file: Option<File>,
    /// Whole events that are not written yet.
    waiting: Vec<u8>,
    written: Instant,
    is_finished: bool,
}

/// The file of a trace.
pub(super) struct TraceFile {
    process: u32,
    /// The process that it belongs to.
    generation: u64,
    state: ForkSafe<Mutex<State>>,
}

impl State {
    /// Appends what is waiting. A failure ends the trace, because the file may end within an event.
    fn flush(&mut self) {
        let Some(file) = &mut self.file else { return };
        if self.is_finished {
            self.is_finished = false;
            // Takes the bracket away again.
            if file.seek(SeekFrom::End(-(END.len() as i64))).is_err() {
                self.file = None;
                return;
            }
        }
        let result = sinter_signals::with_signals_blocked(|| file.write_all(&self.waiting));
        self.waiting.clear();
        self.written = Instant::now();
        if let Err(error) = result {
            tracing::warn!("the trace ends here: {error}");
            self.file = None;
        }
    }

    fn add(&mut self, event: &str) {
        self.waiting.extend(b",\n");
        self.waiting.extend(event.as_bytes());
        if self.waiting.len() >= ROOM || self.written.elapsed() >= PERIOD {
            self.flush();
        }
    }
}

impl TraceFile {
    /// Creates or replaces the file.
    pub(super) fn create(path: &Path) -> Self {
        let file = File::create(path);
        let warn = |error: &_| tracing::warn!("no trace is written to {}: {error}", path.display());
        let file = file.inspect_err(warn).ok();
        let process = process::id();
        let program =
            std::env::current_exe().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let first = event::naming("process_name", &program.unwrap_or_default(), process, 0);
        let waiting = [b"[\n", first.as_bytes()].concat();
        let mut state = State { file, waiting, written: Instant::now(), is_finished: false };
        state.flush();
        TraceFile { process, generation: forks::generation(), state: ForkSafe::new(Mutex::new(state)) }
    }

    fn with(&self, work: impl FnOnce(&mut State)) {
        if self.generation == forks::generation() {
            self.state.with(|state| work(&mut state.lock().unwrap_or_else(PoisonError::into_inner)));
        }
    }

    /// Adds an event.
    pub(super) fn write(&self, event: &Event) {
        let event = event.to_json(self.process);
        self.with(|state| state.add(&event));
    }

    /// Names a track.
    pub(super) fn name_track(&self, track: u64, name: &str) {
        let event = event::naming("thread_name", name, self.process, track);
        self.with(|state| state.add(&event));
    }

    /// Writes all events and the end of the array, which later events take away again.
    pub(super) fn finish(&self) {
        self.with(|state| {
            state.flush();
            if let Some(file) = state.file.as_mut().filter(|_| !state.is_finished) {
                let done = sinter_signals::with_signals_blocked(|| file.write_all(END));
                state.is_finished = done.is_ok();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn event(name: &str) -> Event {
        Event { name: name.to_owned(), category: "host", track: 1, start: 1, end: 2, arguments: Vec::new() }
    }

    #[test]
    fn an_array_is_complete_whenever_it_is_finished() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("trace.json");
        let trace = TraceFile::create(&path);
        let text = || fs::read_to_string(&path).expect("text");
        assert!(text().starts_with("[\n{") && text().ends_with('}'), "whole events before the end");
        for round in 1..=2 {
            trace.write(&event("one"));
            trace.finish();
            trace.finish();
            assert!(text().ends_with("}\n]\n") && text().matches(']').count() == 1, "{}", text());
            assert_eq!(text().matches("\"one\"").count(), round);
            assert_eq!(text().matches("},\n{").count(), round, "separated by commas");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_no_failure() {
        let trace = TraceFile::create(Path::new("/proc/no-such-folder/trace.json"));
        trace.write(&event("one"));
        trace.finish();
    }
}
