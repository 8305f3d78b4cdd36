//! The sequence of calls to NVIDIA's driver, with their arguments.
//!
//! In: a stand-in that logs. Out: the calls of one step at a time. *Invariant:* the logs have all
//! calls except queries of the current context.

mod common;
#[path = "../../common/tests/shared/setup.rs"]
mod setup;

use common::{Fake, add_one, nothing};
use setup::Setup;
use sinter_core::{CodeFormat, LaunchShape};
use sinter_driver::{
    Advice, DeviceFeatures, Driver, DriverError, Kernel, Limit, MemoryKind, NativeKind, Queue, RegisteredAccess, Rows,
    Ticket, Unregistered, meter::Meter,
};
use sinter_driver_cuda::CudaOptions;
use std::{ffi::c_void, ptr, sync::Arc};

const SHAPE: LaunchShape = LaunchShape { global: [1000, 1, 1], group: [128, 1, 1], local_memory: 64 };

fn launch(queue: &dyn Queue, kernel: &Arc<dyn Kernel>) -> Result<Ticket, DriverError> {
    // SAFETY: the tests launch kernels without arguments, or with a pointer that the stand-in can
    // use.
    unsafe { queue.launch(kernel, &SHAPE, &[]) }
}

#[test]
fn finding_devices_makes_no_context() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let driver = fake.driver();
    assert!(fake.calls().is_empty());
    let devices = driver.devices().expect("devices");
    let calls = fake.calls();
    assert_eq!(calls[..3], ["cuInit 0", "cuDriverGetVersion", "cuDeviceGetCount"]);
    let harmless = |call: &&String| call.starts_with("cuDevice") && !call.contains("Ctx");
    assert_eq!(calls[3..].iter().filter(harmless).count(), calls.len() - 3, "{calls:?}");
    let info = devices[1].info();
    assert_eq!((info.name.as_str(), info.driver_version.as_str(), info.vendor_id), ("NVIDIA Fake 1", "13.0", 0x10de));
    assert_eq!((info.compute_units, info.local_memory, info.clock_mhz), (132, 232_448, 1980));
    assert_eq!((info.max_work_item_sizes, &info.sub_group_sizes[..]), ([1024, 1024, 64], &[32][..]));
    assert_eq!(info.features.0 & DeviceFeatures::USM_SHARED, DeviceFeatures::USM_SHARED);
    assert_eq!(info.features.0 & DeviceFeatures::USM_SYSTEM, 0);
    assert_eq!(devices[0].target().to_string(), "ptx:sm_90");
    assert_eq!((driver.absence(), fake.calls()), (None, Vec::new()));
}

#[test]
fn the_first_queue_makes_the_context() {
    let setup = Setup::new();
    setup.fake.calls();
    let queue = setup.queue();
    setup.expect(&["cuDevicePrimaryCtxRetain 0", "cuCtxSetCurrent 0", "cuStreamCreate 1"]);
    drop(queue);
    setup.expect(&["cuStreamDestroy_v2"]);
    let Setup { fake, device } = setup;
    drop(device);
    assert_eq!(fake.calls(), ["cuDevicePrimaryCtxRelease_v2 0"]);
}

#[test]
fn another_context_stays_the_programs() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    setup.fake.set("devices", 2);
    let other = setup.fake.driver().devices().expect("devices").remove(1);
    let handle = other.native(NativeKind::Context).expect("no error").expect("context");
    // SAFETY: the library stays loaded, and the function has this type.
    let library = unsafe { libloading::Library::new(&setup.fake.path) }.expect("library");
    // SAFETY: as above.
    let set = unsafe { library.get::<unsafe extern "C" fn(*mut c_void) -> u32>(b"cuCtxSetCurrent") }.expect("symbol");
    // SAFETY: the context is alive.
    assert_eq!(unsafe { set(handle) }, 0);
    setup.fake.calls();
    launch(&*queue, &kernel).expect("launch");
    setup.expect(&["cuCtxPushCurrent_v2 0", "cuLaunchKernel k 8 1 1, 128 1 1, 64, 0", "cuCtxPopCurrent_v2"]);
}

