//! The sequence of calls to AMD's library, with their arguments.
//!
//! In: a stand-in that logs. Out: the calls of one step at a time. *Invariant:* the logs have all
//! calls except queries of the current device.

mod common;
#[path = "../../common/tests/shared/setup.rs"]
mod setup;

use common::{Fake, add_one, nothing};
use setup::Setup;
use sinter_core::LaunchShape;
use sinter_driver::{
    Advice, DeviceFeatures, Driver, DriverError, Kernel, MemoryKind, NativeKind, Queue, RegisteredAccess, Rows, Ticket,
    Unregistered,
};
use std::{ffi::c_void, ptr, sync::Arc};

const SHAPE: LaunchShape = LaunchShape { global: [1000, 1, 1], group: [128, 1, 1], local_memory: 64 };
const LAUNCHED: &str = "hipModuleLaunchKernel k 8 1 1, 128 1 1, 64, 0";

fn launch(queue: &dyn Queue, kernel: &Arc<dyn Kernel>) -> Result<Ticket, DriverError> {
    // SAFETY: the tests launch kernels without arguments.
    unsafe { queue.launch(kernel, &SHAPE, &[]) }
}

impl Setup {
    /// Queries the library as the program would: its current device, or its last error.
    fn ask(&self, symbol: &str) -> i32 {
        let mut answer = -7;
        // SAFETY: both functions have this type; the second does not read its argument.
        let ask = unsafe { self.fake.library().get::<unsafe extern "C" fn(*mut i32) -> i32>(symbol.as_bytes()) };
        // SAFETY: `answer` is writable.
        let code = unsafe { ask.expect("symbol")(&raw mut answer) };
        if answer == -7 { code } else { answer }
    }
}

fn names(calls: Vec<String>) -> Vec<String> {
    calls.iter().filter_map(|call| call.split(' ').next().map(str::to_owned)).collect()
}

#[test]
fn finding_devices_uses_none() {
    let fake = Fake::new();
    fake.set("devices", 2);
    fake.set("target 1", common::RDNA);
    let driver = fake.driver();
    assert!(fake.calls().is_empty());
    let devices = driver.devices().expect("devices");
    let calls = fake.calls();
    assert_eq!(calls[..3], ["hipRuntimeGetVersion", "hipInit 0", "hipGetDeviceCount"]);
    let harmless = |call: &&String| call.starts_with("hipDevice") || call.starts_with("hipGetDeviceProperties");
    assert_eq!(calls[3..].iter().filter(harmless).count(), calls.len() - 3, "{calls:?}");
    let info = devices[1].info();
    assert_eq!((info.name.as_str(), info.driver_version.as_str(), info.vendor_id), ("AMD Fake 1", "6.2", 0x1002));
    assert_eq!((info.compute_units, info.local_memory, info.clock_mhz), (104, 65_536, 1700));
    assert_eq!((info.max_work_item_sizes, &info.sub_group_sizes[..]), ([1024; 3], &[32][..]));
    assert_eq!(devices[0].info().sub_group_sizes, [64]);
    assert_eq!(info.features.0 & DeviceFeatures::USM_SHARED, DeviceFeatures::USM_SHARED);
    assert_eq!(info.features.0 & DeviceFeatures::USM_SYSTEM, 0);
    let targets: Vec<_> = devices.iter().map(|device| device.target().to_string()).collect();
    assert_eq!(targets, ["amdgpu:gfx90a:sramecc+:xnack-", "amdgpu:gfx1030"]);
    assert_eq!((driver.absence(), fake.calls()), (None, Vec::new()));
}

#[test]
fn the_target_is_where_the_version_has_it() {
    let old = Fake::of_rocm_5();
    let device = old.device();
    assert_eq!(
        (device.target().to_string().as_str(), device.info().driver_version.as_str()),
        ("amdgpu:gfx90a:sramecc+:xnack-", "5.2")
    );
    let new = Fake::new();
    new.device();
    assert!(!new.calls().iter().any(|call| call.starts_with("hipGetDeviceProperties ")));
    new.set("new properties are empty", 1);
    assert_eq!(new.device().target().to_string(), "amdgpu:gfx90a:sramecc+:xnack-");
}

#[test]
fn attributes_decide_about_waves_and_memory_of_the_system_is_not_offered() {
    let fake = Fake::new();
    fake.set("target 0", common::RDNA);
    fake.set("attribute 87", 64);
    // `hipDeviceAttributePageableMemoryAccess`: kernels could access such memory, but fills could
    // not.
    fake.set("attribute 65", 1);
    fake.set("nameless", 1);
    let device = fake.device();
    assert_eq!(device.target().to_string(), "amdgpu:gfx1030:wavefrontsize64+");
    assert_eq!((device.info().name.as_str(), &device.info().sub_group_sizes[..]), ("AMD gfx1030", &[64][..]));
    assert_eq!(device.info().features.0 & DeviceFeatures::USM_SYSTEM, 0);
}

