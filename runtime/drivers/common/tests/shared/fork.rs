//! Forked children: what they inherit is refused, and nothing of it calls the driver.
//!
//! In: a device in use, and a child of the process. Out: the child's exit status, whose bits name what went wrong. *Invariant:* the test
//! is alone in its process, so that no lock is held by a thread that the child lacks.

use crate::common::{Fake, launch, nothing};
use sinter_driver::{Device, DriverError, Kernel, MemoryKind, Queue};
use std::sync::Arc;

/// Bits for what failed in the child.
fn child(fake: &Fake, device: Arc<dyn Device>, queue: Arc<dyn Queue>, kernel: Arc<dyn Kernel>) -> i32 {
    // SAFETY: a child that hangs is to end.
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
    // SAFETY: the child uses the driver, which is what is tested, and ends.
    let process = unsafe { libc::fork() };
    if process == 0 {
        let failed = child(&fake, device, queue, kernel);
        // SAFETY: leaves without running the parent's exit handlers.
        unsafe { libc::_exit(failed) };
    }
    let mut status = 0;
    // SAFETY: `process` is a child of this process, and `status` outlives the call.
    unsafe { libc::waitpid(process, &raw mut status, 0) };
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    launch(&*queue, &kernel).expect("the parent launches on");
    queue.wait(queue.last()).expect("wait");
}