#[test]
fn a_thread_with_two_gpus_does_not_push_and_pop() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.driver().devices().expect("devices");
    let queues: Vec<_> = devices.iter().map(|device| device.create_queue().expect("queue")).collect();
    let kernels: Vec<_> = devices.iter().map(|device| device.load(&nothing("k")).expect("load")).collect();
    fake.calls();
    for _ in 0..2 {
        for (queue, kernel) in queues.iter().zip(&kernels) {
            launch(&**queue, kernel).expect("launch");
        }
    }
    let launched = "cuLaunchKernel k 8 1 1, 128 1 1, 64, 0";
    let round = ["cuCtxSetCurrent 0", launched, "cuCtxSetCurrent 1", launched];
    assert_eq!(fake.calls(), [round, round].concat());
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
    setup.expect(&["cuMemAlloc_v2 3940", "cuMemGetInfo_v2", "cuMemAllocManaged 1048576 1", "cuMemHostAlloc 10 3"]);
    assert!((aligned as usize).is_multiple_of(4096));
    assert_eq!(memory.query(shared.wrapping_byte_add(5)).map(|info| info.kind), Some(MemoryKind::Shared));
    setup.expect(&[]);
    for pointer in [first, aligned, shared, host] {
        // SAFETY: nothing uses the memory.
        unsafe { memory.free(pointer) }.expect("free");
    }
    setup.expect(&["cuMemFree_v2", "cuMemFree_v2", "cuMemFree_v2", "cuMemFreeHost"]);
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
    setup.expect(&["cuMemHostRegister_v2 5000 3", "cuMemHostGetDevicePointer_v2 0"]);
    let twice = register(4999, 1, RegisteredAccess::ReadOnly).map(drop);
    assert_eq!(reason(twice), (4999, Unregistered::Twice));
    setup.expect(&["cuMemHostRegister_v2 1 11"]);
    unregister().expect("unregistered");
    assert_eq!(reason(unregister()), (0, Unregistered::Never));
    setup.expect(&["cuMemHostUnregister", "cuMemHostUnregister"]);
    setup.fake.fail("cuMemHostRegister_v2", 1, 0, 1);
    assert_eq!(reason(register(0, 1, RegisteredAccess::ReadWrite).map(drop)), (0, Unregistered::Unfit));
    for (code, wanted) in [(2, "out of memory"), (801, "no registration"), (700, "cannot be used")] {
        setup.fake.fail("cuMemHostGetDevicePointer_v2", code, 0, 1);
        let error = register(0, 1, RegisteredAccess::ReadWrite).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error}");
    }
    let ended = setup.fake.calls().iter().filter(|call| *call == "cuMemHostUnregister").count();
    assert_eq!(ended, 3, "a registration without an address ends");
    assert!(matches!(unregister(), Err(DriverError::Lost { .. })));
    setup.expect(&[]);
}

#[test]
fn memory_of_the_program_is_known() {
    let setup = Setup::new();
    let other = setup.fake.device();
    let theirs = other.memory().allocate(MemoryKind::Device, 300, 64).expect("memory");
    assert_eq!(setup.device.memory().query(theirs), None, "nothing is asked before there is a context");
    setup.queue();
    let info = setup.device.memory().query(theirs.wrapping_byte_add(299)).expect("known to the driver");
    assert_eq!((info.kind, info.base, info.size), (MemoryKind::Device, theirs, 300));
    assert_eq!(setup.device.memory().query((&raw const setup).cast()), None);
    // SAFETY: the pointer is not an allocation of this device, which free must notice.
    let freed = unsafe { setup.device.memory().free(theirs) };
    assert!(matches!(freed, Err(DriverError::UnknownPointer { .. })), "{freed:?}");
}

#[test]
fn memory_of_a_second_gpu_is_not_the_first_ones() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.driver().devices().expect("devices");
    let (first, second) = (devices[0].memory(), devices[1].memory());
    devices[0].create_queue().expect("a context, so that the driver is asked");
    for kind in [MemoryKind::Host, MemoryKind::Shared, MemoryKind::Device] {
        let pointer = second.allocate(kind, 300, 64).expect("memory");
        assert_eq!((first.query(pointer), first.query_own(pointer)), (None, None), "{kind:?}");
        assert_eq!(second.query_own(pointer).map(|info| info.kind), Some(kind));
        // SAFETY: nothing uses the memory.
        unsafe { second.free(pointer) }.expect("free");
    }
}

