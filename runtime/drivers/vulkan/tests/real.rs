//! The installed Vulkan, with all its devices, including CPUs.
//!
//! In: `libvulkan.so.1` by its name. Out: results of kernels. *Invariant:* without a device that
//! has every required feature the tests report that they were skipped.

mod common;

use common::{add_one, bytes_of, devices, each, large, trap};
use sinter_core::{Assembly, CodeFormat, CodeObject, LaunchShape};
use sinter_driver::{
    Device, DeviceFeatures, DriverError, Keep, MemoryKind, NativeKind, Queue,
    conformance::{Sample, Verdict, check, failures},
};
use sinter_driver_vulkan::VulkanOptions;
use std::{
    ffi::c_void,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const ITEMS: usize = 1000;
const SHAPE: LaunchShape = LaunchShape { global: [ITEMS as u64, 1, 1], group: [64, 1, 1], local_memory: 0 };

#[test]
fn installed_devices_conform() {
    each(|device| {
        println!("{} {}: {:#?}", device.info().name, device.target(), device.info());
        let outcomes = check(device, Some(&Sample { add_one: add_one() }));
        assert!(failures(&outcomes).is_empty(), "{:#?}", failures(&outcomes));
        assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed), "{outcomes:#?}");
    });
}

/// Memory of the device with `count` numbers, all 0.
struct Numbers<'a> {
    device: &'a dyn Device,
    queue: &'a dyn Queue,
    start: *mut c_void,
    count: usize,
}

impl<'a> Numbers<'a> {
    fn new(device: &'a dyn Device, queue: &'a dyn Queue, count: usize) -> Self {
        let start = device.memory().allocate(MemoryKind::Device, count * 8, 64).expect("memory");
        // SAFETY: the memory has that many bytes.
        unsafe { queue.fill(start, &[0], count * 8) }.expect("fill");
        Numbers { device, queue, start, count }
    }

    /// The numbers, once everything in the queue is complete.
    fn get(&self) -> Vec<u64> {
        let mut numbers = vec![0u64; self.count];
        // SAFETY: both ranges have that many bytes.
        let ticket = unsafe { self.queue.copy(numbers.as_mut_ptr().cast(), self.start, self.count * 8) };
        self.queue.wait(ticket.expect("copy")).expect("wait");
        numbers
    }
}

impl Drop for Numbers<'_> {
    fn drop(&mut self) {
        self.queue.wait(self.queue.last()).expect("wait");
        // SAFETY: nothing uses it any more.
        unsafe { self.device.memory().free(self.start) }.expect("free");
    }
}

#[test]
fn arguments_that_do_not_fit_are_in_a_buffer() {
    each(|device| {
        let queue = device.create_queue().expect("queue");
        let (data, kernel) = (Numbers::new(device, &*queue, ITEMS), device.load(&large()).expect("load"));
        let shape = LaunchShape { global: [ITEMS as u64, 1, 1], group: [1, 1, 1], local_memory: 7 };
        for value in [5u64, 70] {
            let arguments = [&bytes_of(data.start)[..], &[0; 112], &value.to_ne_bytes()].concat();
            // SAFETY: the arguments are those of the kernel.
            unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
            // 17 bytes of local memory are 5 words.
            assert_eq!(data.get(), vec![value + ITEMS as u64 + 5; ITEMS]);
        }
    });
}

#[test]
fn a_launch_may_have_more_groups_than_a_dispatch() {
    each(|device| {
        let (queue, count) = (device.create_queue().expect("queue"), 3 * 65_535 + 17);
        let (data, kernel) = (Numbers::new(device, &*queue, count), device.load(&add_one()).expect("load"));
        let shape = LaunchShape { global: [count as u64, 1, 1], group: [1, 1, 1], local_memory: 0 };
        let arguments = [bytes_of(data.start), (count as u64).to_ne_bytes()].concat();
        // SAFETY: the arguments are those of the kernel.
        unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
        assert!(data.get().iter().all(|number| *number == 1));
    });
}

#[test]
fn threads_launch_one_kernel() {
    each(|device| {
        let kernel = device.load(&add_one()).expect("load");
        thread::scope(|scope| {
            for thread in 1..=4u64 {
                let kernel = &kernel;
                scope.spawn(move || {
                    let queue = device.create_queue().expect("queue");
                    let (data, items) = (Numbers::new(device, &*queue, ITEMS), thread * 16);
                    let arguments = [bytes_of(data.start), items.to_ne_bytes()].concat();
                    for _ in 0..200 {
                        // SAFETY: the arguments are those of the kernel.
                        unsafe { queue.launch(kernel, &SHAPE, &arguments) }.expect("launch");
                    }
                    let expected = |item| if (item as u64) < items { 200 } else { 0 };
                    assert_eq!(data.get(), (0..ITEMS).map(expected).collect::<Vec<u64>>());
                });
            }
        });
    });
}

