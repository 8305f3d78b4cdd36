//! The sequence of calls to OpenCL, with their arguments.
//!
//! In: a stand-in that logs. Out: the calls of one step at a time.

mod common;
#[path = "../../common/tests/shared/setup.rs"]
mod setup;

use common::{Fake, add_one, local, nothing};
use setup::Setup;
use sinter_core::{CodeFormat, LaunchShape};
use sinter_driver::{
    Advice, DeviceFeatures, DeviceKind, Driver, DriverError, Kernel, MemoryKind, NativeKind, Queue, Rows, Ticket,
};
use sinter_driver_opencl::OpenClOptions;
use std::{ptr, sync::Arc};

const SHAPE: LaunchShape = LaunchShape { global: [1000, 1, 1], group: [128, 1, 1], local_memory: 0 };
const LAUNCHED: &str = "clEnqueueNDRangeKernel k 1024 1 1, 128 1 1";
const MARKER: &str = "clEnqueueMarkerWithWaitList 0";
const STATUS: &str = "clGetEventInfo 11d3";

fn launch(queue: &dyn Queue, kernel: &Arc<dyn Kernel>) -> Result<Ticket, DriverError> {
    // SAFETY: the tests launch kernels without arguments.
    unsafe { queue.launch(kernel, &SHAPE, &[]) }
}

impl Setup {
    fn with(settings: &[(&str, i64)]) -> Self {
        let fake = Fake::new();
        settings.iter().for_each(|(name, value)| fake.set(name, *value));
        Setup::over(fake)
    }

    /// Creates a queue and clears the log.
    fn quiet_queue(&self) -> Arc<dyn Queue> {
        let queue = self.queue();
        self.fake.calls();
        queue
    }

    /// As [`Setup::quiet_queue`], with a kernel.
    fn quiet_pair(&self) -> (Arc<dyn Queue>, Arc<dyn Kernel>) {
        let pair = (self.queue(), self.kernel());
        self.fake.calls();
        pair
    }
}

#[test]
fn finding_devices_uses_none() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let driver = fake.driver();
    assert!(fake.calls().is_empty());
    let devices = driver.devices().expect("devices");
    let asks = |call: &String| call.starts_with("clGetPlatform") || call.starts_with("clGetDevice");
    assert!(fake.calls().iter().all(asks));
    let info = devices[1].info();
    assert_eq!((info.name.as_str(), info.driver_version.as_str(), info.vendor_id), ("Fake 1", "1.2.3", 0x1234));
    assert_eq!((info.kind, info.compute_units, info.local_memory, info.clock_mhz), (DeviceKind::Gpu, 96, 65_536, 1500));
    assert_eq!((info.max_work_item_sizes, &info.sub_group_sizes[..]), ([1024, 1024, 512], &[1][..]));
    // Half precision is computed in `float`.
    let expected = DeviceFeatures::FP64 | DeviceFeatures::FP16 | DeviceFeatures::ATOMIC64;
    let memory = DeviceFeatures::USM_DEVICE | DeviceFeatures::USM_HOST | DeviceFeatures::USM_SHARED;
    assert_eq!(info.features.0, expected | memory | DeviceFeatures::SUBNORMALS | DeviceFeatures::TIMES);
    assert_eq!((driver.absence(), fake.calls()), (None, Vec::new()));
}

#[test]
fn the_target_is_what_the_device_says_it_has() {
    let target = |settings: &[(&str, i64)]| Setup::with(settings).device.target().to_string();
    let usual = "spirv:opencl:1.4:-all:+fp64:+generic:+int64-atomics:+sub-groups:+sub-group-shuffle:+global-variables";
    assert_eq!(target(&[]), usual);
    let more = target(&[("more", 1), ("info 4232", 0x60006)]);
    let lacks = ["fp16", "atomic-min-max-f32", "sub-group-vote", "sub-group-arithmetic", "sub-group-shuffle-relative"];
    let lacks =
        [&lacks[..], &["uniform-group-arithmetic", "bit-instructions", "system-scope", "shader-clock"]].concat();
    assert_eq!(more, format!("spirv:opencl:1.4:-{}", lacks.join(":-")));
    let little = [("info 1069", 0), ("info 104d", 0), ("info 105c", 0), ("info 1032", 0), ("il", 12)];
    assert_eq!(target(&little), "spirv:opencl:1.2:-all:+fp64:+int64-atomics");
    assert!(target(&[("version", 20), ("il", 10), ("info 1069", 0)]).contains("+generic"), "OpenCL 2 has it");
    assert_eq!(Setup::with(&[("more", 1)]).device.info().sub_group_sizes, [8, 16, 32]);
}

