//! The installed OpenCL, with all its devices, including CPUs.
//!
//! In: `libOpenCL.so.1` by its name. Out: results of kernels. *Invariant:* without a device that
//! supports SPIR-V the tests report that they were skipped.

#[path = "common/kernels.rs"]
mod kernels;

use sinter_core::{CodeObject, LaunchShape, SpirvFeature, Target};
use sinter_driver::{
    Device, Driver, DriverError, MemoryKind, NativeKind, Queue,
    conformance::{Sample, Verdict, check, failures},
};
use sinter_driver_opencl::OpenClOptions;
use std::{ffi::c_void, sync::Arc, thread};

const ITEMS: usize = 256;
const SHAPE: LaunchShape = LaunchShape { global: [ITEMS as u64, 1, 1], group: [64, 1, 1], local_memory: 0 };

fn devices(options: OpenClOptions) -> Vec<Arc<dyn Device>> {
    let driver = sinter_driver_opencl::driver(OpenClOptions { cpus: true, ..options });
    let devices = driver.devices().expect("no error");
    if let Some(reason) = driver.absence() {
        eprintln!("skipped: {reason}");
    }
    devices
}

fn conforms(options: OpenClOptions) {
    for device in devices(options) {
        println!("{} {}: {:#?}", device.info().name, device.target(), device.info());
        let outcomes = check(&*device, Some(&Sample { add_one: kernels::add_one() }));
        assert!(failures(&outcomes).is_empty(), "{:#?}", failures(&outcomes));
        assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
    }
}

#[test]
fn installed_devices_conform() {
    conforms(OpenClOptions::default());
}

#[test]
fn installed_devices_conform_without_the_extension() {
    conforms(OpenClOptions { without_usm: true, ..OpenClOptions::default() });
}

/// Shared memory with a number for each work-item.
struct Numbers<'a> {
    device: &'a dyn Device,
    start: *mut c_void,
}

impl<'a> Numbers<'a> {
    fn new(device: &'a dyn Device) -> Self {
        let start = device.memory().allocate(MemoryKind::Shared, ITEMS * 8, 64).expect("memory");
        // SAFETY: the host can access the memory, which has that many bytes.
        unsafe { start.cast::<u8>().write_bytes(0, ITEMS * 8) };
        Numbers { device, start }
    }

    fn address(&self) -> [u8; 8] {
        (self.start as u64).to_ne_bytes()
    }

    /// The numbers, read when no command uses them any more.
    fn get(&self) -> Vec<u64> {
        // SAFETY: the host can access the memory, which was filled.
        unsafe { std::slice::from_raw_parts(self.start.cast::<u64>(), ITEMS) }.to_vec()
    }
}

impl Drop for Numbers<'_> {
    fn drop(&mut self) {
        // SAFETY: the tests wait for their commands.
        unsafe { self.device.memory().free(self.start) }.expect("free");
    }
}

/// Launches a kernel once and waits for it.
fn run(device: &dyn Device, queue: &dyn Queue, code: &CodeObject, shape: &LaunchShape, arguments: &[u8]) {
    let kernel = device.load(code).expect("load");
    // SAFETY: the tests' arguments are those of the kernels, and their memory outlives the wait.
    let ticket = unsafe { queue.launch(&kernel, shape, arguments) }.expect("launch");
    queue.wait(ticket).expect("wait");
}

/// Runs a test with unified shared memory and with shared virtual memory.
fn each(test: impl Fn(&dyn Device)) {
    for without_usm in [false, true] {
        devices(OpenClOptions { without_usm, ..OpenClOptions::default() }).iter().for_each(|device| test(&**device));
    }
}

#[test]
fn arguments_of_every_sort_arrive() {
    each(|device| {
        let (data, inside) = (Numbers::new(device), Numbers::new(device));
        let mut arguments =
            [&data.address()[..], &[200], &40_000u16.to_ne_bytes(), &3_000_000_000u32.to_ne_bytes(), &[0]].concat();
        arguments.extend(inside.address().into_iter().chain(77u64.to_ne_bytes()));
        let queue = device.create_queue().expect("queue");
        run(device, &*queue, &kernels::mixed(), &SHAPE, &arguments);
        assert_eq!((data.get(), inside.get()), (vec![3_000_040_200; ITEMS], vec![77; ITEMS]));
    });
}

