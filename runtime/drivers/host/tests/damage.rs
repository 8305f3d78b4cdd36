//! Damaged code is refused or loads, but never ends the process.
//!
//! In: a kernel's object with flipped bits. Out: the exit status of a process that loads it.
//! *Invariant:* the code itself is not run: the cache's digest detects flipped instructions.

mod common;

use std::sync::Arc;

/// Loads `bytes` in a child process. Returns true if the child exited normally.
fn survives(device: &Arc<dyn sinter_driver::Device>, code: &sinter_core::CodeObject) -> bool {
    // SAFETY: this process has one test and so one thread that uses the driver; the child only
    // loads and exits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let _ = device.load(code);
        // SAFETY: exits without running the parent's exit handlers.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: `child` is a child of this process, and `status` outlives the call.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    libc::WIFEXITED(status)
}

#[test]
fn flipped_bits_end_no_process() {
    let device = common::device(1);
    let good = common::compile("add_one", common::ADD_ONE, 8);
    drop(device.load(&good).expect("load"));
    let mut deadly = Vec::new();
    let mut random = 1u64;
    for position in 0..good.bytes.len() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if good.bytes[position] == 0 && random >> 60 != 0 {
            continue;
        }
        let mut bytes = good.bytes.to_vec();
        bytes[position] ^= 1 << (random >> 33 & 7);
        let damaged = sinter_core::CodeObject { bytes: Arc::from(bytes), ..good.clone() };
        if !survives(&device, &damaged) {
            deadly.push((position, random >> 33 & 7));
        }
    }
    assert!(deadly.is_empty(), "{deadly:?}");
}