#[test]
fn cpus_are_left_to_the_host_driver_unless_asked_for() {
    let fake = Fake::new();
    fake.set("devices", 3);
    fake.set("platforms", 2);
    fake.set("info 1000 0", 2);
    fake.set("info 1000 1", 8);
    let names = |options: OpenClOptions| {
        let devices = sinter_driver_opencl::driver(options).devices().expect("devices");
        devices.iter().map(|device| (device.info().name.clone(), device.info().kind)).collect::<Vec<_>>()
    };
    let (gpu, other) = (("Fake 2".to_owned(), DeviceKind::Gpu), ("Fake 1".to_owned(), DeviceKind::Other));
    let without = [gpu.clone(), gpu, other.clone(), other];
    assert_eq!(names(fake.options()), without);
    let with = names(OpenClOptions { cpus: true, ..fake.options() });
    assert_eq!((&with[..4], &with[4].1, with.len()), (&without[..], &DeviceKind::Cpu, 6));
}

#[test]
fn a_queue_is_in_order_and_keeps_no_times() {
    let setup = Setup::new();
    setup.fake.calls();
    let queue = setup.device.create_queue().expect("queue");
    setup.expect(&["clCreateContext 1 devices", "clCreateCommandQueueWithProperties 0"]);
    drop(queue);
    setup.expect(&["clReleaseCommandQueue"]);
}

#[test]
fn devices_of_a_platform_share_a_context() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    let queues: Vec<_> = devices.iter().map(|device| device.create_queue().expect("queue")).collect();
    assert_eq!(queues[0].native(NativeKind::Context), queues[1].native(NativeKind::Context));
    assert_ne!(queues[0].native(NativeKind::Device), queues[1].native(NativeKind::Device));
    let count = |name: &str, calls: &[String]| calls.iter().filter(|call| call.starts_with(name)).count();
    assert_eq!(count("clCreateContext 2", &fake.calls()), 1);
    drop((queues, devices));
    assert_eq!(count("clReleaseContext", &fake.calls()), 1);
}

#[test]
fn memory_is_asked_for_as_it_is_needed() {
    let setup = Setup::new();
    let _queue = setup.quiet_queue();
    let memory = setup.device.memory();
    let kinds = [MemoryKind::Device, MemoryKind::Shared, MemoryKind::Host];
    let pointers = kinds.map(|kind| memory.allocate(kind, 100, 4096).expect("memory"));
    setup.expect(&["clDeviceMemAllocINTEL 4068", "clSharedMemAllocINTEL 4068", "clHostMemAllocINTEL 4068"]);
    assert!(pointers.iter().all(|pointer| (*pointer as usize).is_multiple_of(4096)));
    for (pointer, kind) in pointers.into_iter().zip(kinds) {
        assert_eq!(memory.query(pointer.wrapping_byte_add(99)).map(|info| info.kind), Some(kind));
        setup.expect(&[]);
        // SAFETY: nothing uses the memory.
        unsafe { memory.free(pointer) }.expect("free");
        setup.expect(&["clMemBlockingFreeINTEL"]);
    }
}

