//! State of a thread: its device, its last error, the launches that it configures.
//!
//! *Invariant:* a configuration is taken by the launch that follows it, also if an argument of that
//! launch launches something itself. The state has no destructors, because destructors of the
//! program launch too.

use super::{error::Code, faults};
use std::{
    cell::{Cell, RefCell},
    mem::ManuallyDrop,
};

/// The numbers between `<<<` and `>>>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Configuration {
    /// Work-groups in each dimension.
    pub(crate) grid: [u32; 3],
    /// Work-items of a group in each dimension.
    pub(crate) block: [u32; 3],
    /// Dynamic local memory in bytes.
    pub(crate) local_memory: usize,
    /// Handle of the stream.
    pub(crate) stream: usize,
}

/// Configurations of launches whose arguments are still evaluated.
struct Stack {
    top: Option<Configuration>,
    /// Without memory while it is empty, as nothing frees it when the thread ends.
    below: ManuallyDrop<Vec<Configuration>>,
}

impl Stack {
    fn push(&mut self, configuration: Configuration) {
        self.below.extend(self.top.replace(configuration));
    }

    fn pop(&mut self) -> Option<Configuration> {
        let top = self.top.take();
        self.top = self.below.pop();
        if self.below.is_empty() {
            self.below.shrink_to_fit();
        }
        top
    }
}

thread_local! {
    static DEVICE: Cell<u32> = const { Cell::new(0) };
    static LAST: Cell<i32> = const { Cell::new(0) };
    static CONFIGURATIONS: RefCell<Stack> =
        const { RefCell::new(Stack { top: None, below: ManuallyDrop::new(Vec::new()) }) };
}

/// Number of the thread's device.
pub(crate) fn device() -> u32 {
    DEVICE.get()
}

pub(crate) fn set_device(number: u32) {
    DEVICE.set(number);
}

/// Keeps a code until it is taken; a success does not replace an error.
pub(crate) fn fail(code: i32) {
    if code != Code::Success as i32 && code != Code::NotReady as i32 {
        LAST.set(code);
    }
}

fn fault() -> Option<i32> {
    faults::of(device()).map(|code| code as i32)
}

/// The last error, or the fault of the device.
pub(crate) fn last() -> i32 {
    fault().unwrap_or(LAST.get())
}

/// The last error, which is forgotten, or the fault of the device, which stays.
pub(crate) fn take_last() -> i32 {
    let last = LAST.replace(Code::Success as i32);
    fault().unwrap_or(last)
}

pub(crate) fn push(configuration: Configuration) {
    CONFIGURATIONS.with_borrow_mut(|stack| stack.push(configuration));
}

pub(crate) fn pop() -> Option<Configuration> {
    CONFIGURATIONS.with_borrow_mut(Stack::pop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_stays_until_it_is_taken() {
        fail(Code::InvalidValue as i32);
        fail(Code::Success as i32);
        fail(Code::NotReady as i32);
        assert_eq!((last(), take_last(), last()), (1, 1, 0));
    }

    #[test]
    fn launches_nest() {
        let configuration = |stream| Configuration { grid: [1; 3], block: [1; 3], local_memory: 0, stream };
        (1..=3).for_each(|stream| push(configuration(stream)));
        assert_eq!([pop(), pop()].map(|top| top.map(|top| top.stream)), [Some(3), Some(2)]);
        push(configuration(4));
        assert_eq!([pop(), pop(), pop()].map(|top| top.map(|top| top.stream)), [Some(4), Some(1), None]);
    }

    #[test]
    fn destructors_of_threads_may_launch() {
        struct Launches;
        impl Drop for Launches {
            fn drop(&mut self) {
                push(Configuration { grid: [1; 3], block: [1; 3], local_memory: 0, stream: 7 });
                assert_eq!(pop().map(|top| top.stream), Some(7));
            }
        }
        thread_local! { static LAUNCHES: Launches = const { Launches }; }
        // Made first, so that it ends last.
        std::thread::spawn(|| (LAUNCHES.with(|_| ()), pop())).join().unwrap();
    }
}
