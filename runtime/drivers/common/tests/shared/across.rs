//! Queues of the host and of a GPU that wait for each other.
//!
//! In: a queue of each driver. Out: bytes that are right only if the commands ran in order.
//! *Invariant:* neither driver knows the other's types.

use sinter_driver::{Driver, MemoryKind};
use sinter_driver_host::HostDriver;

const SIZE: usize = 8 << 20;

#[test]
fn queues_of_two_drivers_follow_each_other() {
    let fake = crate::common::Fake::new();
    let (gpu, host) = (fake.device(), HostDriver::new(Some(2)).devices().expect("devices").remove(0));
    let (ours, theirs) = (gpu.create_queue().expect("queue"), host.create_queue().expect("queue"));
    let a = gpu.memory().allocate(MemoryKind::Host, SIZE, 64).expect("memory");
    let b = gpu.memory().allocate(MemoryKind::Device, SIZE, 64).expect("memory");
    for round in 1..=5u8 {
        // SAFETY: the range was allocated and lives until the last wait.
        let filled = unsafe { theirs.fill(a, &[round], SIZE) }.expect("fill");
        ours.depend(&theirs, filled).expect("depend");
        // SAFETY: as above.
        let copied = unsafe { ours.copy(b, a, SIZE) }.expect("copy");
        fake.set("hold", 1);
        theirs.depend(&ours, copied).expect("depend");
        fake.set("hold", 0);
    }
    let mut last = vec![0u8; SIZE];
    // SAFETY: both ranges hold SIZE bytes and outlive the wait.
    let read = unsafe { ours.copy(last.as_mut_ptr().cast(), b, SIZE) }.expect("copy");
    ours.wait(read).expect("wait");
    theirs.wait(theirs.last()).expect("wait");
    assert!(last.iter().all(|&byte| byte == 5));
}
