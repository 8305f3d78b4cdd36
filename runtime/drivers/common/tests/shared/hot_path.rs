//! Launches allocate nothing and make no unnecessary calls.
//!
//! In: an allocator that counts. Out: the number of allocations in many launches. *Invariant:* the
//! test is alone in its process.

use sinter_core::LaunchShape;
use sinter_driver::MemoryKind;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering},
};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: upheld by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: upheld by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn launches_copies_and_waits_allocate_nothing() {
    let fake = crate::common::Fake::new();
    let device = fake.device();
    let (queue, kernel) =
        (device.create_queue().expect("queue"), device.load(&crate::common::add_one()).expect("load"));
    let buffer = device.memory().allocate(MemoryKind::Device, 1024, 64).expect("memory");
    let arguments = [(buffer as u64).to_ne_bytes(), 128u64.to_ne_bytes()].concat();
    let shape = LaunchShape { global: [128, 1, 1], group: [128, 1, 1], local_memory: 0 };
    // The first launch may make setup calls that later ones do not need.
    // SAFETY: the buffer holds the elements of all work-items.
    unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
    fake.calls();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..1000 {
        // SAFETY: the buffer holds the elements of all work-items.
        let ticket = unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
        // SAFETY: the buffer holds 1024 bytes.
        unsafe { queue.fill(buffer, &[0; 8], 128) }.expect("fill");
        queue.wait(ticket).expect("wait");
    }
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0);
    let calls = fake.calls();
    assert_eq!(calls.len(), 1000 * crate::common::CALLS_OF_A_ROUND, "{:?}", &calls[..10]);
    assert!(!calls.iter().any(|call| call.contains("Event")));
}
