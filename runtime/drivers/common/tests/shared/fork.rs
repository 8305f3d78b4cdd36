//! Forked children: inherited objects are refused without calling the driver.
//!
//! In: a device in use, and a child of the process. Out: the child's exit status, whose bits name
//! the failed checks. *Invariant:* the test is alone in its process, so that no thread that the
//! child lacks holds a lock.

use crate::common::{Fake, launch, nothing};
use sinter_driver::{Device, DriverError, Kernel, MemoryKind, Queue};
use std::sync::Arc;

/// Bits of the checks that failed in the child.
fn child(fake: &Fake, device: Arc<dyn Device>, queue: Arc<dyn Queue>, kernel: Arc<dyn Kernel>) -> i32 {
    // SAFETY: ends a child that hangs.
    unsafe { libc::alarm(60) };
    fake.calls();
    let results = [
        launch(&*queue, &kernel).map(drop),
        queue.wait(queue.last()),
        device.create_queue().map(drop),
        device.load(&nothing("k")).map(drop),
        device.memory().allocate(MemoryKind::Device, 64, 64).map(drop),
    ];
    let mut failed = 0;
    for (bit, result) in results.iter().enumerate() {
        failed |= i32::from(!matches!(result, Err(DriverError::Forked { .. }))) << bit;
    }
    drop((kernel, queue, device));
    failed | i32::from(!fake.calls().is_empty()) << 5
}

#[test]
fn a_child_is_refused_and_calls_nothing() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    device.memory().allocate(MemoryKind::Device, 64, 64).expect("memory");
    launch(&*queue, &kernel).expect("launch");
    // SAFETY: the child uses the driver, which is the purpose of the test, and exits.
    let process = unsafe { libc::fork() };
    if process == 0 {
        let failed = child(&fake, device, queue, kernel);
        // SAFETY: exits without running the parent's exit handlers.
        unsafe { libc::_exit(failed) };
    }
    let mut status = 0;
    // SAFETY: `process` is a child of this process, and `status` outlives the call.
    unsafe { libc::waitpid(process, &raw mut status, 0) };
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    launch(&*queue, &kernel).expect("the parent launches on");
    queue.wait(queue.last()).expect("wait");
}
