//! Missing, rejected or broken things cause errors with a remedy.
//!
//! In: a stand-in with injected failures. Out: the errors. *Invariant:* after a device is lost the
//! library is not called again.

mod common;
#[path = "../../common/tests/shared/failures.rs"]
mod failures;

use common::{Fake, add_one, launch, nothing};
use level_zero_sys::result;
use sinter_core::{CodeFormat, CodeObject};
use sinter_driver::{DeviceFeatures, DriverError, MemoryKind, Ticket};
use sinter_driver_level_zero::{LevelZeroError, LevelZeroOptions};
use std::error::Error;

fn absence(options: LevelZeroOptions) -> String {
    common::absence(&sinter_driver_level_zero::driver(options))
}

#[test]
fn without_a_loader_there_are_no_devices() {
    let options = LevelZeroOptions { library: Some("no/such/libze_loader.so.1".into()), ..LevelZeroOptions::default() };
    let reason = absence(options);
    assert!(reason.contains("looked for no/such/libze_loader.so.1") && reason.contains("libze-intel-gpu1"), "{reason}");
    let options = LevelZeroOptions { library: Some("libc.so.6".into()), ..LevelZeroOptions::default() };
    let reason = absence(options);
    assert!(reason.contains("no function zeInit"), "{reason}");
}

#[test]
fn without_drivers_or_devices_there_is_a_reason() {
    for fake in [Fake::new(), Fake::old()] {
        fake.set("drivers", 0);
        let reason = absence(fake.options());
        assert!(reason.contains("zeInit reported ZE_RESULT_ERROR_UNINITIALIZED"), "{reason}");
    }
    let fake = Fake::new();
    fake.set("devices", 0);
    let reason = absence(fake.options());
    assert!(reason.contains("have no device") && reason.contains("/dev/dri"), "{reason}");
    let reason = absence(LevelZeroOptions { affinity_mask: Some("3".to_owned()), ..fake.options() });
    assert!(reason.contains("ZE_AFFINITY_MASK=3 hides all devices"), "{reason}");
}

#[test]
fn drivers_are_started_in_the_way_that_they_know() {
    let fake = Fake::new();
    assert_eq!(fake.devices().len(), 1);
    assert_eq!(fake.calls_of("zeInit"), Vec::<String>::new());
    let fake = Fake::new();
    fake.set("no zeInitDrivers", 1);
    assert_eq!(fake.devices().len(), 1);
    assert_eq!(fake.calls_of("zeInit"), ["zeInit 0"]);
}

#[test]
fn devices_that_run_no_spirv_are_left_out() {
    let fake = Fake::new();
    fake.set("devices", 2);
    fake.set("spirv 0", 0);
    let devices = fake.devices();
    assert_eq!((devices.len(), &*devices[0].info().name), (1, "Stand-in 1"));
    fake.set("devices", 1);
    assert!(absence(fake.options()).contains("Stand-in 0 takes no SPIR-V"));
    fake.set("spirv 0", 0x0001_0004);
    fake.set("queue flags", 2);
    assert!(absence(fake.options()).contains("no queue that runs kernels"));
    fake.fail("zeDeviceGetProperties", result::INSUFFICIENT_PERMISSIONS, 0, 1);
    let reason = absence(fake.options());
    assert!(reason.contains("INSUFFICIENT_PERMISSIONS") && reason.contains("`render`"), "{reason}");
}