#[test]
fn a_queue_is_a_stream() {
    let setup = Setup::new();
    setup.fake.calls();
    let queue = setup.queue();
    setup.expect(&["hipStreamCreateWithFlags 1"]);
    drop(queue);
    setup.expect(&["hipStreamDestroy"]);
}

#[test]
fn the_current_device_stays_the_programs() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    let queues: Vec<_> = devices.iter().map(|device| device.create_queue().expect("queue")).collect();
    let kernels: Vec<_> = devices.iter().map(|device| device.load(&nothing("k")).expect("load")).collect();
    let setup = Setup { fake, device: Arc::clone(&devices[0]) };
    let round = || queues.iter().zip(&kernels).for_each(|(queue, kernel)| assert!(launch(&**queue, kernel).is_ok()));
    setup.fake.calls();
    round();
    setup.expect(&[LAUNCHED, "hipSetDevice 1", LAUNCHED, "hipSetDevice 0"]);
    // SAFETY: the function has this type.
    let set = unsafe { setup.fake.library().get::<unsafe extern "C" fn(i32) -> u32>(b"hipSetDevice") };
    // SAFETY: there is such a device.
    assert_eq!(unsafe { set.expect("symbol")(1) }, 0);
    setup.fake.calls();
    round();
    setup.expect(&["hipSetDevice 0", LAUNCHED, "hipSetDevice 1", LAUNCHED]);
    setup.fake.fail("hipModuleLaunchKernel", 1, 0, 1);
    assert!(launch(&*queues[0], &kernels[0]).is_err());
    assert_eq!(setup.ask("hipGetDevice"), 1, "also after an error");
}

#[test]
fn memory_is_asked_for_as_it_is_needed() {
    let setup = Setup::new();
    let memory = setup.device.memory();
    let first = setup.allocate(MemoryKind::Device, 100);
    setup.fake.calls();
    let aligned = memory.allocate(MemoryKind::Device, 100, 4096).expect("memory");
    let shared = setup.allocate(MemoryKind::Shared, 1 << 20);
    let host = setup.allocate(MemoryKind::Host, 10);
    setup.expect(&["hipMalloc 3940", "hipMemGetInfo", "hipMallocManaged 1048576 1", "hipHostMalloc 10 40000003"]);
    assert!((aligned as usize).is_multiple_of(4096));
    assert_eq!(memory.query(shared.wrapping_byte_add(5)).map(|info| info.kind), Some(MemoryKind::Shared));
    setup.expect(&[]);
    for pointer in [first, aligned, shared, host] {
        // SAFETY: nothing uses the memory.
        unsafe { memory.free(pointer) }.expect("free");
    }
    setup.expect(&["hipFree", "hipFree", "hipFree", "hipHostFree"]);
}

#[test]
fn memory_of_the_program_can_be_registered() {
    let setup = Setup::new();
    setup.queue();
    setup.fake.set("shift", 4096);
    setup.fake.calls();
    let mut memory = vec![0u8; 5000];
    let start: *mut c_void = memory.as_mut_ptr().cast();
    let register = |offset: usize, size, access| {
        // SAFETY: the memory outlives the registrations.
        unsafe { setup.device.register_memory(start.wrapping_byte_add(offset), size, access) }
    };
    // SAFETY: nothing uses the memory.
    let unregister = || unsafe { setup.device.unregister_memory(start) };
    let reason = |result: Result<(), DriverError>| match result {
        Err(DriverError::Registration { pointer, reason, .. }) => (pointer - start.addr(), reason),
        other => panic!("{other:?}"),
    };
    assert_eq!(register(0, 5000, RegisteredAccess::ReadWrite).expect("registered"), start.wrapping_byte_add(4096));
    setup.expect(&["hipHostRegister 5000 3", "hipHostGetDevicePointer 0"]);
    let twice = register(4999, 1, RegisteredAccess::ReadOnly).map(drop);
    assert_eq!(reason(twice), (4999, Unregistered::Twice));
    let clears = |calls: Vec<String>| {
        let is_query = |call: &&String| call.starts_with("hipGetLastError") || call.starts_with("hipGetDevice");
        (calls.iter().any(|call| call.starts_with("hipGetLastError")), calls.iter().filter(|c| !is_query(c)).count())
    };
    assert_eq!(clears(setup.fake.calls()), (true, 1), "the program does not see the error");
    unregister().expect("unregistered");
    assert_eq!(reason(unregister()), (0, Unregistered::Never));
    assert_eq!(clears(setup.fake.calls()), (true, 2));
}