/// Nothing is called after the launches, most of which are held back.
#[test]
fn launches_that_are_held_back_run_without_another_call() {
    for device in devices(VulkanOptions::default()) {
        let Ok(memory) = device.memory().allocate(MemoryKind::Shared, ITEMS * 8, 64) else { continue };
        let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&add_one()).expect("load"));
        // SAFETY: the memory has that many bytes, and is not used yet.
        unsafe { memory.write_bytes(0, ITEMS * 8) };
        let arguments = [bytes_of(memory), (ITEMS as u64).to_ne_bytes()].concat();
        for _ in 0..100 {
            // SAFETY: the arguments are those of the kernel.
            unsafe { queue.launch(&kernel, &SHAPE, &arguments) }.expect("launch");
        }
        // SAFETY: the number is aligned, and kernels write it as a whole.
        let last = unsafe { AtomicU64::from_ptr(memory.cast::<u64>().add(ITEMS - 1)) };
        let end = Instant::now() + Duration::from_secs(60);
        while last.load(Ordering::Acquire) < 100 {
            assert!(Instant::now() < end, "{} of 100 launches ran", last.load(Ordering::Acquire));
            thread::sleep(Duration::from_millis(1));
        }
        queue.wait(queue.last()).expect("wait");
        // SAFETY: nothing uses it any more.
        unsafe { device.memory().free(memory) }.expect("free");
    }
}

/// Kernels whose arguments are in a block, and others, between fills and copies, in two queues.
#[test]
fn launches_before_other_commands_are_in_order() {
    each(|device| {
        let (one, other) = (device.create_queue().expect("queue"), device.create_queue().expect("queue"));
        let (small, large) = (device.load(&add_one()).expect("load"), device.load(&large()).expect("load"));
        let data = Numbers::new(device, &*one, ITEMS);
        let shape = LaunchShape { global: [ITEMS as u64, 1, 1], group: [1, 1, 1], local_memory: 7 };
        for round in 0..3u64 {
            // SAFETY: the range is the memory.
            unsafe { one.fill(data.start, &[0], ITEMS * 8) }.expect("fill");
            for launch in 0..70u64 {
                let value = round * 100 + launch;
                let arguments = [&bytes_of(data.start)[..], &[0; 112], &value.to_ne_bytes()].concat();
                // SAFETY: the arguments are those of the kernel.
                unsafe { one.launch(&large, &shape, &arguments) }.expect("launch");
            }
            other.depend(&one, one.last()).expect("a dependency");
            let arguments = [bytes_of(data.start), (ITEMS as u64).to_ne_bytes()].concat();
            for _ in 0..70 {
                // SAFETY: the arguments are those of the kernel.
                unsafe { other.launch(&small, &SHAPE, &arguments) }.expect("launch");
            }
            one.depend(&other, other.last()).expect("a dependency");
            // 17 bytes of local memory are 5 words, which the kernel adds, and the groups.
            assert_eq!(data.get(), vec![round * 100 + 69 + ITEMS as u64 + 5 + 70; ITEMS]);
        }
    });
}

#[test]
fn copies_of_every_size_and_offset_arrive() {
    each(|device| {
        let queue = device.create_queue().expect("queue");
        // More than one piece of a copy.
        let size = (17 << 20) + 3;
        let device_memory = device.memory().allocate(MemoryKind::Device, size, 1).expect("memory");
        let source: Vec<u8> = (0..size).map(|index| (index * 7 + index / 251) as u8).collect();
        let mut target = vec![0u8; size];
        // SAFETY: all ranges are within the memory, which outlives the wait.
        unsafe {
            queue.copy(device_memory, source.as_ptr().cast(), size).expect("copy");
            queue.copy(target.as_mut_ptr().cast(), device_memory, size).expect("copy");
            assert!(target == source);
            queue.copy(device_memory.byte_add(1), source.as_ptr().add(5).cast(), 1234).expect("copy");
            queue.copy(target.as_mut_ptr().cast(), device_memory.byte_add(1), 1234).expect("copy");
            assert_eq!(target[..1234], source[5..1239]);
            queue.wait(queue.last()).expect("wait");
            device.memory().free(device_memory).expect("free");
        }
    });
}

