//! Missing, rejected or broken things cause errors with a remedy.
//!
//! In: a stand-in with injected failures. Out: the errors. *Invariant:* a lost device is not called
//! again.

mod common;
#[path = "../../common/tests/shared/failures.rs"]
mod failures;

use common::{Fake, add_one, launch, nothing};
use sinter_core::{Argument, CodeObject, LaunchShape};
use sinter_driver::{DeviceFeatures, DriverError, Kernel, MemoryKind, NativeKind, Queue, Rows, Ticket};
use sinter_driver_cuda::{CudaError, CudaOptions};
use std::{path::Path, sync::Arc};

const OUT_OF_MEMORY: u32 = 2;
const DEINITIALIZED: u32 = 4;
const NO_DEVICE: u32 = 100;
const ILLEGAL_ADDRESS: u32 = 700;

fn absence(options: CudaOptions) -> String {
    common::absence(&sinter_driver_cuda::driver(options))
}

fn refused(shape: &LaunchShape, kernel: &Arc<dyn Kernel>, queue: &dyn Queue, arguments: &[u8]) -> String {
    let before = queue.last();
    // SAFETY: a refused launch runs nothing.
    let result = unsafe { queue.launch(kernel, shape, arguments) };
    assert_eq!(queue.last(), before, "a refused launch took a ticket");
    match result {
        Err(error @ (DriverError::Launch { .. } | DriverError::LocalMemory { .. })) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_a_library_there_are_no_devices() {
    let reason = absence(CudaOptions { library: Some("no/such/libcuda.so".into()), ..CudaOptions::default() });
    assert!(reason.contains("no/such/libcuda.so") && reason.contains("install NVIDIA's driver"), "{reason}");
    assert!(reason.contains("(no/such/libcuda.so: cannot open shared object file: No such file"), "{reason}");
}

#[test]
fn a_missing_function_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let library = Some(common::compile(folder.path(), &["-DWITHOUT_LINK"]));
    let reason = absence(CudaOptions { library, ..CudaOptions::default() });
    assert!(reason.contains("cuLinkCreate_v2") && reason.contains("newer"), "{reason}");
    let garbage = folder.path().join("garbage.so");
    std::fs::write(&garbage, "no library").expect("write");
    let reason = absence(CudaOptions { library: Some(garbage), ..CudaOptions::default() });
    assert!(reason.contains("cannot be loaded"), "{reason}");
}

#[test]
fn hidden_devices_are_explained() {
    let fake = Fake::new();
    fake.fail("cuInit", NO_DEVICE, 0, 2);
    let reason = absence(CudaOptions { visible_devices: Some(String::new()), ..fake.options() });
    assert!(reason.contains("CUDA_VISIBLE_DEVICES is ``"), "{reason}");
    let reason = absence(fake.options());
    let present = Path::new("/proc/driver/nvidia/gpus").exists();
    let expected = if present { "CUDA_VISIBLE_DEVICES" } else { "no GPU" };
    assert!(reason.contains(expected), "{reason}");
    fake.set("devices", 0);
    let reason = absence(fake.options());
    assert!(reason.contains(expected) || reason.contains("NO_DEVICE"), "{reason}");
}

#[test]
fn errors_of_the_start_have_remedies() {
    let fake = Fake::new();
    for (call, code, text) in [
        ("cuInit", 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803): the driver's description; the kernel module"),
        ("cuInit", 34, "LD_LIBRARY_PATH"),
        ("cuInit", 999, "/dev/nvidia*"),
        ("cuInit", 4242, "an error that this driver does not name (4242): no description"),
        ("cuDeviceGetAttribute", 2, "GPU 0: cuDeviceGetAttribute reported CUDA_ERROR_OUT_OF_MEMORY"),
    ] {
        fake.fail(call, code, 0, 100);
        let reason = absence(fake.options());
        assert!(reason.contains(text), "{reason}");
        fake.fail(call, 0, 0, 1000);
    }
}

#[test]
fn a_driver_that_is_too_old_is_left_out() {
    let fake = Fake::new();
    fake.set("version", 8000);
    assert!(absence(fake.options()).contains("PTX 5.0 is too old"), "{}", absence(fake.options()));
    fake.set("version", 11_040);
    assert_eq!(fake.device().target().to_string(), "ptx:sm_87");
    fake.set("attribute 75", 6);
    assert!(absence(fake.options()).contains("older than Volta"));
}

#[test]
fn full_memory_says_what_is_free() {
    let fake = Fake::new();
    let device = fake.device();
    device.memory().allocate(MemoryKind::Device, 64, 64).expect("memory");
    fake.set("free", 1000);
    let full = |kind, size| match device.memory().allocate(kind, size, 64) {
        Err(error @ DriverError::OutOfMemory { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    fake.calls();
    let shared = full(MemoryKind::Shared, 2000);
    assert!(shared.contains("2000 bytes") && shared.contains("1000 bytes are free"), "{shared}");
    assert!(!fake.calls().iter().any(|call| call.starts_with("cuMemAllocManaged")));
    fake.fail("cuMemAlloc_v2", OUT_OF_MEMORY, 0, 1);
    assert!(full(MemoryKind::Device, 3000).contains("1000 bytes are free"));
    full(MemoryKind::Device, 1 << 40);
    fake.set("attribute 83", 0);
    let none = fake.device().memory().allocate(MemoryKind::Shared, 64, 64);
    assert!(matches!(none, Err(DriverError::Unsupported { .. })), "{none:?}");
}

#[test]
fn shared_memory_is_limited_in_all() {
    let fake = Fake::new();
    fake.set("memory", 1 << 20);
    let device = fake.device();
    let allocate = || device.memory().allocate(MemoryKind::Shared, 600 << 10, 64);
    let first = allocate().expect("memory");
    let second = allocate();
    assert!(matches!(second, Err(DriverError::OutOfMemory { .. })), "{second:?}");
    // SAFETY: nothing uses the memory.
    unsafe { device.memory().free(first) }.expect("free");
    allocate().expect("memory");
}

#[test]
fn shared_memory_needs_access_at_the_same_time() {
    let fake = Fake::new();
    fake.set("attribute 89", 0);
    let device = fake.device();
    assert_eq!(device.info().features.0 & DeviceFeatures::USM_SHARED, 0);
    let none = device.memory().allocate(MemoryKind::Shared, 64, 64);
    assert!(matches!(none, Err(DriverError::Unsupported { .. })), "{none:?}");
}

#[test]
fn a_fill_that_fails_midway_has_a_ticket() {
    let fake = Fake::new();
    let device = fake.device();
    let queue = device.create_queue().expect("queue");
    let pointer = device.memory().allocate(MemoryKind::Device, 4096, 64).expect("memory");
    let fill = || {
        // SAFETY: the range was allocated, and the stand-in runs commands at once.
        unsafe { queue.fill(pointer, &7u64.to_ne_bytes(), 512) }
    };
    fake.fail("cuMemsetD2D32Async", 1, 0, 1);
    assert!(matches!(fill(), Err(DriverError::Vendor { .. })));
    assert_eq!(queue.last(), Ticket(0), "nothing was submitted");
    fake.fail("cuMemsetD2D32Async", 1, 1, 1);
    assert!(matches!(fill(), Err(DriverError::Vendor { .. })));
    assert_eq!(queue.last(), Ticket(1), "the first step was submitted");
    fake.fail("cuMemcpyAsync", 1, 1, 1);
    let rows = Rows { destination_pitch: 8, source_pitch: 4, width: 8, height: 2 };
    // SAFETY: as above.
    let copied = unsafe { queue.copy_rows(pointer, pointer.wrapping_byte_add(2048), rows) };
    assert!(matches!(copied, Err(DriverError::Vendor { .. })), "{copied:?}");
    assert_eq!(queue.last(), Ticket(2), "the first row was submitted");
}

#[test]
fn a_context_that_cannot_be_made_is_an_error() {
    let fake = Fake::new();
    fake.fail("cuDevicePrimaryCtxRetain", OUT_OF_MEMORY, 0, 1);
    let context = fake.device().native(NativeKind::Context);
    assert!(matches!(context, Err(DriverError::Vendor { call: "cuDevicePrimaryCtxRetain", .. })), "{context:?}");
}

#[test]
fn launches_are_checked_before_the_driver_sees_them() {
    let fake = Fake::new();
    let device = fake.device();
    fake.set("threads", 256);
    let mut code = nothing("k");
    code.entry.local_memory = 1024;
    code.entry.arguments = vec![Argument { parameter: 0, offset: 0, size: 8, is_pointer: true }];
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&code).expect("load"));
    fake.calls();
    let shape = |global, group, local_memory| LaunchShape { global: [global, global, 1], group, local_memory };
    for (shape, arguments, text) in [
        (shape(512, [512, 1, 1], 0), 8, "registers"),
        (shape(64, [1, 1, 128], 0), 8, "[1024, 1024, 64]"),
        (shape(64, [64, 1, 1], 1 << 20), 8, "declares 1024 bytes"),
        (shape(1 << 20, [64, 1, 1], 0), 8, "work-groups in y, at most 65535"),
        (shape(64, [64, 1, 1], 0), 7, "has 7 bytes, the kernel reads 8"),
    ] {
        let message = refused(&shape, &kernel, &*queue, &[0; 8][..arguments]);
        assert!(message.contains(text) && message.contains("`k`"), "{message}");
    }
    assert_eq!(fake.calls(), Vec::<String>::new());
}

#[test]
fn what_the_assembler_says_is_in_the_error() {
    let fake = Fake::new();
    let device = fake.device();
    let damaged = CodeObject { bytes: Arc::from(&b".version 6.0 garbage"[..]), ..add_one() };
    let error = device.load(&damaged).map(drop).expect_err("no PTX").to_string();
    assert!(error.contains("`add_one`") && error.contains("Parsing error near"), "{error}");
    assert!(fake.calls().contains(&"cuLinkDestroy".to_owned()));
    let nothing_there = CodeObject { bytes: Arc::from(&b"no\0text"[..]), ..add_one() };
    assert!(device.load(&nothing_there).map(drop).expect_err("no text").to_string().contains("null character"));
    fake.fail("cuLinkComplete", OUT_OF_MEMORY, 0, 1);
    let full = device.load(&add_one()).map(drop);
    assert!(matches!(full, Err(DriverError::Vendor { call: "cuLinkComplete", .. })), "not the code's fault: {full:?}");
    fake.fail("cuLinkCreate_v2", 221, 0, 1);
    let error = device.load(&add_one()).map(drop).expect_err("no assembler");
    let source =
        std::error::Error::source(&error).expect("a source").downcast_ref::<CudaError>().expect("a CUDA error");
    assert!(source.remedy.is_some_and(|remedy| remedy.contains("libnvidia-ptxjitcompiler")), "{source}");
}

#[test]
fn a_cubin_that_is_refused_is_an_error_to_whom_keeps_it() {
    let fake = Fake::new();
    let device = fake.device();
    let mut code = device.assemble(&add_one()).expect("assemble").expect("PTX is not ready");
    let mut bytes = code.bytes.to_vec();
    bytes[48] = 75;
    code.bytes = Arc::from(bytes);
    fake.calls();
    let refused = |code: &CodeObject| match device.load(code).map(drop) {
        Err(error @ DriverError::Load { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused(&code).contains("another architecture"));
    let cut = CodeObject { bytes: Arc::from(&code.bytes[..100]), ..code };
    assert!(refused(&cut).contains("cut off after 100 bytes"));
    let calls = fake.calls();
    assert!(!calls.iter().any(|call| call.starts_with("cuLink")), "made again where nobody keeps it: {calls:?}");
}

#[test]
fn a_lost_device_is_reported_and_left_alone() {
    let lost = failures::lose(&Fake::new(), "cuStreamSynchronize", ILLEGAL_ADDRESS);
    assert!(lost.contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)") && lost.contains("sanitizer"), "{lost}");
}

#[test]
fn several_kernels_may_be_to_blame() {
    failures::lose_with_two_kernels(&Fake::new(), "cuMemAlloc_v2", 719);
}

#[test]
fn other_errors_spoil_nothing() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    fake.fail("cuLaunchKernel", 701, 0, 1);
    let refused = launch(&*queue, &kernel);
    assert!(matches!(refused, Err(DriverError::Vendor { call: "cuLaunchKernel", .. })), "{refused:?}");
    assert_eq!(queue.last(), Ticket(0));
    launch(&*queue, &kernel).expect("launch");
    queue.wait(Ticket(1)).expect("wait");
    fake.fail("cuDevicePrimaryCtxRetain", 46, 0, 1);
    let busy = fake.device().create_queue().map(drop).expect_err("in use");
    let source = std::error::Error::source(&busy).expect("a source").to_string();
    assert!(source.contains("exclusive mode"), "{source}");
}

#[test]
fn a_driver_that_has_ended_is_left_in_silence() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    device.memory().allocate(MemoryKind::Device, 64, 64).expect("memory");
    launch(&*queue, &kernel).expect("launch");
    fake.fail("*", DEINITIALIZED, 0, 1000);
    fake.calls();
    drop((kernel, queue, device));
    let calls = fake.calls();
    assert!(calls.len() < 20, "{calls:?}");
}

/// Each function that a running program calls may fail: the call returns an error that names the
/// function, and the device continues to work.
#[test]
fn any_call_may_fail() {
    let calls = [
        "cuDevicePrimaryCtxRetain",
        "cuCtxGetCurrent",
        "cuStreamCreate",
        "cuStreamSynchronize",
        "cuStreamQuery",
        "cuEventCreate",
        "cuEventRecord",
        "cuLinkCreate_v2",
        "cuLinkAddData_v2",
        "cuLinkComplete",
        "cuModuleLoadDataEx",
        "cuModuleGetFunction",
        "cuFuncGetAttribute",
        "cuLaunchKernel",
        "cuMemAlloc_v2",
        "cuMemHostAlloc",
        "cuMemAllocManaged",
        "cuMemGetInfo_v2",
        "cuMemsetD8Async",
        "cuMemcpyAsync",
        "cuMemcpy2DAsync_v2",
        "cuMemPrefetchAsync",
        "cuMemAdvise",
        "cuMemFree_v2",
        "cuMemFreeHost",
    ];
    failures::fail_each(&calls, OUT_OF_MEMORY, || {
        let fake = Fake::new();
        let device = fake.device();
        (fake, device)
    });
}
