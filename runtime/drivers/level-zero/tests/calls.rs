//! The calls that the driver makes for each command.
//!
//! In: commands. Out: the log of the stand-in. *Invariant:* each test ends without a violation of
//! the specification and without objects left.

mod common;

use common::{Fake, Parameter, add_one, code, nothing};
use sinter_core::{CodeFormat, LaunchShape, Target};
use sinter_driver::{
    Advice, Device, DeviceFeatures, DeviceKind, Driver, DriverError, Kernel, MemoryKind, NativeKind, Queue, Rows,
    Ticket,
};
use std::{ffi::c_void, ptr, sync::Arc, thread};

fn shape(items: u64, group: u32, local_memory: u32) -> LaunchShape {
    LaunchShape { global: [items, 1, 1], group: [group, 1, 1], local_memory }
}

fn launch(queue: &dyn Queue, kernel: &Arc<dyn Kernel>, shape: &LaunchShape, arguments: &[u8]) -> Ticket {
    // SAFETY: only `add_one` uses memory in the stand-in, and it is not launched here.
    unsafe { queue.launch(kernel, shape, arguments) }.expect("launch")
}

/// The end of a test: all objects were dropped, and no call was wrong.
fn ends(fake: &Fake) {
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn devices_say_what_they_are() {
    let fake = Fake::new();
    let device = fake.device();
    let info = device.info();
    assert_eq!((&*info.name, &*info.vendor, info.vendor_id), ("Stand-in 0", "Intel", 0x8086));
    assert_eq!((info.driver, &*info.driver_version, info.kind), ("level-zero", "1.3.27642", DeviceKind::Gpu));
    assert_eq!((info.compute_units, info.max_work_group_size, info.local_memory), (32, 1024, 65_536));
    assert_eq!((info.clock_mhz, &*info.sub_group_sizes), (2400, &[8, 16, 32][..]));
    let has = |feature| info.features.0 & feature != 0;
    assert!(has(DeviceFeatures::FP64) && has(DeviceFeatures::USM_SHARED) && !has(DeviceFeatures::USM_SYSTEM));
    let Target::Spirv(target) = device.target() else { panic!("{:?}", device.target()) };
    assert_eq!(
        target.to_string(),
        "level-zero:1.4:-atomic-add-f64:-atomic-min-max-f64:-uniform-group-arithmetic:-float-controls:-expect-assume:-bit-instructions:-shader-clock"
    );
    ends(&fake);
}

#[test]
fn what_a_driver_does_not_name_is_not_there() {
    let fake = Fake::new();
    fake.set("extensions", 0);
    fake.set("module flags", 0);
    fake.set("spirv 0", 0x0001_0002);
    let target = fake.device().target().to_string();
    assert!(target.ends_with("level-zero:1.2:-all:+generic:+global-variables:+system-scope"), "{target}");
}

#[test]
fn the_context_comes_with_the_first_use_and_is_shared() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let devices = fake.devices();
    assert_eq!(fake.calls_of("zeContextCreate").len(), 0);
    assert_eq!(devices[0].native(NativeKind::ExistingContext).expect("native"), Some(ptr::null_mut()));
    let queues: Vec<_> = devices.iter().map(|device| device.create_queue().expect("queue")).collect();
    assert_eq!(fake.calls_of("zeContextCreate").len(), 1);
    let context = devices[0].native(NativeKind::Context).expect("native").expect("a context");
    assert_eq!(devices[1].native(NativeKind::ExistingContext).expect("native"), Some(context));
    assert_eq!(queues[0].native(NativeKind::Context), Some(context));
    assert_eq!(queues[0].native(NativeKind::Device), devices[0].native(NativeKind::Device).expect("native"));
    assert_ne!(queues[0].native(NativeKind::Device), queues[1].native(NativeKind::Device));
    assert!(devices[0].set_peer_access(&*devices[1], true).expect("peer"));
    fake.set("peers", 0);
    assert!(!devices[0].set_peer_access(&*devices[1], true).expect("peer"));
    drop((queues, devices));
    ends(&fake);
}

