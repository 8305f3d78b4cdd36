//! Missing, rejected or broken things cause errors with a remedy.
//!
//! In: a stand-in with injected failures. Out: the errors. *Invariant:* after a device is lost the
//! library is not called again.

mod common;
#[path = "../../common/tests/shared/failures.rs"]
mod failures;

use common::{Fake, add_one, code, launch, nothing};
use sinter_core::{CodeFormat, CodeObject, LaunchShape};
use sinter_driver::{DeviceFeatures, Driver, DriverError, MemoryKind, Ticket};
use sinter_driver_hip::{HipError, HipOptions};
use std::{error::Error, path::Path, sync::Arc};

const OUT_OF_MEMORY: u32 = 2;
const DEINITIALIZED: u32 = 4;
const NO_DEVICE: u32 = 100;
const ILLEGAL_ADDRESS: u32 = 700;
const LAUNCH_FAILURE: u32 = 719;

fn absence(options: HipOptions) -> String {
    common::absence(&sinter_driver_hip::driver(options))
}

#[test]
fn without_a_device_file_no_library_is_looked_for() {
    if Path::new("/dev/kfd").exists() || Path::new("/dev/dxg").exists() {
        return eprintln!("skipped: this machine has a device file for GPUs");
    }
    let reason = absence(HipOptions::default());
    assert!(reason.contains("/dev/kfd") && reason.contains("libamdhip64.so was not looked for"), "{reason}");
}

#[test]
fn without_a_library_there_are_no_devices() {
    let reason = absence(HipOptions { library: Some("no/such/libamdhip64.so".into()), ..HipOptions::default() });
    assert!(reason.contains("looked for no/such/libamdhip64.so") && reason.contains("install ROCm"), "{reason}");
}

#[test]
fn a_missing_function_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let library = Some(common::compile(folder.path(), &["-DWITHOUT_LAUNCH"]));
    let reason = absence(HipOptions { library, ..HipOptions::default() });
    assert!(reason.contains("hipModuleLaunchKernel") && reason.contains("ROCm 5.2 or newer"), "{reason}");
    assert!(reason.contains("libamdhip64.so has no function"), "{reason}");
    let garbage = folder.path().join("garbage.so");
    std::fs::write(&garbage, "no library").expect("write");
    let reason = absence(HipOptions { library: Some(garbage), ..HipOptions::default() });
    assert!(reason.contains("cannot be loaded"), "{reason}");
}

#[test]
fn a_library_that_does_not_load_our_code_is_left_out_with_its_version() {
    let fake = Fake::new();
    fake.set("version", 50_013_601);
    let reason = absence(fake.options());
    assert!(reason.contains("that of ROCm 5.0") && reason.contains("install ROCm 5.2 or newer"), "{reason}");
}

#[test]
fn hidden_devices_are_explained() {
    let fake = Fake::new();
    fake.set("devices", 0);
    let hidden = HipOptions { visible_devices: Some("ROCR_VISIBLE_DEVICES=7".to_owned()), ..fake.options() };
    let reason = absence(hidden);
    assert!(
        reason.contains("hipInit reported hipErrorInvalidDevice") && reason.contains("ROCR_VISIBLE_DEVICES=7 hides"),
        "{reason}"
    );
    let reason = absence(fake.options());
    let expected = if Path::new("/dev/kfd").exists() { "renderD" } else { "there is no /dev/kfd" };
    assert!(reason.contains(expected), "{reason}");
    let fake = Fake::new();
    fake.fail("hipGetDeviceCount", NO_DEVICE, 0, 1);
    assert!(absence(fake.options()).contains("hipErrorNoDevice"));
}

#[test]
fn errors_of_the_start_have_remedies() {
    let fake = Fake::new();
    for (call, code, text) in [
        (
            "hipInit",
            303,
            "hipErrorSharedObjectInitFailed (303): the library's description; install ROCm's libraries whole",
        ),
        ("hipInit", 3, "/dev/kfd"),
        ("hipInit", 4242, "an error that this driver does not name (4242): no description"),
        ("hipDeviceGetAttribute", 2, "GPU 0: hipDeviceGetAttribute reported hipErrorOutOfMemory"),
        ("hipGetDevicePropertiesR0600", 101, "GPU 0: hipGetDevicePropertiesR0600 reported hipErrorInvalidDevice"),
    ] {
        fake.fail(call, code, 0, 100);
        let reason = absence(fake.options());
        assert!(reason.contains(text), "{reason}");
        fake.fail(call, 0, 0, 1000);
    }
    let old = Fake::of_rocm_5();
    old.fail("hipInit", 303, 0, 1);
    let reason = absence(old.options());
    assert!(reason.contains("hipErrorSharedObjectInitFailed (303); install"), "names are texts in ROCm 5: {reason}");
}