#[test]
fn refused_code_comes_with_the_drivers_log() {
    let fake = Fake::new();
    let device = fake.device();
    fake.set("refuse", 1);
    let text = device.load(&add_one()).map(drop).expect_err("refused").to_string();
    assert!(text.contains("`add_one`") && text.contains("undefined reference to `f`"), "{text}");
    assert!(text.contains("ZE_RESULT_ERROR_MODULE_BUILD_FAILURE"), "{text}");
    let text = device.assemble(&add_one()).map(drop).expect_err("refused").to_string();
    assert!(text.contains("undefined reference"), "{text}");
    fake.set("refuse", 0);
    // An error about a missing compiler says nothing about the code.
    fake.fail("zeModuleCreate", result::DEPENDENCY_UNAVAILABLE, 0, 1);
    let error = device.load(&add_one()).map(drop).expect_err("refused");
    assert!(matches!(error, DriverError::Vendor { call: "zeModuleCreate", .. }), "{error:?}");
    let wrong = CodeObject { format: CodeFormat::Cubin, ..add_one() };
    let text = device.load(&wrong).map(drop).expect_err("refused").to_string();
    assert!(text.contains("an NVIDIA GPU, neither SPIR-V nor machine code of Level Zero"), "{text}");
    let mut renamed = add_one();
    renamed.entry.symbol = "other".to_owned();
    let text = device.load(&renamed).map(drop).expect_err("refused").to_string();
    assert!(text.contains("no entry of this name"), "{text}");
    let mut outside = add_one();
    outside.entry.argument_size = 8;
    let text = device.load(&outside).map(drop).expect_err("refused").to_string();
    assert!(text.contains("argument 1 lies outside"), "{text}");
    for name in ["zeKernelCreate", "zeKernelSetIndirectAccess", "zeKernelGetProperties", "zeModuleGetNativeBinary"] {
        fake.fail(name, result::UNKNOWN, 0, 1);
        assert!(device.assemble(&add_one()).is_err() || device.load(&add_one()).is_err(), "{name}");
    }
    drop(device);
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn a_lost_device_is_reported_and_left_alone() {
    for (fake, call) in [(Fake::new(), "zeCommandListHostSynchronize"), (Fake::old(), "zeEventHostSynchronize")] {
        let lost = failures::lose(&fake, call, result::DEVICE_LOST);
        assert!(lost.contains("ZE_RESULT_ERROR_DEVICE_LOST"), "{lost}");
    }
}

#[test]
fn other_failures_lose_nothing() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    fake.set("describe", 1);
    fake.fail("zeCommandListAppendLaunchKernel", result::UNKNOWN, 0, 1);
    let error = launch(&*queue, &kernel).expect_err("refused");
    let cause = error.source().and_then(|source| source.downcast_ref::<LevelZeroError>()).expect("the cause");
    assert_eq!(cause.code, result::UNKNOWN);
    assert!(cause.to_string().contains("the engine did not answer"), "{cause}");
    assert_eq!(launch(&*queue, &kernel).expect("launch"), Ticket(1));
    queue.wait(Ticket(1)).expect("wait");
    drop((kernel, queue, device));
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn a_signal_that_was_refused_is_not_waited_for() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    fake.set("busy", 1);
    for _ in 0..3 {
        let ticket = launch(&*queue, &kernel).expect("launch");
        fake.fail("zeCommandListAppendSignalEvent", result::UNKNOWN, 0, 1);
        assert!(queue.is_complete(ticket).is_err());
        assert!(queue.is_complete(ticket).expect("the second try marks").eq(&false));
    }
    fake.set("busy", 0);
    queue.wait(queue.last()).expect("wait");
    drop((kernel, queue, device));
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn memory_ends_with_what_is_free() {
    let fake = Fake::new();
    fake.set("memory", 1 << 20);
    fake.set("free", 4096);
    let device = fake.device();
    fake.fail("zeMemAllocDevice", result::OUT_OF_DEVICE_MEMORY, 0, 1);
    let error = device.memory().allocate(MemoryKind::Device, 8192, 64).expect_err("full");
    assert!(matches!(error, DriverError::OutOfMemory { size: 8192, free: Some(4096), .. }), "{error:?}");
    let error = device.memory().allocate(MemoryKind::Shared, 8192, 64).expect_err("full");
    assert!(matches!(error, DriverError::OutOfMemory { .. }), "{error:?}");
    drop(device);
    // A driver that does not report free memory is not assumed to be full.
    fake.set("extensions", 0);
    let device = fake.device();
    let shared = device.memory().allocate(MemoryKind::Shared, 8192, 64).expect("memory");
    // SAFETY: nothing uses the memory.
    unsafe { device.memory().free(shared) }.expect("free");
    fake.fail("zeMemAllocHost", result::OUT_OF_HOST_MEMORY, 0, 1);
    let error = device.memory().allocate(MemoryKind::Host, 64, 64).expect_err("full");
    assert!(matches!(error, DriverError::OutOfMemory { free: None, .. }), "{error:?}");
    drop(device);
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn shared_memory_may_be_missing() {
    let fake = Fake::new();
    fake.set("shared", 0);
    let device = fake.device();
    assert_eq!(device.info().features.0 & DeviceFeatures::USM_SHARED, 0);
    let error = device.memory().allocate(MemoryKind::Shared, 64, 64).expect_err("no such memory");
    assert!(matches!(error, DriverError::Unsupported { .. }), "{error:?}");
}

/// Each function that a running program calls may fail: the call returns an error that names the
/// function, and the device continues to work.
#[test]
fn any_call_may_fail() {
    let calls = [
        "zeContextCreate",
        "zeCommandListCreateImmediate",
        "zeCommandListHostSynchronize",
        "zeCommandListAppendLaunchKernel",
        "zeCommandListAppendMemoryFill",
        "zeCommandListAppendMemoryCopy",
        "zeCommandListAppendMemoryCopyRegion",
        "zeCommandListAppendMemAdvise",
        "zeCommandListAppendWriteGlobalTimestamp",
        "zeEventPoolCreate",
        "zeEventCreate",
        "zeModuleCreate",
        "zeKernelCreate",
        "zeKernelSetGroupSize",
        "zeKernelSetIndirectAccess",
        "zeKernelGetProperties",
        "zeMemAllocDevice",
        "zeMemAllocHost",
        "zeMemAllocShared",
        "zeMemFree",
    ];
    failures::fail_each(&calls, result::OUT_OF_HOST_MEMORY, || {
        let fake = Fake::new();
        let device = fake.device();
        (fake, device)
    });
}
