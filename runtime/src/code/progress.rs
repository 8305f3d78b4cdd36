//! Announces compilations to the user.
//!
//! In: start and end of compilations. Out: an occasional line on standard error. *Invariant:* one
//! line covers all compilations in progress. Lines become rarer until none is in progress, however
//! many threads compile.
#![forbid(unsafe_code)]

use crate::throttle::{Concern, Throttle};
use sinter_core::names::readable;
use std::{
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Compilation time after which the user is told about it.
const SILENCE: Duration = Duration::from_secs(1);

/// A compilation in progress.
struct Work {
    number: u64,
    kernel: String,
    target: String,
    start: Instant,
}

#[derive(Default)]
struct State {
    /// Oldest first.
    work: Vec<Work>,
    next: u64,
}

/// All compilations of a process.
#[derive(Default)]
pub(crate) struct Progress {
    state: Mutex<State>,
    lines: Throttle,
}

/// A compilation in progress; dropping it ends it.
pub(crate) struct UnderWay<'a> {
    progress: &'a Progress,
    number: u64,
    _concern: Concern<'a>,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.progress.state().work.retain(|work| work.number != self.number);
    }
}

/// Message about the compilations in progress; `None` if all have just begun.
fn line(work: &[Work], now: Instant) -> Option<String> {
    let first = work.first()?;
    let elapsed = now.saturating_duration_since(first.start);
    if elapsed < SILENCE {
        return None;
    }
    let what = match work {
        [one] => readable(&one.kernel),
        several => format!("{} kernels", several.len()),
    };
    let is_same = work.iter().all(|work| work.target == first.target);
    let target = if is_same { format!(" for {}", first.target) } else { String::new() };
    Some(format!("sinter: compiling {what}{target} ({} s so far) ...\n", elapsed.as_secs()))
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the start of a compilation.
    pub(crate) fn start(&self, kernel: &str, target: String) -> UnderWay<'_> {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.work.push(Work { number, kernel: kernel.to_owned(), target, start: Instant::now() });
        UnderWay { progress: self, number, _concern: self.lines.concern() }
    }

    fn due(&self, now: Instant) -> Option<String> {
        line(&self.state().work, now).filter(|_| self.lines.allows(now))
    }

    /// Prints a message if one is due.
    pub(crate) fn show(&self) {
        if let Some(text) = self.due(Instant::now()) {
            // One write, so that lines of several processes do not mix. A failure is ignored.
            let _ = io::stderr().write_all(text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_speaks_of_all_kernels() {
        let (progress, start) = (Progress::default(), Instant::now());
        let after = |seconds: u64| progress.due(start + Duration::from_millis(seconds * 1000 + 500));
        let first = progress.start("_Z5triadPfi", "host:generic".into());
        assert_eq!(after(0), None);
        let others = [0; 23].map(|_| progress.start("k", "host:generic".into()));
        let all = after(3).expect("a line");
        assert_eq!(all, "sinter: compiling 24 kernels for host:generic (3 s so far) ...\n");
        assert!((0..140).all(|_| after(4).is_none()), "one line for all threads");
        drop(others);
        assert_eq!(
            after(9).expect("a line"),
            "sinter: compiling triad(float*, int) for host:generic (9 s so far) ...\n"
        );
        let other = progress.start("k", "sm_90".into());
        assert_eq!(after(30).expect("a line"), "sinter: compiling 2 kernels (30 s so far) ...\n");
        drop((first, other));
        assert_eq!(after(3000), None);
    }
    #[test]
    fn a_long_compilation_is_told_of_after_many_others() {
        let progress = Progress::default();
        let first = progress.start("k", "sm_90".into());
        let start = Instant::now();
        let after = |seconds| progress.due(start + Duration::from_secs(seconds));
        assert!((2..200).filter_map(after).count() > 5, "the pause is the longest now");
        drop(first);
        let _second = progress.start("k", "sm_90".into());
        assert!((200..206).any(|seconds| after(seconds).is_some()));
    }
}