#[test]
fn a_gpu_that_there_is_no_code_for_is_left_out() {
    let fake = Fake::new();
    fake.set("devices", 2);
    fake.set("target 0", common::OLD);
    let driver = fake.driver();
    assert_eq!(driver.devices().expect("devices").len(), 1);
    fake.set("target 1", common::NONE);
    let reason = absence(fake.options());
    assert!(reason.contains("GPU 0: there is no code for AMD Fake 0: no AMD processor `gfx803` is known"), "{reason}");
    assert!(reason.contains("GPU 1: there is no code for AMD Fake 1: no AMD processor ``"), "{reason}");
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
    assert!(!fake.calls().iter().any(|call| call.starts_with("hipMallocManaged")));
    fake.fail("hipMalloc", OUT_OF_MEMORY, 0, 1);
    assert!(full(MemoryKind::Device, 3000).contains("1000 bytes are free"));
    full(MemoryKind::Device, 1 << 40);
}

#[test]
fn shared_memory_needs_pages_that_move() {
    for attribute in ["attribute 24", "attribute 9"] {
        let fake = Fake::new();
        fake.set(attribute, 0);
        let device = fake.device();
        assert_eq!(device.info().features.0 & DeviceFeatures::USM_SHARED, 0);
        let none = device.memory().allocate(MemoryKind::Shared, 64, 64);
        assert!(matches!(none, Err(DriverError::Unsupported { .. })), "{none:?}");
        assert!(!fake.calls().iter().any(|call| call.starts_with("hipMallocManaged")));
    }
}

#[test]
fn launches_are_checked_before_the_library_sees_them() {
    let fake = Fake::new();
    let device = fake.device();
    fake.set("threads", 256);
    let (queue, kernel) =
        (device.create_queue().expect("queue"), device.load(&code("k", common::TARGET, 1)).expect("load"));
    fake.calls();
    let shape = |global, group, local_memory| LaunchShape { global: [global, global, 1], group, local_memory };
    let wide = LaunchShape { global: [1 << 32, 1, 1], group: [64, 1, 1], local_memory: 0 };
    for (shape, arguments, text) in [
        (shape(512, [512, 1, 1], 0), 8, "registers"),
        (shape(64, [64, 1, 1], 1 << 20), 8, "at most 65536"),
        (shape(1 << 20, [64, 1, 1], 0), 8, "work-groups in y, at most 65535"),
        (wide, 8, "4294967296 work-items in x"),
        (shape(64, [64, 1, 1], 0), 7, "has 7 bytes, the kernel reads 8"),
    ] {
        // SAFETY: a refused launch runs nothing.
        let refused = unsafe { queue.launch(&kernel, &shape, &[0; 8][..arguments]) };
        let Err(error @ (DriverError::Launch { .. } | DriverError::LocalMemory { .. })) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(matches!(error, DriverError::LocalMemory { .. }), text == "at most 65536", "{error}");
        assert!(error.to_string().contains(text) && error.to_string().contains("`k`"), "{error}");
    }
    assert_eq!((queue.last(), fake.calls()), (Ticket(0), Vec::new()));
}