#[test]
fn memory_of_the_program_is_known_and_another_devices_is_not() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let (devices, other) = (fake.devices(), fake.devices());
    let memory = devices[0].memory();
    devices[0].create_queue().expect("a context, so that the library is asked");
    for kind in [MemoryKind::Device, MemoryKind::Host, MemoryKind::Shared] {
        let theirs = other[0].memory().allocate(kind, 300, 64).expect("memory");
        let info = memory.query(theirs.wrapping_byte_add(299)).expect("known to the library");
        assert_eq!((info.kind, info.base, info.size), (kind, theirs, 300));
        assert_eq!(memory.query_own(theirs), None);
    }
    let elsewhere = other[1].memory().allocate(MemoryKind::Device, 300, 64).expect("memory");
    assert_eq!((memory.query(elsewhere), memory.query(ptr::from_ref(&fake).cast())), (None, None));
}

#[test]
fn without_the_extension_memory_is_shared_virtual_memory() {
    let setup = Setup::with(&[("usm", 0)]);
    let (queue, kernel) = setup.quiet_pair();
    let device = setup.allocate(MemoryKind::Device, 4096);
    let shared = setup.allocate(MemoryKind::Shared, 4096);
    setup.expect(&["clSVMAlloc 1 4097", "clSVMAlloc 401 4097"]);
    launch(&*queue, &kernel).expect("launch");
    setup.expect(&["clSetKernelExecInfo 11b6 16", LAUNCHED, "clFlush"]);
    launch(&*queue, &kernel).expect("launch");
    setup.expect(&[LAUNCHED, "clFlush"]);
    // SAFETY: the ranges were allocated, and the stand-in runs commands at once.
    unsafe { queue.copy(shared, device, 4096) }.expect("copy");
    // SAFETY: as above.
    unsafe { queue.fill(shared, &[1, 2], 4) }.expect("fill");
    // SAFETY: as above.
    unsafe { queue.prefetch(shared, 4096, true) }.expect("prefetch");
    setup.expect(&["clEnqueueSVMMemcpy 0 4096", "clFlush", "clEnqueueSVMMemFill 2 8", "clFlush"]);
    // SAFETY: nothing uses the memory.
    unsafe { setup.device.memory().free(shared) }.expect("free");
    setup.expect(&["clSVMFree"]);
    launch(&*queue, &kernel).expect("launch");
    setup.expect(&["clSetKernelExecInfo 11b6 8", LAUNCHED, "clFlush"]);
    // SAFETY: as above.
    unsafe { setup.device.memory().free(device) }.expect("free");
    // An empty list is invalid, and the kernel still has the pointers of the last one.
    launch(&*queue, &kernel).expect("launch");
    setup.expect(&["clSVMFree", "clSVMAlloc 1 64", "clSetKernelExecInfo 11b6 8", LAUNCHED, "clFlush"]);
    let coarse = Setup::with(&[("usm", 0), ("info 1053", 1)]);
    assert_eq!(coarse.device.info().features.0 & (DeviceFeatures::USM_HOST | DeviceFeatures::USM_SHARED), 0);
    for kind in [MemoryKind::Host, MemoryKind::Shared] {
        assert!(coarse.device.memory().allocate(kind, 64, 64).is_err());
    }
}

#[test]
fn code_is_loaded_with_what_launches_need() {
    let setup = Setup::new();
    let _queue = setup.quiet_queue();
    let kernel = setup.device.load(&add_one()).expect("load");
    setup.expect(&[
        "clCreateProgramWithIL 512",
        "clBuildProgram 1 '-cl-fp32-correctly-rounded-divide-sqrt'",
        "clCreateKernel add_one",
        "clSetKernelExecInfo 4200 4",
        "clSetKernelExecInfo 4201 4",
        "clSetKernelExecInfo 4202 4",
        "clGetKernelInfo 1191",
        "clGetKernelWorkGroupInfo 11b0",
        "clGetKernelWorkGroupInfo 11b2",
        "clGetKernelWorkGroupInfo 11b3",
    ]);
    assert_eq!(kernel.choose_group_size([1 << 24, 1, 1]), Some([256, 1, 1]));
    assert_eq!(kernel.choose_group_size([1 << 12, 1 << 12, 1]), Some([32, 8, 1]));
    drop(kernel);
    setup.expect(&["clReleaseKernel", "clReleaseProgram"]);
    let old = Setup::with(&[("version", 20)]);
    let _queue = old.quiet_queue();
    old.device.load(&add_one()).expect("load");
    assert_eq!(old.fake.calls()[0], "clCreateProgramWithILKHR 512");
}

