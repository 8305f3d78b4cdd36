//! Where the parallel algorithms of ISO C++ run.
//!
//! In: launches of any thread. Out: the queue of that thread, on the CPU of the host: its kernels
//! may use every pointer that the program has. *Invariant:* a queue is never used by two threads or
//! two processes.
#![forbid(unsafe_code)]

use crate::{error::RuntimeError, queue::Queue, runtime::Runtime};
use sinter_driver::DriverError;
use std::{
    cell::RefCell,
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// The driver whose device uses the memory of the program.
const HOST: &str = "host";

thread_local! {
    static QUEUE: RefCell<Option<Queue>> = const { RefCell::new(None) };
}

static REPORTED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

fn create(runtime: &Runtime) -> Result<Queue, RuntimeError> {
    let visible = &runtime.devices().visible;
    let host = visible.iter().position(|entry| entry.info().driver == HOST);
    // Without one, the number is that of no device, and the error lists the reasons.
    runtime.create_queue(u32::try_from(host.unwrap_or(visible.len())).unwrap_or(u32::MAX))
}

/// The queue of this thread. A thread that is ending gets one for this call only.
fn queue(runtime: &Runtime) -> Result<Queue, RuntimeError> {
    let kept = QUEUE.try_with(|place| match &mut *place.borrow_mut() {
        Some(queue) => Ok(queue.clone()),
        empty => create(runtime).map(|queue| empty.insert(queue).clone()),
    });
    kept.unwrap_or_else(|_| create(runtime))
}

/// Calls `submit` with the queue of this thread. A child made by `fork` gets a queue of its own.
pub(crate) fn with_queue<R>(
    runtime: &Runtime,
    submit: impl Fn(&Queue) -> Result<R, RuntimeError>,
) -> Result<R, RuntimeError> {
    let result = submit(&queue(runtime)?);
    match &result {
        Err(RuntimeError::Driver(error)) if matches!(**error, DriverError::Inherited { .. }) => {}
        _ => return result,
    }
    // The queue of the parent has threads that do not exist here.
    let inherited = QUEUE.try_with(RefCell::take).ok().flatten();
    std::mem::forget(inherited);
    submit(&queue(runtime)?)
}

/// Logs why an algorithm runs without a device, unless it was logged before.
pub(crate) fn report(reason: &str) {
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if reported.get_or_insert_default().insert(reason.to_owned()) {
        tracing::info!("a parallel algorithm runs on the host without a device: {reason}");
    }
}