#[test]
fn lists_are_in_order_or_get_barriers() {
    for (fake, flags, between) in [(Fake::new(), 2, 0), (Fake::old(), 0, 3)] {
        let device = fake.device();
        let queue = device.create_queue().expect("queue");
        let made = fake.calls_of("zeCommandListCreateImmediate");
        assert_eq!(made, [format!("zeCommandListCreateImmediate group 1 flags {flags} mode 2")]);
        let kernel = device.load(&nothing("k")).expect("load");
        for _ in 0..3 {
            launch(&*queue, &kernel, &shape(64, 64, 0), &[]);
        }
        let calls = fake.names();
        let count = |name: &str| calls.iter().filter(|call| *call == name).count();
        assert_eq!(count("zeCommandListAppendLaunchKernel"), 3);
        assert_eq!(count("zeCommandListAppendBarrier"), between);
        queue.wait(queue.last()).expect("wait");
        drop((kernel, queue, device));
        ends(&fake);
    }
}

#[test]
fn a_launch_sets_what_the_kernel_takes() {
    let fake = Fake::new();
    let (device, parameters) = (fake.device(), [Parameter::Pointer, Parameter::Int, Parameter::Local]);
    let mut object = code("k", &parameters);
    object.entry.local_memory = 96;
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&object).expect("load"));
    assert_eq!(fake.calls_of("zeKernelSetIndirectAccess"), ["zeKernelSetIndirectAccess 7"]);
    launch(&*queue, &kernel, &shape(1000, 128, 32), &[0; 16]);
    let expected = [
        "zeKernelSetGroupSize 128 1 1",
        "zeKernelSetArgumentValue 0: 8",
        "zeKernelSetArgumentValue 1: 4",
        "zeKernelSetArgumentValue 2: 32 local",
        "zeCommandListAppendLaunchKernel k 8 1 1",
    ];
    assert_eq!(fake.calls(), expected);
    // Without dynamic local memory the pointer still needs a size; the group size is already set.
    launch(&*queue, &kernel, &shape(128, 128, 0), &[0; 16]);
    let calls = fake.calls();
    assert_eq!((calls.len(), &*calls[2]), (4, "zeKernelSetArgumentValue 2: 1 local"));
    // SAFETY: a refused launch runs nothing.
    let refused = unsafe { queue.launch(&kernel, &shape(1, 1, 65_536 - 95), &[0; 16]) };
    let reason = refused.expect_err("too much local memory").to_string();
    assert!(reason.contains("declares 96 bytes"), "{reason}");
    // SAFETY: as above.
    let short = unsafe { queue.launch(&kernel, &shape(1, 1, 0), &[0; 15]) };
    assert!(matches!(short, Err(DriverError::Launch { .. })));
    drop((kernel, queue, device));
    ends(&fake);
}

#[test]
fn machine_code_is_made_once_and_again_for_another_driver() {
    let fake = Fake::new();
    let (device, spirv) = (fake.device(), add_one());
    assert!(!device.is_assembled(&spirv));
    let made = device.assemble(&spirv).expect("assemble").expect("machine code");
    assert_eq!((made.format, made.bytes.starts_with(b"ZEBIN")), (CodeFormat::ZeBinary, true));
    let assembly = made.assembly.as_ref().expect("what it was made from");
    assert_eq!((assembly.format, &assembly.text), (CodeFormat::Spirv, &spirv.bytes));
    assert_eq!(assembly.assembler, "level-zero 1.3.27642 8086:56a0");
    assert!(device.is_assembled(&made) && device.assemble(&made).expect("assemble").is_none());
    fake.calls();
    device.load(&made).expect("load");
    assert_eq!(fake.calls_of("zeModuleCreate"), ["zeModuleCreate native"]);
    drop(device);
    fake.set("version", 0x0103_7000);
    let newer = fake.device();
    assert!(!newer.is_assembled(&made), "another driver made it");
    let again = newer.assemble(&made).expect("assemble").expect("machine code");
    assert_eq!(again.assembly.as_ref().map(|assembly| &assembly.text), Some(&spirv.bytes));
    // Code that the driver rejects is an error, which makes the cache replace it.
    assert!(matches!(newer.load(&made), Err(DriverError::Load { .. })));
    drop(newer);
    ends(&fake);
}

#[test]
fn times_are_written_only_where_they_were_asked_for() {
    let fake = Fake::new();
    let device = fake.device();
    let (plain, timed) = (device.create_queue().expect("queue"), device.create_queue().expect("queue"));
    let kernel = device.load(&nothing("k")).expect("load");
    launch(&*plain, &kernel, &shape(64, 64, 0), &[]);
    plain.wait(plain.last()).expect("wait");
    assert!(!fake.names().iter().any(|name| name.contains("Event") || name.contains("Timestamp")));
    timed.enable_profiling().expect("profiling");
    launch(&*timed, &kernel, &shape(64, 64, 0), &[]);
    let times = timed.profile(timed.last()).expect("profile").expect("times");
    assert!(times.submit <= times.start && times.start <= times.end);
    let names = fake.names();
    let count = |name: &str| names.iter().filter(|call| *call == name).count();
    assert_eq!((count("zeEventPoolCreate"), count("zeMemAllocHost")), (1, 1));
    assert_eq!(count("zeCommandListAppendWriteGlobalTimestamp"), 4, "two to begin with, two for the launch");
    drop((kernel, plain, timed, device));
    ends(&fake);
}

