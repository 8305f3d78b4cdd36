//! A program exits cleanly while its kernels run, and after a fork, over the installed Vulkan.
//!
//! In: this test binary, started again for each case. Out: its exit status. *Invariant:* without a
//! device the tests report that they were skipped.

mod common;

use sinter_core::{CodeObject, LaunchShape};
use sinter_driver::{Device, DriverError, MemoryKind, Queue};
use sinter_driver_vulkan::VulkanOptions;
use std::{
    env,
    iter::successors,
    mem,
    process::Command,
    sync::{Arc, Mutex},
};

/// Environment variable that names the case for a started program.
const CASE: &str = "VULKAN_TEST_CASE";
const ITEMS: u64 = 1 << 20;

fn device() -> Option<Arc<dyn Device>> {
    common::devices(VulkanOptions::default()).into_iter().next()
}

/// Starts this program for a case of a test, and expects it to exit cleanly.
fn start(test: &str) {
    let program = env::current_exe().expect("this program");
    let status = Command::new(program).args(["--exact", test, "--nocapture"]).env(CASE, test).status();
    assert!(status.as_ref().is_ok_and(std::process::ExitStatus::success), "{status:?}");
}

/// A queue with a lot of work.
fn busy(device: &dyn Device) -> Arc<dyn Queue> {
    launched(device, &common::add_one(), 50)
}

/// A queue with launches of a kernel that takes the conformance suite's arguments.
fn launched(device: &dyn Device, code: &CodeObject, times: usize) -> Arc<dyn Queue> {
    let queue = device.create_queue().expect("queue");
    let kernel = device.load(code).expect("load");
    let data = device.memory().allocate(MemoryKind::Device, ITEMS as usize * 8, 64).expect("memory");
    let arguments = [(data as u64).to_ne_bytes(), ITEMS.to_ne_bytes()].concat();
    let shape = LaunchShape { global: [ITEMS, 1, 1], group: [64, 1, 1], local_memory: 0 };
    for _ in 0..times {
        // SAFETY: the arguments are those of the kernel, and nobody frees the memory.
        unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
    }
    mem::forget(kernel);
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

/// The conformance suite's kernel with a long chain of operations before its only store.
fn long() -> CodeObject {
    const LENGTH: u32 = 2000;
    let [store, add, shift] = [62, 128, 196];
    let code = common::add_one();
    let words: Vec<u32> = code.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let opcode = |at: usize| words[at] & 0xffff;
    let next = |at: &usize| Some(at + (words.get(*at)? >> 16) as usize);
    let starts: Vec<usize> = successors(Some(5), next).take_while(|at| *at < words.len()).collect();
    let end = starts.iter().position(|at| opcode(*at) == store).expect("a store");
    let (sum, end) = (starts[end - 1], starts[end]);
    assert_eq!(opcode(sum), add);
    let [ty, last, old, one] = [1, 2, 3, 4].map(|operand| words[sum + operand]);
    let first = words[3];
    let link = |number: u32| {
        let (before, id) = (if number == 0 { last } else { first + 2 * number - 1 }, first + 2 * number);
        [[5 << 16 | shift, ty, id, before, one], [5 << 16 | add, ty, id + 1, id, old]].concat()
    };
    let mut made = [&words[..end], &(0..LENGTH).flat_map(link).collect::<Vec<_>>(), &words[end..]].concat();
    let store = made.len() - (words.len() - end);
    (made[3], made[store + 2]) = (first + 2 * LENGTH, first + 2 * LENGTH - 1);
    CodeObject { bytes: made.into_iter().flat_map(u32::to_le_bytes).collect(), ..code }
}

/// Lavapipe compiles a kernel in a thread of its own when it is first run.
#[test]
fn a_program_may_end_while_the_driver_compiles() {
    let Some(device) = device() else { return };
    if env::var_os(CASE).is_none() {
        drop(device);
        return start("a_program_may_end_while_the_driver_compiles");
    }
    mem::forget((launched(&*device, &long(), 1), device));
}

type Kept = (Arc<dyn Queue>, Arc<dyn Device>);
/// A device that ends after the handlers of the process's end.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

extern "C" fn drop_late() {
    let kept = KEPT.lock().expect("one thread").take();
    if let Some((queue, device)) = kept {
        let allocated = device.memory().allocate(MemoryKind::Device, 8, 8);
        assert!(matches!(allocated, Err(DriverError::Vendor { .. })), "{allocated:?}");
        drop((queue, device));
    }
}

#[test]
fn what_ends_after_the_library_calls_nothing() {
    if env::var_os(CASE).is_none() {
        return start("what_ends_after_the_library_calls_nothing");
    }
    // Registered before Vulkan's own handlers, so it runs after them, as destructors of static
    // objects do. SAFETY: the handler takes no arguments and may run at any exit.
    assert_eq!(unsafe { libc::atexit(drop_late) }, 0);
    let Some(device) = device() else { return };
    *KEPT.lock().expect("one thread") = Some((busy(&*device), device));
}

#[test]
fn a_forked_child_is_refused_and_ends() {
    let Some(device) = device() else { return };
    if env::var_os(CASE).is_none() {
        drop(device);
        return start("a_forked_child_is_refused_and_ends");
    }
    let queue = busy(&*device);
    // SAFETY: the child only makes calls that are refused, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let refused = device.create_queue().map(drop);
        let is_refused = matches!(refused, Err(DriverError::Forked { .. }));
        let status = i32::from(!is_refused);
        let crashes_at_exit = device.info().vendor.contains("NVIDIA");
        drop((queue, device));
        if crashes_at_exit {
            // SAFETY: the child has nothing left to do.
            unsafe { libc::_exit(status) };
        }
        std::process::exit(status);
    }
    let mut status = 0;
    // SAFETY: the status is writable.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    queue.wait(queue.last()).expect("the parent goes on");
}