#[test]
fn machine_code_is_made_once_and_again_for_another_driver() {
    let (setup, spirv) = (Setup::new(), add_one());
    let _queue = setup.quiet_queue();
    assert!(!setup.device.is_assembled(&spirv));
    let made = setup.device.assemble(&spirv).expect("assemble").expect("machine code");
    setup.expect(&[
        "clCreateProgramWithIL 512",
        "clBuildProgram 1 '-cl-fp32-correctly-rounded-divide-sqrt'",
        "clGetProgramInfo 1165",
        "clGetProgramInfo 1166",
        "clReleaseProgram",
    ]);
    assert_eq!((made.format, made.bytes.starts_with(b"CLBIN")), (CodeFormat::ClBinary, true));
    let assembly = made.assembly.as_ref().expect("what it was made from");
    assert_eq!((assembly.format, &assembly.text), (CodeFormat::Spirv, &spirv.bytes));
    assert_eq!(assembly.assembler, "opencl 1.2.3 Fake Vendor Fake 0 -cl-fp32-correctly-rounded-divide-sqrt");
    assert!(setup.device.is_assembled(&made) && setup.device.assemble(&made).expect("assemble").is_none());
    setup.device.load(&made).expect("load");
    let programs = |setup: &Setup| {
        let calls = setup.fake.calls().into_iter();
        calls.filter(|call| call.starts_with("clCreateProgram")).collect::<Vec<_>>()
    };
    assert_eq!(programs(&setup), ["clCreateProgramWithBinary 1 518"]);
    let newer = Setup::with(&[("driver", 4)]);
    let _queue = newer.quiet_queue();
    assert!(!newer.device.is_assembled(&made), "another driver made it");
    let again = newer.device.assemble(&made).expect("assemble").expect("machine code");
    assert_eq!(again.assembly.as_ref().map(|assembly| &assembly.text), Some(&spirv.bytes));
    // Code that the driver rejects is an error, which makes the cache replace it.
    assert!(matches!(newer.device.load(&made), Err(DriverError::Load { .. })));
    // A library that returns no machine code.
    let silent = Setup::with(&[("no binary", 1)]);
    assert!(!silent.device.is_assembled(&spirv));
    assert!(silent.device.assemble(&spirv).expect("assemble").is_none());
    assert!(silent.device.is_assembled(&spirv), "it is not asked again");
}

#[test]
fn local_memory_of_the_launch_is_the_last_argument() {
    let setup = Setup::with(&[("fixed", 600)]);
    let (queue, kernel) = (setup.quiet_queue(), setup.device.load(&local()).expect("load"));
    let launch = |local_memory| {
        setup.fake.calls();
        let shape = LaunchShape { global: [64, 1, 1], group: [64, 1, 1], local_memory };
        // SAFETY: the stand-in does not run this kernel.
        unsafe { queue.launch(&kernel, &shape, &[0; 8]) }.map(|_| setup.fake.calls())
    };
    let expected = |size| {
        let last = format!("clSetKernelArg 1 {size} local");
        let calls =
            ["clSetKernelArgMemPointerINTEL 0", &last, "clEnqueueNDRangeKernel local 64 1 1, 64 1 1", "clFlush"];
        calls.map(str::to_owned).to_vec()
    };
    assert_eq!(launch(100).expect("launch"), expected(100));
    assert_eq!(launch(0).expect("launch"), expected(1));
    // The device needs 88 bytes for itself, and the code has 512.
    assert!(launch(65_536 - 600).is_ok() && launch(65_536 - 599).is_err());
}