fn knows_memory_of_the_program(setup: &Setup) {
    let other = setup.fake.device();
    let memory = setup.device.memory();
    setup.queue();
    memory.allocate(MemoryKind::Device, 1, 1).expect("a context, so that the library is asked");
    for kind in [MemoryKind::Device, MemoryKind::Host, MemoryKind::Shared] {
        let theirs = other.memory().allocate(kind, 300, 64).expect("memory");
        let info = memory.query(theirs.wrapping_byte_add(299)).expect("known to the library");
        assert_eq!((info.kind, info.base, info.size), (kind, theirs, 300));
        assert_eq!(memory.query_own(theirs), None);
        // SAFETY: the pointer is not an allocation of this device, which free must notice.
        let freed = unsafe { memory.free(theirs) };
        assert!(matches!(freed, Err(DriverError::UnknownPointer { .. })), "{freed:?}");
    }
    assert_eq!(memory.query(ptr::from_ref(setup).cast()), None);
    assert_eq!(setup.ask("hipGetLastError"), 0, "the program finds no error of ours");
}

#[test]
fn memory_of_the_program_is_known_to_both_versions() {
    knows_memory_of_the_program(&Setup::new());
    knows_memory_of_the_program(&Setup::over(Fake::of_rocm_5()));
}

#[test]
fn memory_of_a_second_gpu_is_not_the_first_ones() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    let (first, second) = (devices[0].memory(), devices[1].memory());
    devices[0].create_queue().expect("a context, so that the library is asked");
    for kind in [MemoryKind::Host, MemoryKind::Shared, MemoryKind::Device] {
        let pointer = second.allocate(kind, 300, 64).expect("memory");
        assert_eq!((first.query(pointer), first.query_own(pointer)), (None, None), "{kind:?}");
        // SAFETY: nothing uses the memory.
        unsafe { second.free(pointer) }.expect("free");
    }
}

#[test]
fn code_is_loaded_with_what_launches_need() {
    let setup = Setup::new();
    setup.fake.calls();
    let kernel = setup.device.load(&add_one()).expect("load");
    let active = "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor";
    setup.expect(&[
        "hipModuleLoadDataEx 2 options",
        "hipModuleGetFunction add_one",
        "hipFuncGetAttribute 0",
        "hipFuncGetAttribute 1",
        &format!("{active} 256 0"),
        &format!("{active} 128 0"),
        &format!("{active} 512 0"),
        &format!("{active} 1024 0"),
    ]);
    assert_eq!(kernel.choose_group_size([1 << 24, 1, 1]), Some([256, 1, 1]));
    assert_eq!(kernel.choose_group_size([1 << 12, 1 << 12, 1]), Some([64, 4, 1]));
    assert!(setup.device.is_assembled(&add_one()) && setup.device.assemble(&add_one()).expect("no error").is_none());
    setup.expect(&[]);
    drop(kernel);
    setup.expect(&["hipModuleUnload"]);
}

#[test]
fn local_memory_of_variables_is_not_asked_for_again() {
    let setup = Setup::new();
    setup.fake.set("fixed", 1000);
    let mut code = nothing("k");
    code.entry.local_memory = 1024;
    let (queue, kernel) = (setup.queue(), setup.device.load(&code).expect("load"));
    setup.fake.calls();
    launch(&*queue, &kernel).expect("launch");
    setup.expect(&["hipModuleLaunchKernel k 8 1 1, 128 1 1, 88, 0"]);
    let most = |local_memory| {
        // SAFETY: the kernel has no arguments.
        unsafe { queue.launch(&kernel, &LaunchShape { local_memory, ..SHAPE }, &[]) }
    };
    assert!(most((64 << 10) - 1024).is_ok() && most((64 << 10) - 1023).is_err());
}