#[test]
fn ptx_is_assembled_and_loaded() {
    let setup = Setup::new();
    setup.queue();
    setup.fake.calls();
    let code = setup.device.assemble(&add_one()).expect("assemble").expect("PTX is not ready");
    let size = common::ADD_ONE.len() + 1;
    let add = format!("cuLinkAddData_v2 1 {size} add_one");
    setup.expect(&[
        "cuLinkCreate_v2 6=8192 4=8192 8=0",
        &add,
        "cuLinkComplete",
        "cuLinkDestroy",
        "cuModuleLoadDataEx 4 options",
        "cuModuleGetFunction add_one",
        "cuFuncGetAttribute 4",
        "cuFuncGetAttribute 3",
        "cuFuncGetAttribute 0",
        "cuModuleUnload",
    ]);
    let assembly = code.assembly.as_ref().expect("the PTX");
    assert_eq!((code.format, assembly.format), (CodeFormat::Cubin, CodeFormat::Ptx));
    assert_eq!((assembly.assembler.as_str(), &*assembly.text), ("cuda 13.0 sm_90", common::ADD_ONE.as_bytes()));
    let kernel = setup.device.load(&code).expect("load");
    setup.expect(&[
        "cuModuleLoadDataEx 4 options",
        "cuModuleGetFunction add_one",
        "cuFuncGetAttribute 0",
        "cuFuncGetAttribute 1",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor 192 0",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor 256 0",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor 512 0",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor 1024 0",
    ]);
    assert_eq!(kernel.choose_group_size([1 << 24, 1, 1]), Some([192, 1, 1]));
    setup.expect(&[]);
    assert!(setup.device.is_assembled(&code) && !setup.device.is_assembled(&add_one()));
    drop(kernel);
    setup.expect(&["cuModuleUnload"]);
}

#[test]
fn a_loop_that_reads_gets_more_registers_if_nothing_is_spilled() {
    let limit = |fake: &Fake| {
        let reading = "$L__BB0_1:\n  ld.global.u64 %d6, [%d5];\n  @%p bra $L__BB0_1;\n  ret;\n}";
        let text = common::ADD_ONE.replace("  ret;\n}", reading);
        let code =
            fake.device().assemble(&common::ptx("add_one", &text, 2)).expect("assemble").expect("PTX is not ready");
        assert_eq!(
            &*code.assembly.expect("the PTX").text,
            text.as_bytes(),
            "the cache keeps what the translator wrote"
        );
        let cubin = String::from_utf8_lossy(&code.bytes).into_owned();
        cubin.split_once(".maxnreg ").map(|(_, rest)| rest[..2].to_owned())
    };
    let fake = Fake::new();
    assert_eq!(limit(&fake), None);
    fake.set("registers", 32);
    assert_eq!(limit(&fake).as_deref(), Some("40"));
    assert_eq!(fake.calls().iter().filter(|call| *call == "cuLinkComplete").count(), 3);
    fake.set("spilled", 8);
    assert_eq!(limit(&fake), None);
}

#[test]
fn level_and_line_tables_are_told() {
    let fake = Fake::new();
    let options = CudaOptions { jit_level: Some(1), ..fake.options() };
    let device = sinter_driver_cuda::driver(options).devices().expect("devices").remove(0);
    let mut code = add_one();
    code.bytes = Arc::from(common::ADD_ONE.replace("  ret;", "  .loc\t1 7 3\n  ret;").as_bytes());
    let quick = device.assemble(&code).expect("assemble").expect("PTX is not ready");
    assert!(fake.calls().contains(&"cuLinkCreate_v2 6=8192 4=8192 8=0 7=1 13=1".to_owned()));
    assert_eq!(quick.assembly.as_ref().expect("the PTX").assembler, "cuda 13.0 sm_90 O1");
    let best = fake.device().assemble(&quick).expect("assemble").expect("another level is not ready");
    assert_eq!(best.assembly.expect("the PTX").assembler, "cuda 13.0 sm_90");
}