#[test]
fn commands_record_no_events() {
    let setup = Setup::new();
    let (queue, kernel) = setup.quiet_pair();
    let (a, b) = (setup.allocate(MemoryKind::Device, 4096), setup.allocate(MemoryKind::Shared, 4096));
    setup.fake.calls();
    launch(&*queue, &kernel).expect("launch");
    // SAFETY: the ranges were allocated, and the stand-in runs commands at once.
    unsafe { queue.copy(a, b, 4096) }.expect("copy");
    for pattern in [&[0; 8][..], &[1, 2, 1, 2], &[1, 2, 3, 4]] {
        // SAFETY: as above.
        unsafe { queue.fill(a, pattern, 64) }.expect("fill");
    }
    let rows = Rows { destination_pitch: 64, source_pitch: 128, width: 60, height: 2 };
    // SAFETY: as above.
    unsafe { queue.copy_rows(a, b, rows) }.expect("copy");
    let calls: Vec<_> = setup.fake.calls().into_iter().filter(|call| call != "clFlush").collect();
    let expected = [
        LAUNCHED,
        "clEnqueueMemcpyINTEL 0 4096",
        "clEnqueueMemFillINTEL 1 512",
        "clEnqueueMemFillINTEL 2 256",
        "clEnqueueMemFillINTEL 4 256",
        "clEnqueueMemcpyINTEL 0 60",
        "clEnqueueMemcpyINTEL 0 60",
    ];
    assert_eq!((calls, queue.last()), (expected.map(str::to_owned).to_vec(), Ticket(6)));
    queue.wait(Ticket(6)).expect("wait");
    queue.wait(Ticket(3)).expect("wait");
    setup.expect(&["clFinish"]);
}

#[test]
fn only_memory_that_moves_is_moved() {
    let setup = Setup::new();
    let queue = setup.quiet_queue();
    let (device, shared) = (setup.allocate(MemoryKind::Device, 64), setup.allocate(MemoryKind::Shared, 64));
    setup.fake.calls();
    for (pointer, to_host) in [(device, false), (shared, false), (shared, true)] {
        // SAFETY: the range was allocated.
        unsafe { queue.prefetch(pointer, 64, to_host) }.expect("a platform that does not know flag 0 moves nothing");
        // SAFETY: as above.
        unsafe { queue.advise(pointer, 64, Advice::ReadMostly) }.expect("advise");
    }
    let asks = |call: &String| call.starts_with("clGetMemAllocInfo");
    let calls: Vec<_> = setup.fake.calls().into_iter().filter(|call| !asks(call)).collect();
    let moved = ["clEnqueueMigrateMemINTEL 64 0", "clFlush", "clEnqueueMigrateMemINTEL 64 1", "clFlush"];
    assert_eq!((calls, queue.last()), (moved.map(str::to_owned).to_vec(), Ticket(2)));
}

#[test]
fn markers_are_made_when_somebody_asks() {
    let setup = Setup::new();
    let (queue, kernel) = setup.quiet_pair();
    let tickets: Vec<_> = (0..3).map(|_| launch(&*queue, &kernel).expect("launch")).collect();
    setup.fake.set("hold", 1);
    setup.fake.calls();
    assert!(!queue.is_complete(tickets[0]).expect("query"));
    setup.expect(&[MARKER, "clFlush", STATUS, "clReleaseEvent", MARKER, "clFlush"]);
    assert!(!queue.is_complete(tickets[2]).expect("query"));
    setup.expect(&[STATUS]);
    launch(&*queue, &kernel).expect("launch");
    setup.fake.calls();
    queue.wait(tickets[1]).expect("wait");
    setup.expect(&["clWaitForEvents 1"]);
    setup.fake.set("hold", 0);
    assert!(queue.is_complete(Ticket(4)).expect("query"));
    setup.expect(&[MARKER, "clFlush", STATUS, "clReleaseEvent"]);
}

