//! The end of the process.
//!
//! In: what has unfinished work. Out: true once the process exits. *Invariant:* drivers of Vulkan
//! end in handlers of their own (`atexit`), after which every call crashes. So a handler that was
//! registered later, and therefore runs earlier, waits for what was submitted; from then on nothing
//! is called any more. Destructors of static objects run after that, and may use memory that the
//! program shares with the device: its contents are copied before the drivers' handlers, and placed
//! at the same addresses by a handler that was registered before those, and so runs after them. Not
//! so if work is unfinished, which may write there, nor beyond a budget.

use crate::reservation::Kept;
use sinter_driver_common::lock;
use std::{
    fs,
    sync::{
        Mutex, Once, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// Longest wait for one of them, in nanoseconds: a kernel that never ends must not keep a process
/// from ending.
const PATIENCE: u64 = 2_000_000_000;

/// Most bytes to copy, which takes a third of a second.
const MOST_KEPT: usize = 1 << 30;

static EXITING: AtomicBool = AtomicBool::new(false);
/// Contents of memory that drivers take away.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
static WATCHED: Mutex<Vec<Weak<dyn Unfinished>>> = Mutex::new(Vec::new());

/// Work that was submitted.
pub(crate) trait Unfinished: Send + Sync {
    /// Waits for it, but no longer than `patience`, in nanoseconds. In a forked child there is
    /// none. False if it did not end.
    fn finish(&self, _patience: u64) -> bool {
        true
    }

    /// Copies the memory that the program can access, once everything is finished. What is copied
    /// is taken from `budget`, in bytes.
    fn keep(&self, _budget: &mut usize) -> Vec<Kept> {
        Vec::new()
    }
}

/// True once nothing may be called any more.
#[inline]
pub(crate) fn is_near() -> bool {
    EXITING.load(Ordering::Acquire)
}

/// Registers the handler that places memory again, before a vendor's library is loaded.
pub(crate) fn prepare_return() {
    static ONCE: Once = Once::new();
    // SAFETY: the handler may run at the end of any process.
    ONCE.call_once(|| _ = unsafe { libc::atexit(after_drivers) });
}

/// Registers the handler after a vendor's library has registered its own.
pub(crate) fn prepare() {
    // SAFETY: the handler may run at the end of any process.
    let code = unsafe { libc::atexit(at_exit) };
    if code != 0 {
        tracing::warn!(code, "the end of the process cannot be noticed");
    }
}

/// Waits for something when the process exits.
pub(crate) fn watch(unfinished: Weak<dyn Unfinished>) {
    let mut watched = lock(&WATCHED);
    watched.retain(|known| known.strong_count() > 0);
    watched.push(unfinished);
}

extern "C" fn at_exit() {
    // Several devices register the handler; the first run does everything. A thread that holds the
    // lock may have been stopped by the exit, so it is not waited for.
    if is_near() {
        return;
    }
    if let Ok(watched) = WATCHED.try_lock() {
        let watched: Vec<_> = watched.iter().filter_map(Weak::upgrade).collect();
        let ends: Vec<_> = watched.iter().map(|unfinished| unfinished.finish(PATIENCE)).collect();
        if let Some(mut kept) = KEPT.try_lock().ok().filter(|_| !ends.contains(&false)) {
            let mut budget = MOST_KEPT.min(free_memory() / 2);
            kept.extend(watched.iter().flat_map(|unfinished| unfinished.keep(&mut budget)));
        }
    }
    EXITING.store(true, Ordering::Release);
}

/// Bytes of memory that the process may still use: the machine's, or less in a control group, of
/// whose pages those of files can be had back.
fn free_memory() -> usize {
    let group = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).unwrap_or_default();
    let (most, used) = (group("max").trim().parse().ok(), group("current").trim().parse().ok());
    let files = field(&group("stat"), "inactive_file ").unwrap_or(0);
    let in_group = most.zip(used).map(|(most, used): (usize, usize)| most.saturating_sub(used.saturating_sub(files)));
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| field(&text, "MemAvailable:"));
    [machine.map(|kib| kib << 10), in_group].into_iter().flatten().min().unwrap_or(0)
}

/// The number behind a name at the start of a line.
fn field(text: &str, name: &str) -> Option<usize> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

extern "C" fn after_drivers() {
    if let Ok(mut kept) = KEPT.try_lock() {
        kept.drain(..).for_each(Kept::place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_names() {
        let text = "MemTotal:       64 kB\nMemAvailable:   12 kB\ninactive_file 4096\n";
        assert_eq!(field(text, "MemAvailable:"), Some(12));
        assert_eq!(field(text, "inactive_file "), Some(4096));
        assert_eq!(field(text, "MemFree:"), None);
    }
}
