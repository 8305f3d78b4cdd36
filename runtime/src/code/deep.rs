//! Runs a translation on a thread with a large stack, and a periodic action on this one meanwhile.
//!
//! In: the work, and the action. Out: the result of the work. *Invariant:* no thread outlives the
//! call. Where memory is short, the work has a smaller stack, or this thread's own and no action.
#![forbid(unsafe_code)]

use super::{end::End, pulse::Baton, ticker};
use crate::system;
use std::{panic::resume_unwind, thread, time::Duration};

/// Stack sizes in bytes, each with the free address space that it requires in addition. LLVM
/// recurses deeply on large functions, and the calling thread may have a small stack. With little
/// memory, most kernels are better off with a smaller stack.
const STACKS: [(usize, usize); 2] = [(64 << 20, 192 << 20), (8 << 20, 40 << 20)];

/// Runs `work`. Until it returns, this thread calls `tick` every `period` with the elapsed time.
pub(super) fn during<R: Send>(period: Duration, tick: impl FnMut(Duration), work: impl Fn() -> R + Sync) -> R {
    let (baton, end) = (Baton::own(), End::default());
    let call = || {
        let _end = end.at_drop();
        baton.take();
        work()
    };
    let result = thread::scope(|scope| {
        let stack = STACKS.into_iter().find(|(size, beside)| system::has_address_space(size + beside));
        let builder = |size| thread::Builder::new().name("sinter-translate".to_owned()).stack_size(size);
        let start = |builder: thread::Builder| builder.spawn_scoped(scope, call).ok();
        let thread = stack.and_then(|(size, _)| sinter_signals::while_starting_threads(|| start(builder(size))))?;
        ticker::until(&end, period, tick);
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let result = result.unwrap_or_else(call);
    baton.take();
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        cell::Cell,
        panic::{AssertUnwindSafe, catch_unwind},
        sync::atomic::{AtomicBool, Ordering},
    };

    const PERIOD: Duration = Duration::from_millis(5);

    #[test]
    fn the_work_has_a_thread_and_the_caller_the_action() {
        let (caller, ticks, is_over) = (thread::current().id(), Cell::new(0), AtomicBool::new(false));
        let tick = |_| {
            assert_eq!(thread::current().id(), caller);
            ticks.set(ticks.get() + 1);
            is_over.store(ticks.get() == 3, Ordering::Relaxed);
        };
        let work = || {
            while !is_over.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            thread::current().id()
        };
        assert_ne!(during(PERIOD, tick, work), caller);
        assert_eq!(ticks.get(), 3);
    }

    #[test]
    fn a_panic_of_the_work_reaches_the_caller() {
        let work = || during(Duration::from_secs(60), |_| {}, || panic!("deliberate"));
        let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"deliberate"));
    }
}