#[test]
fn a_dependency_is_a_barrier_or_between_platforms_a_wait() {
    let fake = Fake::new();
    fake.set("devices", 2);
    fake.set("platforms", 2);
    let devices = fake.devices();
    let queues: Vec<_> = devices.iter().map(|device| device.create_queue().expect("queue")).collect();
    let kernel = devices[0].load(&nothing("k")).expect("load");
    fake.set("hold", 1);
    let ticket = launch(&*queues[0], &kernel).expect("launch");
    queues[0].is_complete(ticket).expect("query");
    for (queue, expected) in [(1, &["clEnqueueBarrierWithWaitList 1", "clFlush"][..]), (2, &["clWaitForEvents 1"])] {
        fake.calls();
        queues[queue].depend(&queues[0], ticket).expect("depend");
        assert_eq!(
            (&fake.calls()[1..], queues[queue].last()),
            (&expected.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()[..], Ticket(1))
        );
    }
}

#[test]
fn times_are_kept_by_another_queue() {
    let setup = Setup::new();
    let (queue, kernel) = setup.quiet_pair();
    setup.fake.set("tick", 5_000);
    let before = queue.native(NativeKind::Stream);
    queue.enable_profiling().expect("profiling");
    assert_eq!(setup.fake.calls()[..2], ["clCreateCommandQueueWithProperties 2", "clFinish"]);
    assert_ne!(queue.native(NativeKind::Stream), before);
    let mut last = 0;
    for _ in 0..10 {
        setup.fake.calls();
        let ticket = launch(&*queue, &kernel).expect("launch");
        let calls: Vec<_> = setup.fake.calls().into_iter().filter(|call| call != "clReleaseEvent").collect();
        assert_eq!(calls, [MARKER, "clFlush", LAUNCHED, "clFlush", MARKER, "clFlush"]);
        let times = queue.profile(ticket).expect("profile").expect("times");
        assert!((4_999..=5_001).contains(&(times.end - times.start)) && times.start >= last, "{times:?}");
        last = times.end;
    }
    setup.fake.calls();
    drop(queue);
    let released = setup.fake.calls().into_iter().filter(|call| call == "clReleaseCommandQueue").count();
    assert_eq!(released, 2, "the queue before stays until then, since the program may have it");
}

#[test]
fn handles_go_out_and_queues_come_in() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    let device = &devices[0];
    assert_eq!(device.native(NativeKind::ExistingContext).expect("no error"), Some(ptr::null_mut()));
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    let context = device.native(NativeKind::Context).expect("no error");
    assert_eq!(
        (queue.native(NativeKind::Context), device.native(NativeKind::ExistingContext).expect("no error")),
        (context, context)
    );
    assert_eq!(kernel.native(NativeKind::Context), context);
    assert!(kernel.native(NativeKind::Module).is_some() && kernel.native(NativeKind::Function).is_some());
    let handle = queue.native(NativeKind::Stream).expect("a queue");
    // SAFETY: the queue lives longer than the adopted one.
    let adopted = unsafe { device.adopt_queue(handle) }.expect("adopt");
    assert_eq!(adopted.native(NativeKind::Stream), Some(handle));
    let error = adopted.enable_profiling().expect_err("the program's queue keeps no times");
    assert!(
        std::error::Error::source(&error)
            .is_some_and(|source| source.to_string().contains("CL_QUEUE_PROFILING_ENABLE"))
    );
    launch(&*adopted, &kernel).expect("launch");
    fake.calls();
    drop(adopted);
    assert_eq!(fake.calls(), ["clFinish"]);
    // SAFETY: the queue lives longer than the call.
    let foreign = unsafe { devices[1].adopt_queue(handle) };
    assert!(matches!(foreign.map(drop), Err(DriverError::Foreign { what: "stream", .. })));
    fake.set("properties", 1);
    // SAFETY: as above.
    let unordered = unsafe { device.adopt_queue(handle) };
    assert!(matches!(unordered.map(drop), Err(DriverError::Unsupported { .. })));
    assert!(!device.set_peer_access(&*devices[1], true).expect("no error"));
    assert!(device.set_peer_access(&**device, false).expect("its own memory"));
}