#[test]
fn local_memory_is_that_of_the_code_and_of_the_launch() {
    each(|device| {
        let (data, queue) = (Numbers::new(device), device.create_queue().expect("queue"));
        run(device, &*queue, &kernels::local(), &LaunchShape { local_memory: 512, ..SHAPE }, &data.address());
        assert_eq!(data.get(), [1063; ITEMS]);
        let kernel = device.load(&kernels::local()).expect("load");
        let most = device.info().local_memory as u32;
        // SAFETY: a refused launch runs nothing.
        let refused =
            unsafe { queue.launch(&kernel, &LaunchShape { local_memory: most - 511, ..SHAPE }, &data.address()) };
        assert!(matches!(refused, Err(DriverError::LocalMemory { .. })), "{refused:?}");
    });
}

#[test]
fn threads_set_the_arguments_of_one_kernel() {
    each(|device| {
        let kernel = device.load(&kernels::add_one()).expect("load");
        thread::scope(|scope| {
            for thread in 1..=4u64 {
                let kernel = &kernel;
                scope.spawn(move || {
                    let (data, queue) = (Numbers::new(device), device.create_queue().expect("queue"));
                    let items = thread * 16;
                    let arguments = [data.address(), items.to_ne_bytes()].concat();
                    for _ in 0..200 {
                        // SAFETY: the kernel's arguments are these, and the memory outlives the
                        // wait.
                        unsafe { queue.launch(kernel, &SHAPE, &arguments) }.expect("launch");
                    }
                    queue.wait(queue.last()).expect("wait");
                    let expected = |item| if (item as u64) < items { 200 } else { 0 };
                    assert_eq!(data.get(), (0..ITEMS).map(expected).collect::<Vec<u64>>());
                });
            }
        });
    });
}

#[test]
fn a_null_pointer_is_an_argument() {
    each(|device| {
        let queue = device.create_queue().expect("queue");
        run(device, &*queue, &kernels::add_one(), &SHAPE, &[0; 16]);
    });
}

#[test]
fn queues_of_the_program_are_adopted() {
    each(|device| {
        let (data, ours) = (Numbers::new(device), device.create_queue().expect("queue"));
        let handle = ours.native(NativeKind::Stream).expect("a queue");
        assert!(!device.native(NativeKind::Context).expect("no error").expect("a context").is_null());
        // SAFETY: the queue lives longer than the adopted one.
        let adopted = unsafe { device.adopt_queue(handle) }.expect("adopt");
        let arguments = [data.address(), 9u64.to_ne_bytes()].concat();
        run(device, &*adopted, &kernels::add_one(), &SHAPE, &arguments);
        assert_eq!(data.get().iter().sum::<u64>(), 9);
        assert!(adopted.enable_profiling().is_err(), "a command was submitted");
        drop(adopted);
        run(device, &*ours, &kernels::add_one(), &SHAPE, &arguments);
        assert_eq!(data.get().iter().sum::<u64>(), 18, "the queue stays");
    });
}

#[test]
fn pointers_into_memory_are_known() {
    for device in devices(OpenClOptions::default()) {
        let host = device.memory().allocate(MemoryKind::Host, 300, 64).expect("memory");
        let info = device.memory().query(host.wrapping_byte_add(299)).expect("known");
        assert_eq!((info.kind, info.base, info.size), (MemoryKind::Host, host, 300));
        let local = 0u64;
        assert_eq!(device.memory().query((&raw const local).cast()), None);
        // SAFETY: nothing uses it.
        unsafe { device.memory().free(host) }.expect("free");
    }
}

#[test]
fn what_the_compiler_says_is_in_the_error() {
    let lacks_controls = |device: &Arc<dyn Device>| match device.target() {
        Target::Spirv(target) => !target.has(SpirvFeature::FloatControls),
        _ => false,
    };
    for device in devices(OpenClOptions::default()).into_iter().filter(lacks_controls) {
        let mut code = kernels::add_one();
        let mut bytes = code.bytes.to_vec();
        // OpCapability Int64 becomes OpCapability DenormPreserve.
        let at = bytes.windows(8).position(|w| w == [17, 0, 2, 0, 11, 0, 0, 0]).expect("the capability");
        bytes[at + 4..at + 8].copy_from_slice(&4464u32.to_le_bytes());
        code.bytes = Arc::from(bytes);
        match device.load(&code).map(drop) {
            Err(DriverError::Load { reason, .. }) => {
                assert!(reason.lines().count() > 1, "nothing but a number: {reason}");
                println!("{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
}