#[test]
fn fills_of_every_pattern_arrive() {
    each(|device| {
        let queue = device.create_queue().expect("queue");
        let memory = device.memory().allocate(MemoryKind::Device, 1 << 20, 1).expect("memory");
        for pattern in [&[1u8][..], &[1, 2], &[1, 2, 3], &[1, 2, 3, 4], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]] {
            for (offset, count) in [(0, 1000), (1, 1000), (4, 3), (2, 60_000)] {
                let mut target = vec![0u8; pattern.len() * count + 1];
                // SAFETY: all ranges are within the memory, which outlives the wait.
                unsafe {
                    queue.fill(memory, &[0xee], 1 << 20).expect("fill");
                    queue.fill(memory.byte_add(offset), pattern, count).expect("fill");
                    queue.copy(target.as_mut_ptr().cast(), memory.byte_add(offset), target.len()).expect("copy");
                }
                let (last, filled) = target.split_last().expect("bytes");
                assert!(filled.chunks(pattern.len()).all(|chunk| chunk == pattern), "{pattern:?} {offset} {count}");
                assert_eq!(*last, 0xee);
            }
        }
        // SAFETY: the copies have waited.
        unsafe { device.memory().free(memory) }.expect("free");
    });
}

/// Pipelines that this driver did not make, and damaged ones, are ignored.
#[test]
fn foreign_pipelines_beside_the_code_do_no_harm() {
    each(|device| {
        let (queue, whole) = (device.create_queue().expect("queue"), add_one());
        let assembler = device.assembler().expect("a name").to_owned();
        for bytes in [vec![], vec![0xff; 3], vec![0; 32], vec![0xaa; 5000]] {
            let assembly = Assembly { format: whole.format, text: whole.bytes.clone(), assembler: assembler.clone() };
            let (format, bytes) = (CodeFormat::VulkanPipelines, bytes.into());
            let code = CodeObject { format, bytes, assembly: Some(assembly), ..whole.clone() };
            let (data, kernel) = (Numbers::new(device, &*queue, ITEMS), device.load(&code).expect("load"));
            let arguments = [bytes_of(data.start), (ITEMS as u64).to_ne_bytes()].concat();
            // SAFETY: the arguments are those of the kernel.
            unsafe { queue.launch(&kernel, &SHAPE, &arguments) }.expect("launch");
            assert_eq!(data.get(), vec![1; ITEMS]);
        }
    });
}

#[test]
fn pipelines_without_their_code_are_refused() {
    for device in devices(VulkanOptions::default()) {
        let code = CodeObject { format: CodeFormat::VulkanPipelines, ..add_one() };
        let refused = device.load(&code).map(drop);
        assert!(
            matches!(&refused, Err(DriverError::Load { reason, .. }) if reason.contains("not SPIR-V")),
            "{refused:?}"
        );
    }
}