#[test]
fn fills_take_whole_patterns_where_they_can() {
    let fake = Fake::new();
    let device = fake.device();
    let queue = device.create_queue().expect("queue");
    let memory = device.memory().allocate(MemoryKind::Device, 4096, 64).expect("memory");
    let fill = |offset: usize, pattern: &[u8], count: usize| {
        fake.calls();
        // SAFETY: the range is in the allocation, which outlives the wait.
        unsafe { queue.fill(memory.wrapping_byte_add(offset), pattern, count) }.expect("fill");
        fake.calls()
    };
    let doubles = 1.5f64.to_ne_bytes();
    assert_eq!(fill(0, &doubles, 100), ["zeCommandListAppendMemoryFill 8 x 100"]);
    assert_eq!(fill(0, &[7; 128], 3), ["zeCommandListAppendMemoryFill 128 x 3"]);
    assert!(fill(4, &doubles, 100).len() > 1, "the address is not aligned to the pattern");
    assert!(fill(0, &[1, 2, 3], 100).len() > 1, "the size is not a power of two");
    assert!(fill(0, &doubles, 0).is_empty());
    queue.wait(queue.last()).expect("wait");
    // SAFETY: every command was waited for.
    unsafe { device.memory().free(memory) }.expect("free");
    drop((queue, device));
    ends(&fake);
}

#[test]
fn rows_are_one_region_and_advice_has_a_list() {
    let fake = Fake::new();
    let device = fake.device();
    let queue = device.create_queue().expect("queue");
    let shared = device.memory().allocate(MemoryKind::Shared, 4096, 64).expect("memory");
    let rows = Rows { destination_pitch: 64, source_pitch: 100, width: 31, height: 5 };
    let mut there = [0u8; 512];
    fake.calls();
    // SAFETY: both ranges hold the rows and outlive the wait.
    unsafe { queue.copy_rows(there.as_mut_ptr().cast(), shared, rows) }.expect("rows");
    assert_eq!(fake.calls(), ["zeCommandListAppendMemoryCopyRegion 100 -> 64, 31 x 5"]);
    for (advice, numbers) in [
        (Advice::ReadMostly, vec![0]),
        (Advice::PreferDevice, vec![2]),
        (Advice::PreferHost, vec![3]),
        (Advice::Default, vec![1, 3]),
    ] {
        // SAFETY: the range is the allocation.
        unsafe { queue.advise(shared, 4096, advice) }.expect("advice");
        let expected: Vec<_> = numbers.iter().map(|n| format!("zeCommandListAppendMemAdvise 4096 {n}")).collect();
        assert_eq!(fake.calls_of("zeCommandListAppendMemAdvise"), expected);
    }
    // SAFETY: as above.
    unsafe { queue.prefetch(shared, 4096, false) }.expect("prefetch");
    // SAFETY: as above. Memory migrates to the host when the host accesses it.
    unsafe { queue.prefetch(shared, 4096, true) }.expect("prefetch");
    assert_eq!(fake.calls_of("zeCommandListAppendMemoryPrefetch").len(), 1);
    queue.wait(queue.last()).expect("wait");
    // SAFETY: every command was waited for.
    unsafe { device.memory().free(shared) }.expect("free");
    drop((queue, device));
    ends(&fake);
}

/// A list that the program creates with the vendor's API.
fn own_list(fake: &Fake, context: *mut c_void, device: *mut c_void, in_order: bool) -> *mut c_void {
    use level_zero_sys::types::{QUEUE_IN_ORDER, QueueDesc, Structure};
    type Create = unsafe extern "C" fn(*mut c_void, *mut c_void, *const QueueDesc, *mut *mut c_void) -> u32;
    // SAFETY: the stand-in defines the function with this type.
    let create = unsafe { fake.library().get::<Create>(b"zeCommandListCreateImmediate") }.expect("the function");
    let (mut desc, mut list) = (QueueDesc::new(), ptr::null_mut());
    (desc.ordinal, desc.flags) = (1, if in_order { QUEUE_IN_ORDER } else { 0 });
    // SAFETY: the handles are alive, and `list` is writable.
    assert_eq!(unsafe { create(context, device, &raw const desc, &raw mut list) }, 0);
    list
}

