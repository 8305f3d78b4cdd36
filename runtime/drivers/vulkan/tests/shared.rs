//! Shared memory on a device whose kernels have other addresses than the host: a CPU behind a
//! loader that makes a GPU of it.
//!
//! In: the source of that loader, `tests/fake/gpu.c`. Out: memory that host and kernels use at one
//! address. *Invariant:* without a device of the installed Vulkan the tests report that they were
//! skipped.

mod common;
#[path = "../../common/tests/fake/mod.rs"]
mod fake;

use common::{add_one, bytes_of, devices};
use fake::StandIn;
use sinter_core::LaunchShape;
use sinter_driver::{Device, DeviceFeatures, DeviceKind, Driver, MemoryKind};
use sinter_driver_vulkan::VulkanOptions;
use std::{
    path::Path,
    ptr, slice,
    sync::{Arc, OnceLock},
};

/// The loader, and the devices that it has.
fn gpus() -> (StandIn, Vec<Arc<dyn Device>>) {
    static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/gpu.c");
    let stand_in = StandIn::new(&COMPILED, "libvulkan_stand_in.so.1", &source, &[]);
    if devices(VulkanOptions::default()).is_empty() {
        return (stand_in, Vec::new());
    }
    let driver = sinter_driver_vulkan::driver(VulkanOptions {
        wanted: true,
        library: Some(stand_in.path.clone()),
        ..VulkanOptions::default()
    });
    let devices = driver.devices().expect("no error");
    assert!(!devices.is_empty());
    (stand_in, devices)
}

/// The address that kernels have for the next memory that the host can access.
fn next(stand_in: &StandIn) -> u64 {
    // SAFETY: the stand-in defines the function with this type.
    let next = unsafe { stand_in.library().get::<unsafe extern "C" fn() -> u64>(b"stand_in_next") };
    // SAFETY: the function accesses only the stand-in's own state.
    unsafe { next.expect("stand_in_next")() }
}

#[test]
fn memory_is_placed_where_kernels_have_it() {
    let (_stand_in, devices) = gpus();
    for device in devices {
        let (info, bits) = (device.info(), DeviceFeatures::USM_SHARED | DeviceFeatures::USM_HOST);
        assert_eq!((info.kind, info.features.0 & bits), (DeviceKind::Gpu, bits));
        for kind in [MemoryKind::Shared, MemoryKind::Host] {
            let memory = device.memory().allocate(kind, 1 << 20, 64).expect("memory");
            assert_eq!(device.memory().query(memory).map(|known| known.kind), Some(kind));
            // SAFETY: nothing uses it.
            unsafe { device.memory().free(memory) }.expect("free");
        }
    }
}

#[test]
fn host_and_kernels_take_turns_in_shared_memory() {
    let (_stand_in, devices) = gpus();
    for device in devices {
        let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&add_one()).expect("load"));
        for (kind, count) in [(MemoryKind::Shared, 100), (MemoryKind::Shared, 100_000), (MemoryKind::Host, 100_000)] {
            let memory = device.memory().allocate(kind, count * 8, 64).expect("memory");
            // SAFETY: the memory has that many numbers, and kernels use it only while the host
            // waits.
            let numbers = unsafe { slice::from_raw_parts_mut(memory.cast::<u64>(), count) };
            numbers.iter_mut().zip(0..).for_each(|(number, index)| *number = index);
            let shape = LaunchShape { global: [count as u64, 1, 1], group: [64, 1, 1], local_memory: 0 };
            for round in 1..=3 {
                let arguments = [bytes_of(memory), (count as u64).to_ne_bytes()].concat();
                // SAFETY: the arguments are those of the kernel.
                let ticket = unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
                queue.wait(ticket).expect("wait");
                assert!(numbers.iter().zip(0..).all(|(number, index)| *number == index + 2 * round - 1));
                numbers.iter_mut().for_each(|number| *number += 1);
            }
            // SAFETY: nothing uses it any more.
            unsafe { device.memory().free(memory) }.expect("free");
        }
    }
}

/// The process has something else where kernels have the memory.
#[test]
fn memory_of_the_process_is_never_replaced() {
    let (stand_in, devices) = gpus();
    for device in devices {
        let place = ptr::without_provenance_mut(next(&stand_in) as usize);
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: the flag replaces nothing.
        let own = unsafe { libc::mmap(place, 65_536, access, flags | libc::MAP_FIXED_NOREPLACE, -1, 0) };
        assert_eq!(own, place);
        // SAFETY: the memory is new.
        let word = unsafe { &mut *own.cast::<u64>() };
        *word = 42;
        let memory = device.memory().allocate(MemoryKind::Shared, 65_535, 8).expect("memory elsewhere");
        assert!(memory > own);
        // SAFETY: the memory has that many bytes, and no kernel uses it.
        unsafe { memory.write_bytes(1, 65_535) };
        assert_eq!(*word, 42);
        // SAFETY: nothing uses it any more.
        unsafe { device.memory().free(memory) }.expect("free");
    }
}