#[test]
fn more_local_memory_than_every_kernel_has_is_asked_for_once() {
    let setup = Setup::new();
    let queue = setup.queue();
    let asked = |declared: u32, local_memory: u32| {
        let mut code = nothing("k");
        code.entry.local_memory = declared;
        let kernel = setup.device.load(&code).expect("load");
        for _ in 0..2 {
            // SAFETY: the kernel has no arguments.
            unsafe { queue.launch(&kernel, &LaunchShape { local_memory, ..SHAPE }, &[]) }.expect("launch");
        }
        setup.fake.calls().into_iter().filter(|call| call.starts_with("cuFuncSetAttribute")).collect::<Vec<_>>()
    };
    assert!(asked(1024, 47 << 10).is_empty());
    assert_eq!(asked(0, (48 << 10) + 1), ["cuFuncSetAttribute 8 232448"]);
    assert_eq!(asked(64 << 10, 0), ["cuFuncSetAttribute 8 232448"]);
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
    // SAFETY: as above.
    unsafe { queue.fill(a, &[0; 8], 512) }.expect("fill");
    // SAFETY: as above.
    unsafe { queue.fill(a, &7u64.to_ne_bytes(), 512) }.expect("fill");
    let rows = Rows { destination_pitch: 64, source_pitch: 128, width: 60, height: 8 };
    // SAFETY: as above.
    unsafe { queue.copy_rows(a, b, rows) }.expect("copy");
    let calls: Vec<_> = setup.fake.calls().into_iter().filter(|call| !call.starts_with("cuPointerGet")).collect();
    let expected = [
        "cuLaunchKernel k 8 1 1, 128 1 1, 64, 0",
        "cuMemcpyAsync 4096",
        "cuMemsetD8Async 0 4096",
        "cuMemsetD2D32Async 8 7 1 x 512",
        "cuMemsetD2D32Async 8 0 1 x 512",
        "cuMemcpy2DAsync_v2 4 128 -> 4 64, 60 x 8",
    ];
    assert_eq!((calls, queue.last()), (expected.map(String::from).to_vec(), Ticket(6)));
    queue.wait(Ticket(6)).expect("wait");
    queue.wait(Ticket(3)).expect("wait");
    setup.expect(&["cuStreamSynchronize"]);
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
    let calls: Vec<_> = setup.fake.calls().into_iter().filter(|call| !call.starts_with("cuPointerGet")).collect();
    let expected = [
        "cuMemPrefetchAsync 64 0",
        "cuMemAdvise 64 2 0",
        "cuMemAdvise 64 4 0",
        "cuMemPrefetchAsync 64 -1",
        "cuMemAdvise 64 3 -1",
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
    assert_eq!(calls[0], "cuStreamQuery");
    assert!(calls[1].starts_with("cuEventCreate 2") && calls[2].starts_with("cuEventRecord"), "{calls:?}");
    assert!(!queue.is_complete(tickets[2]).expect("query"));
    let again = setup.fake.calls();
    assert!(again.len() == 1 && again[0].starts_with("cuEventQuery"), "{again:?}");
    launch(&*queue, &kernel).expect("launch");
    setup.fake.calls();
    queue.wait(tickets[1]).expect("wait");
    let waited = setup.fake.calls();
    assert!(waited.len() == 1 && waited[0].starts_with("cuEventSynchronize"), "{waited:?}");
    setup.fake.set("hold", 0);
    assert!(queue.is_complete(Ticket(4)).expect("query"));
    setup.expect(&["cuStreamQuery"]);
}

#[test]
fn a_dependency_is_an_event_and_a_ticket() {
    let setup = Setup::new();
    let (a, b, kernel) = (setup.queue(), setup.queue(), setup.kernel());
    let ticket = launch(&*a, &kernel).expect("launch");
    b.depend(&a, ticket).expect("depend");
    assert_eq!(b.last(), Ticket(0), "the ticket was complete");
    setup.fake.set("hold", 1);
    let ticket = launch(&*a, &kernel).expect("launch");
    setup.fake.calls();
    a.depend(&a, ticket).expect("depend");
    setup.expect(&[]);
    b.depend(&a, ticket).expect("depend");
    let calls: Vec<_> = setup.fake.calls().iter().map(|call| call.split(' ').next().map(str::to_owned)).collect();
    let expected = ["cuStreamQuery", "cuEventCreate", "cuEventRecord", "cuStreamWaitEvent"];
    assert_eq!((calls, b.last()), (expected.map(|name| Some(name.to_owned())).to_vec(), Ticket(1)));
    let unknown = b.depend(&a, Ticket(99));
    assert!(matches!(unknown, Err(DriverError::UnknownTicket { .. })), "{unknown:?}");
}

#[test]
fn profiling_is_two_events_for_each_command() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    queue.enable_profiling().expect("profiling");
    setup.fake.calls();
    let ticket = launch(&*queue, &kernel).expect("launch");
    let names = |calls: Vec<String>| -> Vec<_> {
        calls.iter().filter_map(|call| call.split(' ').next().map(str::to_owned)).collect()
    };
    let calls: Vec<_> = names(setup.fake.calls()).into_iter().filter(|name| name != "cuEventCreate").collect();
    assert_eq!(calls, ["cuEventRecord", "cuLaunchKernel", "cuEventRecord"]);
    let times = queue.profile(ticket).expect("profile").expect("times");
    assert!(0 < times.submit && times.submit <= times.start && times.start <= times.end, "{times:?}");
    assert!(times.end - times.submit < 1_000_000_000, "{times:?}");
    let calls = names(setup.fake.calls());
    assert_eq!(calls, ["cuEventSynchronize", "cuEventSynchronize", "cuEventElapsedTime", "cuEventElapsedTime"]);
}

