//! A program exits cleanly while its kernels run, and after a fork, over the installed OpenCL.
//!
//! In: this test binary, started again for each case. Out: its exit status. *Invariant:* without a
//! device that supports SPIR-V the tests report that they were skipped.

#[path = "common/kernels.rs"]
mod kernels;

use sinter_core::LaunchShape;
use sinter_driver::{Device, Driver, DriverError, MemoryKind, Queue};
use sinter_driver_opencl::OpenClOptions;
use std::{env, mem, process::Command, sync::Arc};

/// Environment variable that names the case for a started program.
const CASE: &str = "SINTER_TEST_CASE";
const ITEMS: u64 = 1 << 20;

fn device() -> Option<Arc<dyn Device>> {
    let driver = sinter_driver_opencl::driver(OpenClOptions { cpus: true, ..OpenClOptions::default() });
    let device = driver.devices().expect("no error").into_iter().next();
    if device.is_none() {
        eprintln!("skipped: {}", driver.absence().unwrap_or_default());
    }
    device
}

/// Starts this program for a case of a test, and expects it to exit cleanly.
fn start(test: &str) {
    let program = env::current_exe().expect("this program");
    let status = Command::new(program).args(["--exact", test, "--nocapture"]).env(CASE, test).status();
    assert!(status.as_ref().is_ok_and(std::process::ExitStatus::success), "{status:?}");
}

/// A queue with a lot of work.
fn busy(device: &dyn Device) -> Arc<dyn Queue> {
    let queue = device.create_queue().expect("queue");
    let kernel = device.load(&kernels::add_one()).expect("load");
    let data = device.memory().allocate(MemoryKind::Device, ITEMS as usize * 8, 64).expect("memory");
    let arguments = [(data as u64).to_ne_bytes(), ITEMS.to_ne_bytes()].concat();
    let shape = LaunchShape { global: [ITEMS, 1, 1], group: [64, 1, 1], local_memory: 0 };
    for _ in 0..100 {
        // SAFETY: the arguments are those of the kernel, and nobody frees the memory.
        unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
    }
    queue
}

#[test]
fn a_program_may_end_while_kernels_run() {
    let Some(device) = device() else { return };
    if env::var_os(CASE).is_none() {
        drop(device);
        return start("a_program_may_end_while_kernels_run");
    }
    mem::forget((busy(&*device), device));
}

#[test]
fn a_forked_child_is_refused_and_ends() {
    let Some(device) = device() else { return };
    if env::var_os(CASE).is_none() {
        drop(device);
        return start("a_forked_child_is_refused_and_ends");
    }
    let queue = busy(&*device);
    // SAFETY: the child uses the driver, which is the purpose of the test, and exits.
    let process = unsafe { libc::fork() };
    if process == 0 {
        // SAFETY: ends a child that hangs.
        unsafe { libc::alarm(60) };
        let refused = |result: Result<(), DriverError>| matches!(result, Err(DriverError::Forked { .. }));
        let well = refused(queue.wait(queue.last())) && refused(device.create_queue().map(drop));
        drop((queue, device));
        // SAFETY: exits without running the parent's exit handlers.
        unsafe { libc::_exit(i32::from(!well)) };
    }
    let mut status = 0;
    // SAFETY: `process` is a child of this process, and `status` outlives the call.
    unsafe { libc::waitpid(process, &raw mut status, 0) };
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    queue.wait(queue.last()).expect("the parent goes on");
}