#[test]
fn commands_are_single_calls_without_events() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    let (a, b) = (setup.allocate(MemoryKind::Device, 4096), setup.allocate(MemoryKind::Shared, 4096));
    setup.fake.calls();
    launch(&*queue, &kernel).expect("launch");
    // SAFETY: the ranges were allocated, and the stand-in runs commands at once.
    unsafe { queue.copy(a, b, 4096) }.expect("copy");
    // SAFETY: as above.
    unsafe { queue.copy(a, b, 0) }.expect("copy");
    for pattern in [&[0; 8][..], &[1, 2, 1, 2], &[1, 2, 3, 4]] {
        // SAFETY: as above.
        unsafe { queue.fill(a, pattern, 64) }.expect("fill");
    }
    let rows = Rows { destination_pitch: 64, source_pitch: 128, width: 60, height: 8 };
    // SAFETY: as above.
    unsafe { queue.copy_rows(a, b, rows) }.expect("copy");
    setup.expect(&[
        LAUNCHED,
        "hipMemcpyAsync 4096 4",
        "hipMemsetD8Async 0 512",
        "hipMemsetD16Async 513 128",
        "hipMemsetD32Async 67305985 64",
        "hipMemcpy2DAsync 128 -> 64, 60 x 8 4",
    ]);
    assert_eq!(queue.last(), Ticket(7));
    queue.wait(Ticket(7)).expect("wait");
    queue.wait(Ticket(3)).expect("wait");
    setup.expect(&["hipStreamSynchronize"]);
}

#[test]
fn longer_patterns_are_doubled() {
    let setup = Setup::new();
    let (queue, a) = (setup.queue(), setup.allocate(MemoryKind::Device, 4096));
    setup.fake.calls();
    // SAFETY: the range was allocated, and the stand-in runs commands at once.
    unsafe { queue.fill(a, &7u64.to_ne_bytes(), 5) }.expect("fill");
    let copies = ["hipMemcpyAsync 8 4", "hipMemcpyAsync 16 4", "hipMemcpyAsync 8 4"];
    setup.expect(&[&["hipMemsetD32Async 7 1", "hipMemsetD32Async 0 1"][..], &copies].concat());
    assert_eq!(queue.last(), Ticket(1));
}

#[test]
fn only_memory_that_moves_is_moved() {
    let setup = Setup::new();
    let queue = setup.queue();
    let (device, shared) = (setup.allocate(MemoryKind::Device, 64), setup.allocate(MemoryKind::Shared, 64));
    setup.fake.calls();
    for (pointer, to_host) in [(device, false), (shared, false), (shared, true)] {
        // SAFETY: the range was allocated.
        unsafe { queue.prefetch(pointer, 64, to_host) }.expect("prefetch");
        // SAFETY: as above.
        unsafe { queue.advise(pointer, 64, if to_host { Advice::PreferHost } else { Advice::Default }) }
            .expect("advise");
    }
    let asks = |call: &String| call.starts_with("hipPointerGet") || call.starts_with("hipMemGetAddressRange");
    let calls: Vec<_> = setup.fake.calls().into_iter().filter(|call| !asks(call)).collect();
    let expected = [
        "hipMemPrefetchAsync 64 0",
        "hipMemAdvise 64 2 0",
        "hipMemAdvise 64 4 0",
        "hipMemPrefetchAsync 64 -1",
        "hipMemAdvise 64 3 -1",
    ];
    assert_eq!((calls, queue.last()), (expected.map(String::from).to_vec(), Ticket(2)));
}

#[test]
fn events_are_recorded_when_somebody_asks() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    let tickets: Vec<_> = (0..3).map(|_| launch(&*queue, &kernel).expect("launch")).collect();
    setup.fake.set("hold", 1);
    setup.fake.calls();
    assert!(!queue.is_complete(tickets[0]).expect("query"));
    let calls = setup.fake.calls();
    assert_eq!(calls[..2], ["hipStreamQuery", "hipGetLastError 600"], "the program finds no error of ours");
    assert!(calls[2].starts_with("hipEventCreateWithFlags 2") && calls[3].starts_with("hipEventRecord"), "{calls:?}");
    assert!(!queue.is_complete(tickets[2]).expect("query"));
    let again = names(setup.fake.calls());
    assert_eq!(again, ["hipEventQuery", "hipGetLastError"]);
    launch(&*queue, &kernel).expect("launch");
    setup.fake.calls();
    queue.wait(tickets[1]).expect("wait");
    assert_eq!(names(setup.fake.calls()), ["hipEventSynchronize"]);
    setup.fake.set("hold", 0);
    assert!(queue.is_complete(Ticket(4)).expect("query"));
    setup.expect(&["hipStreamQuery"]);
}

