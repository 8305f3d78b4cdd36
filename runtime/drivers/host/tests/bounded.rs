//! Launches without a wait run in bounded memory.
//!
//! In: a million launches. Out: the growth of the process. *Invariant:* the test is alone in its
//! process, because it measures the size of the whole process.

mod common;

use sinter_core::LaunchShape;
use sinter_driver::{Kernel, Queue};
use std::{fs, sync::Arc};

fn shape(items: u64, group: u32) -> LaunchShape {
    LaunchShape { global: [items, 1, 1], group: [group, 1, 1], local_memory: 0 }
}

fn submit(queue: &Arc<dyn Queue>, kernel: &Arc<dyn Kernel>, shape: &LaunchShape, data: *mut u64) {
    // SAFETY: the kernel's argument is this pointer, and the test keeps the data until the queue
    // was waited for.
    unsafe { queue.launch(kernel, shape, &(data as usize).to_ne_bytes()) }.expect("launch");
}

fn resident_pages() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").expect("statm");
    text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number")
}

#[test]
fn a_million_launches_without_a_wait_take_no_memory() {
    let device = common::device(2);
    let (queue, kernel) = (
        device.create_queue().expect("queue"),
        device.load(&common::compile("add_one", common::ADD_ONE, 8)).expect("load"),
    );
    let (mut large, mut small) = (vec![0u64; 1 << 20], [0u64]);
    let before = resident_pages();
    for round in 0..1_000_000 {
        // An occasional long launch, so that both ways of running a command are used.
        if round % 100_000 == 0 {
            submit(&queue, &kernel, &shape(1 << 20, 1024), large.as_mut_ptr());
        }
        submit(&queue, &kernel, &shape(1, 1), small.as_mut_ptr());
    }
    queue.wait(queue.last()).expect("wait");
    let grown = resident_pages().saturating_sub(before);
    assert_eq!((small[0], large[(1 << 20) - 1]), (1_000_000, 10));
    // `large` itself is touched here: 2048 pages.
    assert!(grown < 2048 + 1024, "{grown} pages");
}