#[test]
fn marks_of_a_busy_stream_do_not_pile_up() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    setup.fake.set("busy", 1);
    setup.fake.calls();
    for _ in 0..1000 {
        let ticket = launch(&*queue, &kernel).expect("launch");
        assert!(!queue.is_complete(ticket).expect("query"), "the stream has more to do");
    }
    let made = setup.fake.calls().iter().filter(|call| call.starts_with("cuEventCreate")).count();
    assert!((1..100).contains(&made), "{made} events");
}

#[test]
fn durations_are_exact_after_a_pause() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    setup.fake.set("tick", 5_000);
    queue.enable_profiling().expect("profiling");
    let mut last = 0;
    for hours in 0..3 {
        setup.fake.set("time", hours * 3_600_000_000_000);
        for _ in 0..10 {
            let ticket = launch(&*queue, &kernel).expect("launch");
            let times = queue.profile(ticket).expect("profile").expect("times");
            assert!((4_999..=5_001).contains(&(times.end - times.start)) && times.start >= last, "{times:?}");
            last = times.end;
        }
    }
}

#[test]
fn launches_of_a_metered_kernel_are_timed_and_none_waits() {
    let setup = Setup::new();
    let (queue, kernel, meter) = (setup.queue(), setup.kernel(), Arc::<Meter>::default());
    let metered = kernel.metered(&meter).expect("a driver with times");
    drop(kernel);
    setup.fake.set("tick", 5_000);
    setup.fake.set("hold", 1);
    setup.fake.calls();
    (0..40).for_each(|_| _ = launch(&*queue, &metered).expect("launch"));
    let calls = setup.fake.calls();
    let count = |name: &str| calls.iter().filter(|call| call.starts_with(name)).count();
    assert_eq!((count("cuLaunchKernel"), count("cuEventRecord")), (40, 32), "few events are kept");
    assert_eq!((count("cuEventSynchronize"), count("cuEventElapsedTime"), meter.usual()), (0, 0, None));
    setup.fake.set("hold", 0);
    launch(&*queue, &metered).expect("launch");
    let items = 8 * 128;
    assert_eq!(meter.usual(), Some(5_000_000 / items), "picoseconds of a work-item");
    setup.fake.calls();
    drop((metered, queue));
    assert!(setup.fake.calls().contains(&"cuModuleUnload".to_owned()), "the code went with its last kernel");
}

#[test]
fn code_stays_until_the_streams_have_passed() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    launch(&*queue, &kernel).expect("launch");
    setup.fake.set("hold", 1);
    setup.fake.calls();
    drop(kernel);
    assert!(!setup.fake.calls().contains(&"cuModuleUnload".to_owned()));
    setup.fake.set("hold", 0);
    let next = setup.device.load(&nothing("next")).expect("load");
    assert!(setup.fake.calls().contains(&"cuModuleUnload".to_owned()));
    launch(&*queue, &next).expect("launch");
    setup.fake.set("hold", 1);
    drop(next);
    drop(queue);
    let calls = setup.fake.calls();
    assert!(calls.contains(&"cuStreamSynchronize".to_owned()), "the queue waits for what uses the program's memory");
    setup.fake.set("hold", 0);
    setup.queue();
    setup.device.load(&nothing("last")).expect("load");
    assert!(setup.fake.calls().contains(&"cuModuleUnload".to_owned()));
}