fn call_with_handle(fake: &Fake, name: &str, handle: *mut c_void) {
    // SAFETY: the stand-in defines the function with this type.
    let function = unsafe { fake.library().get::<unsafe extern "C" fn(*mut c_void) -> u32>(name.as_bytes()) };
    // SAFETY: the handle is alive.
    assert_eq!(unsafe { function.expect("the function")(handle) }, 0);
}

#[test]
fn lists_of_the_program_are_taken_as_they_are() {
    let fake = Fake::new();
    let device = fake.device();
    let context = device.native(NativeKind::Context).expect("native").expect("a context");
    let handle = device.native(NativeKind::Device).expect("native").expect("a device");
    for (in_order, barriers) in [(true, 0), (false, 2)] {
        let list = own_list(&fake, context, handle, in_order);
        // SAFETY: the list is alive and outlives the queue.
        let queue = unsafe { device.adopt_queue(list) }.expect("a queue");
        assert_eq!(queue.native(NativeKind::Stream), Some(list));
        let kernel = device.load(&nothing("k")).expect("load");
        fake.calls();
        launch(&*queue, &kernel, &shape(64, 64, 0), &[]);
        launch(&*queue, &kernel, &shape(64, 64, 0), &[]);
        assert_eq!(fake.calls_of("zeCommandListAppendBarrier").len(), barriers);
        queue.wait(queue.last()).expect("wait");
        drop((kernel, queue));
        assert!(fake.calls_of("zeCommandListDestroy").is_empty(), "the list is the program's");
        call_with_handle(&fake, "zeCommandListDestroy", list);
    }
    drop(device);
    ends(&fake);
}

#[test]
fn lists_of_other_contexts_are_refused() {
    let fake = Fake::new();
    let (first, second) = (fake.device(), fake.device());
    let native = |device: &dyn Device, kind| device.native(kind).expect("native").expect("a handle");
    let list = own_list(&fake, native(&*first, NativeKind::Context), native(&*first, NativeKind::Device), true);
    native(&*second, NativeKind::Context);
    // SAFETY: the list is alive.
    let refused = unsafe { second.adopt_queue(list) };
    assert!(matches!(refused, Err(DriverError::Foreign { .. })));
    fake.set("immediate", 0);
    // SAFETY: as above.
    let refused = unsafe { first.adopt_queue(list) };
    assert!(matches!(refused, Err(DriverError::Foreign { .. })));
    call_with_handle(&fake, "zeCommandListDestroy", list);
    drop((first, second));
    ends(&fake);
}

#[test]
fn two_drivers_of_one_library_wait_for_each_other_on_the_host() {
    let fake = Fake::new();
    // Each has a context of its own, as drivers of two vendors would.
    let (first, second) = (fake.device(), fake.device());
    let (a, b) = (first.create_queue().expect("queue"), second.create_queue().expect("queue"));
    let kernel = first.load(&nothing("k")).expect("load");
    let ticket = launch(&*a, &kernel, &shape(64, 64, 0), &[]);
    fake.set("hold", 1);
    fake.calls();
    b.depend(&a, ticket).expect("depend");
    assert!(!fake.names().iter().any(|name| name == "zeCommandListAppendWaitOnEvents"));
    fake.set("hold", 0);
    b.wait(b.last()).expect("wait");
    drop((kernel, a, b, first, second));
    ends(&fake);
}

#[test]
fn events_that_lists_wait_for_are_kept() {
    let fake = Fake::new();
    let device = fake.device();
    let (a, b, c) = (
        device.create_queue().expect("queue"),
        device.create_queue().expect("queue"),
        device.create_queue().expect("queue"),
    );
    let kernel = device.load(&nothing("k")).expect("load");
    fake.set("busy", 1);
    for _ in 0..200 {
        let ticket = launch(&*a, &kernel, &shape(64, 64, 0), &[]);
        b.depend(&a, ticket).expect("depend");
        // The mark of `a` is signalled, but `b` may not have reached it.
        a.wait(ticket).expect("wait");
        launch(&*c, &kernel, &shape(64, 64, 0), &[]);
        c.is_complete(c.last()).expect("query");
    }
    fake.set("busy", 0);
    let made = fake.calls_of("zeEventCreate").len();
    assert!((2..150).contains(&made), "{made} events: they are used again once the waits are over");
    b.wait(b.last()).expect("wait");
    drop((kernel, a, b, c, device));
    ends(&fake);
}