#[test]
fn a_dependency_is_an_event_and_a_ticket() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    let (a, b) = (devices[0].create_queue().expect("queue"), devices[1].create_queue().expect("queue"));
    let kernel = devices[0].load(&nothing("k")).expect("load");
    fake.set("hold", 1);
    let ticket = launch(&*a, &kernel).expect("launch");
    fake.calls();
    b.depend(&a, ticket).expect("depend");
    let expected = [
        "hipStreamQuery",
        "hipGetLastError",
        "hipEventCreateWithFlags",
        "hipEventRecord",
        "hipSetDevice",
        "hipStreamWaitEvent",
        "hipSetDevice",
    ];
    assert_eq!((names(fake.calls()), b.last()), (expected.map(String::from).to_vec(), Ticket(1)));
    let unknown = b.depend(&a, Ticket(99));
    assert!(matches!(unknown, Err(DriverError::UnknownTicket { .. })), "{unknown:?}");
}

#[test]
fn profiling_is_two_events_for_each_command() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    setup.fake.set("tick", 5_000);
    queue.enable_profiling().expect("profiling");
    assert!(setup.fake.calls().contains(&"hipEventCreateWithFlags 0".to_owned()));
    let mut last = 0;
    for _ in 0..10 {
        setup.fake.calls();
        let ticket = launch(&*queue, &kernel).expect("launch");
        let calls = names(setup.fake.calls()).into_iter().filter(|name| name != "hipEventCreateWithFlags");
        assert_eq!(calls.collect::<Vec<_>>(), ["hipEventRecord", "hipModuleLaunchKernel", "hipEventRecord"]);
        let times = queue.profile(ticket).expect("profile").expect("times");
        assert!((4_999..=5_001).contains(&(times.end - times.start)) && times.start >= last, "{times:?}");
        last = times.end;
    }
}

#[test]
fn code_stays_until_the_streams_have_passed() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    launch(&*queue, &kernel).expect("launch");
    setup.fake.set("hold", 1);
    setup.fake.calls();
    drop(kernel);
    assert!(!setup.fake.calls().contains(&"hipModuleUnload".to_owned()));
    setup.fake.set("hold", 0);
    // The stand-in ends the process if the code object has been freed.
    let next = setup.device.load(&nothing("next")).expect("load");
    assert!(setup.fake.calls().contains(&"hipModuleUnload".to_owned()));
    launch(&*queue, &next).expect("launch");
}

#[test]
fn handles_go_out_and_streams_come_in() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    let (device, stream) = (&setup.device, queue.native(NativeKind::Stream).expect("stream"));
    assert_eq!(device.native(NativeKind::Device).expect("no error"), Some(ptr::null_mut()));
    assert_eq!(
        (queue.native(NativeKind::Context), device.native(NativeKind::Context).expect("no error")),
        (None, None)
    );
    assert!(kernel.native(NativeKind::Module).is_some() && kernel.native(NativeKind::Function).is_some());
    // SAFETY: the stream lives longer than the adopted queue.
    let adopted = unsafe { device.adopt_queue(stream) }.expect("adopt");
    assert_eq!(adopted.native(NativeKind::Stream), Some(stream));
    launch(&*adopted, &kernel).expect("launch");
    setup.fake.calls();
    drop(adopted);
    setup.expect(&["hipStreamSynchronize"]);
    // SAFETY: hipStreamPerThread is refused.
    let of_each_thread = unsafe { device.adopt_queue(ptr::without_provenance_mut(2)) };
    assert!(matches!(of_each_thread.map(drop), Err(DriverError::Unsupported { .. })));
    setup.expect(&[]);
}

#[test]
fn peers_are_asked_and_told() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    let set = |from: usize, enable| devices[from].set_peer_access(&*devices[1 - from], enable).expect("no error");
    assert!(set(1, true));
    let calls = fake.calls();
    let expected =
        ["hipDeviceCanAccessPeer 1 0", "hipSetDevice 1", "hipDeviceEnablePeerAccess 0 0 on 1", "hipSetDevice 0"];
    assert!(calls.ends_with(&expected.map(String::from)), "{calls:?}");
    fake.fail("hipDeviceEnablePeerAccess", 704, 0, 1);
    assert!(set(0, true), "enabled already");
    fake.fail("hipDeviceDisablePeerAccess", 705, 0, 1);
    assert!(!set(0, false), "disabled already");
    assert!(devices[0].set_peer_access(&*devices[0], false).expect("its own memory"));
    fake.set("peers", 0);
    assert!(!set(0, true), "no peers");
    let queue = devices[1].create_queue().expect("queue");
    // SAFETY: the stream lives longer than the call.
    let foreign = unsafe { devices[0].adopt_queue(queue.native(NativeKind::Stream).expect("stream")) };
    assert!(matches!(foreign.map(drop), Err(DriverError::Foreign { what: "stream", .. })));
    let kernel = devices[0].load(&nothing("k")).expect("load");
    assert!(matches!(launch(&*queue, &kernel), Err(DriverError::Foreign { what: "kernel", .. })));
}