#[test]
fn handles_go_out_and_streams_come_in() {
    let setup = Setup::new();
    let (queue, kernel) = (setup.queue(), setup.kernel());
    let (device, stream) = (&setup.device, queue.native(NativeKind::Stream).expect("stream"));
    assert_eq!(device.native(NativeKind::Device).expect("no error"), Some(ptr::null_mut()));
    assert_eq!(queue.native(NativeKind::Context), device.native(NativeKind::Context).expect("context"));
    assert!(kernel.native(NativeKind::Module).is_some() && kernel.native(NativeKind::Function).is_some());
    assert_eq!(kernel.native(NativeKind::Stream), None);
    // SAFETY: the stream lives longer than the adopted queue.
    let adopted = unsafe { device.adopt_queue(stream) }.expect("adopt");
    assert_eq!(adopted.native(NativeKind::Stream), Some(stream));
    launch(&*adopted, &kernel).expect("launch");
    setup.fake.calls();
    drop(adopted);
    setup.expect(&["cuStreamSynchronize"]);
    // SAFETY: CU_STREAM_PER_THREAD is refused.
    let of_each_thread = unsafe { device.adopt_queue(ptr::without_provenance_mut(2)) };
    assert!(matches!(of_each_thread.map(drop), Err(DriverError::Unsupported { .. })));
    setup.expect(&[]);
}

#[test]
fn looking_for_a_context_starts_no_gpu() {
    let setup = Setup::new();
    let existing = || setup.device.native(NativeKind::ExistingContext).expect("no error");
    setup.fake.calls();
    assert_eq!(existing(), Some(ptr::null_mut()));
    setup.expect(&["cuDevicePrimaryCtxGetState 0"]);
    let theirs = setup.fake.device();
    let made = theirs.native(NativeKind::Context).expect("no error");
    assert_eq!(existing(), made, "the program's own primary context");
}

#[test]
fn limits_are_those_of_the_context() {
    let fake = Fake::new();
    let device = &fake.driver().devices().expect("devices")[0];
    assert!(device.set_limit(Limit::Stack, 8192).expect("a stack"));
    assert!(device.set_limit(Limit::Prints, 1 << 20).expect("a buffer"));
    let calls = fake.calls();
    let expected = ["cuCtxSetLimit 0 8192", "cuCtxSetLimit 1 1048576"].map(str::to_owned);
    assert_eq!(calls.iter().filter(|call| call.starts_with("cuCtxSetLimit")).collect::<Vec<_>>(), expected.each_ref());
    fake.fail("cuCtxSetLimit", 1, 0, 1);
    let refused = device.set_limit(Limit::Stack, usize::MAX).expect_err("too much").to_string();
    assert!(refused.contains("cuCtxSetLimit"), "{refused}");
}

#[test]
fn peers_are_asked_and_told() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.driver().devices().expect("devices");
    assert!(devices[0].set_peer_access(&*devices[1], true).expect("peers"));
    let calls = fake.calls();
    assert!(calls.ends_with(&["cuCtxEnablePeerAccess 1 0".to_owned()]), "{calls:?}");
    fake.fail("cuCtxEnablePeerAccess", 704, 0, 1);
    assert!(devices[0].set_peer_access(&*devices[1], true).expect("enabled already"));
    assert!(!devices[0].set_peer_access(&*devices[1], false).expect("disabled"), "it is not possible any more");
    fake.fail("cuCtxDisablePeerAccess", 705, 0, 1);
    assert!(!devices[0].set_peer_access(&*devices[1], false).expect("disabled already"));
    assert!(devices[0].set_peer_access(&*devices[0], false).expect("its own memory"));
    fake.set("peers", 0);
    assert!(!devices[0].set_peer_access(&*devices[1], false).expect("no peers"));
    let queue = devices[1].create_queue().expect("queue");
    // SAFETY: the stream lives longer than the call.
    let foreign = unsafe { devices[0].adopt_queue(queue.native(NativeKind::Stream).expect("stream")) };
    assert!(matches!(foreign.map(drop), Err(DriverError::Foreign { what: "stream", .. })));
    let kernel = devices[0].load(&nothing("k")).expect("load");
    assert!(matches!(launch(&*queue, &kernel), Err(DriverError::Foreign { what: "kernel", .. })));
}