#[test]
fn code_that_the_gpu_cannot_run_is_not_given_to_the_library() {
    let fake = Fake::new();
    let device = fake.device();
    device.create_queue().expect("queue");
    fake.calls();
    let refused = |code: &CodeObject| match device.load(code).map(drop) {
        Err(error @ DriverError::Load { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let other = refused(&code("k", "gfx90a:xnack+", 0));
    assert!(other.contains("gfx90a:xnack+") && other.contains("the GPU is gfx90a:sramecc+:xnack-"), "{other}");
    assert!(refused(&code("k", "gfx1030", 0)).contains("for gfx1030,"));
    let cut = CodeObject { bytes: Arc::from(&add_one().bytes[..100]), ..add_one() };
    assert!(refused(&cut).contains("cut off after 100 bytes"));
    let ptx = CodeObject { format: CodeFormat::Ptx, ..add_one() };
    assert!(refused(&ptx).contains("it is PTX, not code for AMD's GPUs"));
    assert_eq!(fake.calls(), Vec::<String>::new());
}

#[test]
fn what_the_library_says_about_code_is_in_the_error() {
    let fake = Fake::new();
    let device = fake.device();
    fake.set("refuse", 1);
    let error = device.load(&add_one()).map(drop).expect_err("refused");
    assert!(matches!(error, DriverError::Load { .. }), "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("hipModuleLoadDataEx reported hipErrorInvalidImage (200)") && text.contains("relocations"),
        "{text}"
    );
    fake.set("refuse", 0);
    fake.fail("hipModuleLoadDataEx", 209, 0, 1);
    assert!(device.load(&add_one()).map(drop).expect_err("refused").to_string().contains("settings of xnack"));
    fake.fail("hipModuleLoadDataEx", OUT_OF_MEMORY, 0, 1);
    let full = device.load(&add_one()).map(drop).expect_err("no memory");
    assert!(matches!(full, DriverError::Vendor { call: "hipModuleLoadDataEx", .. }), "not the code's fault: {full:?}");
    let source = full.source().expect("a source").downcast_ref::<HipError>().expect("an error of HIP");
    assert!(source.remedy.is_some_and(|remedy| remedy.contains("rocm-smi")), "{source}");
    fake.calls();
    let mut renamed = add_one();
    renamed.entry.symbol = "other".to_owned();
    assert!(device.load(&renamed).map(drop).expect_err("no entry").to_string().contains("no entry of this name"));
    assert!(fake.calls().contains(&"hipModuleUnload".to_owned()));
}

#[test]
fn recursion_gets_room_or_is_refused() {
    let (fake, old) = (Fake::new(), Fake::of_rocm_5());
    let device = fake.device();
    fake.calls();
    device.load(&nothing("k")).expect("load");
    let limits = |fake: &Fake| fake.calls().into_iter().filter(|call| call.contains("Limit")).collect::<Vec<_>>();
    assert_eq!(limits(&fake), Vec::<String>::new());
    device.load(&common::recursive("k")).expect("load");
    assert_eq!(limits(&fake), ["hipDeviceSetLimit 0 16384 on 0"]);
    let refused = |fake: &Fake| match fake.device().load(&common::recursive("k")).map(drop) {
        Err(error @ DriverError::Load { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    fake.fail("hipDeviceSetLimit", 1, 0, 1);
    let reason = refused(&fake);
    assert!(
        reason.contains("hipDeviceSetLimit has to make room: hipErrorUnknown (1)") || reason.contains("(1)"),
        "{reason}"
    );
    assert!(refused(&old).contains("this version of ROCm lacks it"));
}

#[test]
fn a_lost_device_is_reported_and_left_alone() {
    let lost = failures::lose(&Fake::new(), "hipStreamSynchronize", ILLEGAL_ADDRESS);
    assert!(lost.contains("hipErrorIllegalAddress (700)") && lost.contains("AMD_SERIALIZE_KERNEL"), "{lost}");
}

#[test]
fn several_kernels_may_be_to_blame() {
    failures::lose_with_two_kernels(&Fake::new(), "hipMalloc", LAUNCH_FAILURE);
}

#[test]
fn other_errors_spoil_nothing() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    for code in [701, LAUNCH_FAILURE] {
        fake.fail("hipModuleLaunchKernel", code, 0, 1);
        let refused = launch(&*queue, &kernel);
        assert!(matches!(refused, Err(DriverError::Vendor { call: "hipModuleLaunchKernel", .. })), "{refused:?}");
    }
    assert_eq!(queue.last(), Ticket(0));
    launch(&*queue, &kernel).expect("launch");
    queue.wait(Ticket(1)).expect("wait");
}

/// Each function that a running program calls may fail: the call returns an error that names the
/// function, and the device continues to work.
#[test]
fn any_call_may_fail() {
    let calls = [
        "hipGetDevice",
        "hipSetDevice",
        "hipStreamCreateWithFlags",
        "hipStreamSynchronize",
        "hipStreamQuery",
        "hipEventCreateWithFlags",
        "hipEventRecord",
        "hipModuleLoadDataEx",
        "hipModuleGetFunction",
        "hipFuncGetAttribute",
        "hipModuleLaunchKernel",
        "hipMalloc",
        "hipHostMalloc",
        "hipMallocManaged",
        "hipMemGetInfo",
        "hipMemsetD8Async",
        "hipMemcpyAsync",
        "hipMemcpy2DAsync",
        "hipMemPrefetchAsync",
        "hipMemAdvise",
        "hipFree",
        "hipHostFree",
    ];
    failures::fail_each(&calls, OUT_OF_MEMORY, || {
        let fake = Fake::new();
        fake.set("devices", 2);
        let device = fake.devices().remove(1);
        (fake, device)
    });
}

#[test]
fn a_library_that_has_ended_is_left_in_silence() {
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