#[test]
fn the_driver_proposes_group_sizes() {
    let fake = Fake::new();
    let device = fake.device();
    let kernel = device.load(&nothing("k")).expect("load");
    let chosen = |items: u64| kernel.choose_group_size([items, 1, 1]).expect("a size");
    assert_eq!(chosen(1000), [250, 1, 1]);
    assert_eq!(chosen(16), [16, 1, 1]);
    assert_eq!(chosen(1_000_003), [256, 1, 1], "a prime number has no divisor that fills a sub-group");
    assert_eq!(chosen(1 << 40), [256, 1, 1], "the proposal has 32 bits");
    assert_eq!(chosen(0), [1, 1, 1]);
    fake.set("threads", 128);
    let smaller = device.load(&nothing("l")).expect("load");
    let [x, ..] = smaller.choose_group_size([1 << 20, 1, 1]).expect("a size");
    assert!(x <= 128, "{x}");
    drop((kernel, smaller, device));
    ends(&fake);
}

#[test]
fn no_two_threads_append_to_one_list() {
    let fake = Fake::new();
    let device = fake.device();
    let queue = device.create_queue().expect("queue");
    fake.set("slow", 200);
    // One kernel for each thread: launches of the same kernel are serialised anyway.
    let work = |number: usize| {
        let kernel = device.load(&nothing(&format!("k{number}"))).expect("load");
        (0..20).fold(Ticket(0), |_, _| launch(&*queue, &kernel, &shape(64, 64, 0), &[]))
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|number| {
                scope.spawn({
                    let work = &work;
                    move || work(number)
                })
            })
            .collect();
        assert!(workers.into_iter().all(|worker| worker.join().is_ok()));
    });
    queue.wait(queue.last()).expect("wait");
    assert_eq!(queue.last(), Ticket(80));
    drop((queue, device));
    ends(&fake);
}

#[test]
fn kernels_show_their_handles() {
    let fake = Fake::new();
    let device = fake.device();
    let kernel = device.load(&nothing("k")).expect("load");
    let [module, function] = [NativeKind::Module, NativeKind::Function].map(|kind| kernel.native(kind));
    assert!(module.is_some() && function.is_some() && module != function);
    for kind in [NativeKind::Device, NativeKind::Context] {
        assert_eq!(kernel.native(kind), device.native(kind).expect("native"));
    }
    assert_eq!(kernel.native(NativeKind::Stream), None);
    drop((kernel, device));
    ends(&fake);
}

#[test]
fn memory_of_the_program_is_known() {
    let fake = Fake::new();
    fake.set("devices", 2);
    let driver = fake.driver();
    let devices = driver.devices().expect("devices");
    let memory = devices[1].memory().allocate(MemoryKind::Device, 100, 64).expect("memory");
    assert!(devices[0].memory().query(memory).is_none(), "it has no context yet");
    let queue = devices[0].create_queue().expect("queue");
    assert!(devices[0].memory().query(memory).is_none(), "it is another device's");
    let context = devices[0].native(NativeKind::Context).expect("native").expect("a context");
    let own = own_memory(&fake, context, 300);
    let known = devices[0].memory().query(own.wrapping_byte_add(100)).expect("known");
    assert_eq!((known.kind, known.base, known.size), (MemoryKind::Host, own, 300));
    assert!(devices[0].memory().query_own(own).is_none());
    // SAFETY: nothing uses the memory, which the stand-in drops at the end of the process.
    unsafe { devices[1].memory().free(memory) }.expect("free");
    drop((queue, devices, driver));
    assert_eq!(fake.faults(), ["LEFT memory of 300 bytes"]);
}

/// Host memory that the program allocates with the vendor's API.
fn own_memory(fake: &Fake, context: *mut c_void, size: usize) -> *mut c_void {
    use level_zero_sys::types::{HostMemoryDesc, Structure};
    type Allocate = unsafe extern "C" fn(*mut c_void, *const HostMemoryDesc, usize, usize, *mut *mut c_void) -> u32;
    // SAFETY: the stand-in defines the function with this type.
    let allocate = unsafe { fake.library().get::<Allocate>(b"zeMemAllocHost") }.expect("the function");
    let (desc, mut memory) = (HostMemoryDesc::new(), ptr::null_mut());
    // SAFETY: the context is alive, and `memory` is writable.
    assert_eq!(unsafe { allocate(context, &raw const desc, size, 64, &raw mut memory) }, 0);
    memory
}
