//! Forked children: inherited objects are refused, new ones work.
//!
//! In: a queue, and a child of the process. Out: the child's exit status, whose bits name the
//! failed checks. *Invariant:* the test is alone in its process, so that no thread that the child
//! lacks holds a lock.

mod common;

use sinter_core::LaunchShape;
use sinter_driver::{DriverError, Kernel, Queue, Ticket};
use std::sync::Arc;

const ITEMS: u64 = 1 << 18;

fn add(queue: &dyn Queue, kernel: &Arc<dyn Kernel>, data: &mut [u64]) -> Result<Ticket, DriverError> {
    let shape = LaunchShape { global: [ITEMS, 1, 1], group: [1024, 1, 1], local_memory: 0 };
    // SAFETY: the callers keep the data until the queue was waited for.
    unsafe { queue.launch(kernel, &shape, &data.as_mut_ptr().addr().to_ne_bytes()) }
}

/// Bits of the checks that failed in the child.
fn child(device: &dyn sinter_driver::Device, inherited: Arc<dyn Queue>, kernel: &Arc<dyn Kernel>) -> i32 {
    // SAFETY: ends a child that hangs.
    unsafe { libc::alarm(60) };
    let mut data = vec![0u64; ITEMS as usize];
    let refused = add(&*inherited, kernel, &mut data);
    let mut failed = i32::from(!matches!(refused, Err(DriverError::Inherited { .. })));
    failed |= i32::from(inherited.wait(inherited.last()).is_err()) << 1;
    drop(inherited);
    let Ok(queue) = device.create_queue() else { return failed | 4 };
    for _ in 0..20 {
        failed |= i32::from(add(&*queue, kernel, &mut data).is_err()) << 3;
    }
    failed |= i32::from(queue.wait(queue.last()).is_err()) << 4;
    failed | i32::from(data.iter().any(|&count| count != 20)) << 5
}

#[test]
fn a_child_makes_its_own_queues() {
    let device = common::device(2);
    let kernel = device.load(&common::compile("add_one", common::ADD_ONE, 8)).expect("load");
    let queue = device.create_queue().expect("queue");
    let mut data = vec![0u64; ITEMS as usize];
    let ticket = add(&*queue, &kernel, &mut data).expect("launch");
    queue.wait(ticket).expect("wait");
    // SAFETY: the child uses the driver, which is the purpose of the test, and exits.
    let process = unsafe { libc::fork() };
    if process == 0 {
        let failed = child(&*device, queue, &kernel);
        // SAFETY: exits without running the parent's exit handlers.
        unsafe { libc::_exit(failed) };
    }
    let mut status = 0;
    // SAFETY: `process` is a child of this process, and `status` outlives the call.
    unsafe { libc::waitpid(process, &raw mut status, 0) };
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    let ticket = add(&*queue, &kernel, &mut data).expect("the parent launches on");
    queue.wait(ticket).expect("wait");
    assert!(data.iter().all(|&count| count == 2));
}