#[test]
fn a_trap_is_an_error_with_its_message() {
    for device in devices(VulkanOptions::default()) {
        let (kernel, queue) = (device.load(&trap()).expect("load"), device.create_queue().expect("queue"));
        // SAFETY: the kernel has no arguments.
        let ticket = unsafe { queue.launch(&kernel, &SHAPE, &[]) }.expect("launch");
        match queue.wait(ticket) {
            Err(DriverError::Lost { kernel, reason, .. }) => {
                assert_eq!(kernel.as_deref(), Some("trap"));
                assert!(reason.contains("trap: the program's message"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn many_small_allocations_are_apart() {
    each(|device| {
        let allocate = |size| device.memory().allocate(MemoryKind::Device, size, 16).expect("memory");
        let pointers: Vec<_> = (0..6000).map(|index| (allocate(index % 900 + 1), index % 900 + 1)).collect();
        let mut ranges: Vec<_> = pointers.iter().map(|(start, size)| (*start as usize, *size)).collect();
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
        for (pointer, size) in pointers {
            let info = device.memory().query(pointer).expect("known");
            assert_eq!((info.base, info.size), (pointer, size));
            // SAFETY: nothing uses it.
            unsafe { device.memory().free(pointer) }.expect("free");
        }
    });
}

#[test]
fn devices_with_two_addresses_have_no_shared_memory() {
    for device in devices(VulkanOptions { separate: true, ..VulkanOptions::default() }) {
        let bits = DeviceFeatures::USM_SHARED | DeviceFeatures::USM_HOST;
        assert_eq!(device.info().features.0 & bits, 0);
        for kind in [MemoryKind::Shared, MemoryKind::Host] {
            let refused = device.memory().allocate(kind, 8, 8);
            assert!(matches!(refused, Err(DriverError::Unsupported { .. })), "{kind:?}: {refused:?}");
        }
    }
}

#[test]
fn handles_are_those_of_vulkan() {
    for device in devices(VulkanOptions::default()) {
        let queue = device.create_queue().expect("queue");
        assert!(!queue.native(NativeKind::Stream).expect("a queue").is_null());
        for kind in [NativeKind::Device, NativeKind::Context] {
            assert!(!device.native(kind).expect("no error").expect("a handle").is_null());
        }
        let kernel = device.load(&add_one()).expect("load");
        assert!(!kernel.native(NativeKind::Module).expect("a module").is_null());
    }
}

#[test]
fn code_that_is_not_for_the_device_is_refused() {
    for device in devices(VulkanOptions::default()) {
        let mut code = add_one();
        code.bytes = code.bytes[..code.bytes.len() - 8].into();
        let refused = device.load(&code).map(drop);
        assert!(matches!(&refused, Err(DriverError::Load { reason, .. }) if reason.contains("cut off")), "{refused:?}");
    }
}

/// Some copies here are so long that a kernel makes them.
#[test]
fn long_copies_inside_a_device_arrive() {
    each(|device| {
        let queue = device.create_queue().expect("queue");
        let size = (17 << 20) + 3;
        let allocate = || device.memory().allocate(MemoryKind::Device, size + 64, 1).expect("memory");
        let (one, other) = (allocate(), allocate());
        let source: Vec<u8> = (0..size).map(|index| (index * 7 + index / 251) as u8).collect();
        let mut target = vec![0u8; size + 64];
        for round in 0..30 {
            let (to, from) = [(0, 0), (16, 48), (5, 5), (21, 37), (3, 4), (0, 8)][round % 6];
            // SAFETY: all ranges are within the memory, which outlives the wait.
            unsafe {
                queue.fill(other, &[0xee], size + 64).expect("fill");
                queue.copy(one.byte_add(from), source.as_ptr().cast(), size).expect("copy");
                queue.copy(other.byte_add(to), one.byte_add(from), size).expect("copy");
                queue.copy(target.as_mut_ptr().cast(), other, size + 64).expect("copy");
            }
            assert!(target[to..to + size] == source, "{round}");
            assert!(target[..to].iter().chain(&target[to + size..]).all(|byte| *byte == 0xee), "{round}");
        }
        // SAFETY: the copies have waited.
        [one, other].into_iter().for_each(|memory| unsafe { device.memory().free(memory) }.expect("free"));
    });
}

/// Lavapipe (22.3.6) exports no pipelines.
#[test]
fn pipelines_that_launches_compile_are_stored_where_the_driver_exports_them() {
    each(|device| {
        let queue = device.create_queue().expect("queue");
        let launched = |code: &CodeObject, groups: &[u32]| {
            let (stored, times) = <(Arc<Mutex<Vec<_>>>, Arc<Mutex<Vec<_>>>)>::default();
            let kernel = device.load(code).expect("load");
            kernel.keep_with(&|| {
                let (stored, times) = (Arc::clone(&stored), Arc::clone(&times));
                Keep {
                    spent: Box::new(move |time| times.lock().expect("no panic").push(time)),
                    store: Box::new(move |code| stored.lock().expect("no panic").push(code.clone())),
                }
            });
            let data = Numbers::new(device, &*queue, ITEMS);
            let arguments = [bytes_of(data.start), (ITEMS as u64).to_ne_bytes()].concat();
            for group in groups {
                let shape = LaunchShape { group: [*group, 1, 1], ..SHAPE };
                // SAFETY: the arguments are those of the kernel.
                unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
            }
            assert_eq!(data.get(), vec![groups.len() as u64; ITEMS]);
            let taken = |list: &Mutex<Vec<_>>| std::mem::take(&mut *list.lock().expect("no panic"));
            (taken(&stored), std::mem::take(&mut *times.lock().expect("no panic")))
        };
        let (stored, times) = launched(&add_one(), &[64, 32, 64]);
        assert_eq!(times.iter().filter(|time: &&Duration| !time.is_zero()).count(), 2, "{times:?}");
        println!("{}: {:?} bytes", device.info().name, stored.iter().map(|code| code.bytes.len()).collect::<Vec<_>>());
        let Some(last) = stored.last() else { return };
        assert_eq!(stored.len(), 2);
        assert_eq!(last.assembly.as_ref().map(|assembly| &assembly.text), Some(&add_one().bytes));
        let (stored, times) = launched(last, &[32, 64]);
        assert!(stored.is_empty() && times.is_empty(), "a kept pipeline was compiled again");
    });
}
