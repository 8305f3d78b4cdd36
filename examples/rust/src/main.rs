//! Launches two C++ kernels on every device and checks the results.

use sinter::{Buffer, Device, LaunchSize, MemoryKind, Module, Queue, Runtime, RuntimeError, arguments};
use std::{error::Error, sync::Arc};

/// The container that the build script made. It has the kernel for every device.
const SUM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sum.hcf"));
const N: usize = 1_000_000;
const GROUP: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = Runtime::global();
    for device in &runtime.devices().visible {
        describe(device);
        let queue = runtime.create_queue(device.index)?;
        queue.enable_profiling()?;
        check("saxpy", saxpy(&runtime, &queue)?)?;
        check("sum", sum(&runtime, &queue)?)?;
    }
    // A wrong name is an error with a reason, not a crash.
    let error = runtime.linked_kernel("saxpi").map(drop);
    check("errors", matches!(error, Err(error) if error.to_string().contains("saxpy")))?;
    println!("PASS");
    Ok(())
}

fn describe(device: &Device) {
    let info = device.info();
    let (name, target, units) = (&info.name, device.target(), info.compute_units);
    println!("device {}: {name} ({target}, {units} compute units)", device.index);
}

fn check(what: &str, is_right: bool) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(format!("{what}: wrong result")) }
}

/// A kernel that is linked into the program, on shared memory.
fn saxpy(runtime: &Arc<Runtime>, queue: &Queue) -> Result<bool, RuntimeError> {
    let kernel = runtime.linked_kernel("saxpy")?;
    let x: Vec<f32> = (0..N).map(|i| (i % 1000) as f32).collect();
    let x = Buffer::from_slice(queue, MemoryKind::Shared, &x)?;
    let mut y = Buffer::<f32>::zeroed(queue, MemoryKind::Shared, N)?;
    queue.fill(&mut y, 1.0)?;
    let arguments = arguments![2.0_f32, &x, &mut y, N as u64];
    // SAFETY: the kernel compares its index with `n`, reads only x and writes only y, and both have
    // that many elements.
    let event = unsafe { kernel.launch(queue, &LaunchSize::range([N as u64]), &arguments) }?;
    let times = event.profile()?;
    println!("  saxpy: {} numbers in {} ns", N, times.end - times.start);
    Ok(y.as_slice()?.iter().enumerate().all(|(i, y)| *y == 1.0 + 2.0 * (i % 1000) as f32))
}

/// A kernel from a container, with work-groups, local memory and barriers, on device memory.
fn sum(runtime: &Arc<Runtime>, queue: &Queue) -> Result<bool, RuntimeError> {
    let kernel = Module::from_bytes(runtime, SUM)?.kernel("sum")?;
    let tiles = N.div_ceil(GROUP);
    let numbers: Vec<u32> = (0..N as u32).collect();
    let numbers = Buffer::from_slice(queue, MemoryKind::Device, &numbers)?;
    let mut sums = Buffer::<u64>::zeroed(queue, MemoryKind::Device, tiles)?;
    let size = LaunchSize::range([(tiles * GROUP) as u64])
        .with_groups([GROUP as u32])
        .with_local_memory((GROUP * size_of::<u64>()) as u32);
    let arguments = arguments![&numbers, &mut sums, N as u64];
    // SAFETY: the kernel compares its index with `n`, writes one sum for each group and stays
    // within its local memory.
    let event = unsafe { kernel.launch(queue, &size, &arguments) }?;
    let times = event.profile()?;
    println!("  sum: {tiles} tiles in {} ns", times.end - times.start);
    let total: u64 = queue.read_vec(&sums)?.into_iter().sum();
    Ok(total == (N as u64 - 1) * N as u64 / 2)
}
