//! Missing, rejected or broken things cause errors with a remedy.
//!
//! In: a stand-in with injected failures. Out: the errors. *Invariant:* after a device is lost the
//! library is not called again.

mod common;
#[path = "../../common/tests/shared/failures.rs"]
mod failures;

use common::{Fake, add_one, launch, nothing};
use sinter_core::{CodeFormat, CodeObject, LaunchShape};
use sinter_driver::{Device, DriverError, MemoryKind, Ticket};
use sinter_driver_opencl::OpenClOptions;
use std::{error::Error, path::Path, sync::Arc};

const DEVICE_NOT_AVAILABLE: u32 = -2i32 as u32;
const OUT_OF_RESOURCES: u32 = -5i32 as u32;
const OUT_OF_HOST_MEMORY: u32 = -6i32 as u32;

fn absence(options: OpenClOptions) -> String {
    common::absence(&sinter_driver_opencl::driver(options))
}

#[test]
fn without_a_device_file_no_library_is_looked_for() {
    if ["/dev/dri", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"].iter().any(|path| Path::new(path).exists()) {
        return eprintln!("skipped: this machine has a device file for GPUs");
    }
    let reason = absence(OpenClOptions::default());
    assert!(reason.contains("/dev/dri") && reason.contains("libOpenCL.so.1 was not looked for"), "{reason}");
}

#[test]
fn without_a_library_there_are_no_devices() {
    let options = |library| OpenClOptions { library: Some(library), ..OpenClOptions::default() };
    let reason = absence(options("no/such/libOpenCL.so.1".into()));
    assert!(reason.contains("looked for no/such/libOpenCL.so.1") && reason.contains("ocl-icd-libopencl1"), "{reason}");
    let folder = tempfile::tempdir().expect("temporary folder");
    let reason = absence(options(common::compile(folder.path(), &["-DWITHOUT_LAUNCH"])));
    assert!(reason.contains("clEnqueueNDRangeKernel") && reason.contains("OpenCL 2.1 or newer"), "{reason}");
}

#[test]
fn what_is_left_out_has_a_reason() {
    for (name, value, text) in [
        ("devices", 0, "Fake Platform has no devices"),
        ("platforms", 0, "OpenCL has no platform: /etc/OpenCL/vendors "),
        ("il", 0, "Fake Platform: Fake 0: it has no compiler that takes SPIR-V"),
        ("version", 12, "it has no OpenCL 2.0"),
        ("info 100d", 32, "pointers of 64 bits"),
        ("info 1027", 0, "compiler that can be used now"),
        ("info 1000", 2, "it is a CPU, where the driver host runs kernels; SINTER_VISIBILITY_MASK=opencl uses it"),
    ] {
        let fake = Fake::new();
        fake.set(name, value);
        let reason = absence(fake.options());
        assert!(reason.contains(text), "{reason}");
    }
    let fake = Fake::new();
    fake.set("version", 20);
    fake.set("il program", 0);
    assert!(absence(fake.options()).contains("cl_khr_il_program"));
    let fake = Fake::new();
    fake.set("clMemBlockingFreeINTEL", 1);
    fake.set("info 1053", 0);
    assert!(absence(fake.options()).contains("memory that has addresses"), "a function of the extension is missing");
}

#[test]
fn errors_of_the_start_are_reasons() {
    for (call, text) in [
        ("clGetPlatformIDs", "clGetPlatformIDs reported CL_OUT_OF_HOST_MEMORY (-6); free memory of the host"),
        ("clGetDeviceIDs", "Fake Platform: clGetDeviceIDs reported CL_OUT_OF_HOST_MEMORY (-6)"),
        ("clGetDeviceInfo", "a device: clGetDeviceInfo reported CL_OUT_OF_HOST_MEMORY (-6)"),
    ] {
        let fake = Fake::new();
        fake.fail(call, OUT_OF_HOST_MEMORY, 0, 100);
        let reason = absence(fake.options());
        assert!(reason.contains(text), "{reason}");
    }
}

#[test]
fn full_memory_has_many_numbers() {
    let fake = Fake::new();
    let device = fake.device();
    for (kind, call) in [
        (MemoryKind::Device, "clDeviceMemAllocINTEL"),
        (MemoryKind::Shared, "clSharedMemAllocINTEL"),
        (MemoryKind::Host, "clHostMemAllocINTEL"),
    ] {
        for code in [-4i32, -5, -6, -61] {
            fake.fail(call, code.cast_unsigned(), 0, 1);
            let full = device.memory().allocate(kind, 64, 64);
            assert!(matches!(full, Err(DriverError::OutOfMemory { free: None, .. })), "{full:?}");
        }
        fake.fail(call, DEVICE_NOT_AVAILABLE - 28, 0, 1);
        let other = device.memory().allocate(kind, 64, 64).expect_err("an invalid value");
        assert!(matches!(&other, DriverError::Vendor { call: named, .. } if *named == call), "{other:?}");
    }
}

#[test]
fn launches_are_checked_before_the_library_sees_them() {
    let fake = Fake::new();
    fake.set("group", 256);
    fake.set("info 1004", 2048);
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&add_one()).expect("load"));
    fake.calls();
    let shape = |global, group, local_memory| LaunchShape { global: [global, global, 1], group, local_memory };
    for (shape, arguments, text) in [
        (shape(512, [512, 1, 1], 0), 16, "registers"),
        (shape(64, [1, 1, 0], 0), 16, "at least one work-item"),
        (shape(64, [64, 1, 1], 1 << 20), 16, "at most 65536"),
        (shape(1 << 33, [1, 1, 1], 0), 16, "work-groups in x, at most 4294967295"),
        (shape(64, [64, 1, 1], 0), 15, "has 15 bytes, the kernel reads 16"),
    ] {
        // SAFETY: a refused launch runs nothing.
        let refused = unsafe { queue.launch(&kernel, &shape, &[0; 16][..arguments]) };
        let Err(error @ (DriverError::Launch { .. } | DriverError::LocalMemory { .. })) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(matches!(error, DriverError::LocalMemory { .. }), text == "at most 65536", "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
    assert_eq!((queue.last(), fake.calls()), (Ticket(0), Vec::new()));
}

fn refusal(device: &dyn Device, code: &CodeObject) -> String {
    match device.load(code).map(drop) {
        Err(error @ DriverError::Load { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn code_that_is_damaged_is_not_given_to_the_library() {
    let fake = Fake::new();
    fake.set("il", 10);
    let device = fake.device();
    device.create_queue().expect("queue");
    fake.calls();
    let code = add_one();
    let with = |bytes: &[u8]| CodeObject { bytes: Arc::from(bytes), ..code.clone() };
    for length in (0..code.bytes.len()).step_by(4) {
        let reason = refusal(&*device, &with(&code.bytes[..length]));
        assert!(reason.contains("cut off after") || reason.contains("not a SPIR-V module"), "{length}: {reason}");
    }
    let mut newer = code.bytes.to_vec();
    newer[5] = 1;
    assert!(refusal(&*device, &with(&newer)).contains("SPIR-V 1.1, and the device takes versions up to 1.0"));
    // OpExtension "SPV_x", before everything else.
    let extension = [&[10, 0, 3, 0][..], b"SPV_x\0\0\0"].concat();
    let extended = refusal(&*device, &with(&[&code.bytes[..20], &extension, &code.bytes[20..]].concat()));
    assert!(extended.contains("extension SPV_x, which the device is not known to have"), "{extended}");
    let mut renamed = add_one();
    renamed.entry.symbol = "other".to_owned();
    assert!(refusal(&*device, &renamed).contains("no entry of this name"));
    let ptx = CodeObject { format: CodeFormat::Ptx, ..add_one() };
    assert!(refusal(&*device, &ptx).contains("it is PTX, neither SPIR-V nor machine code of OpenCL"));
    assert_eq!(fake.calls(), Vec::<String>::new());
}

#[test]
fn what_the_compiler_says_about_code_is_in_the_error() {
    let fake = Fake::new();
    let device = fake.device();
    fake.set("refuse", 1);
    let text = refusal(&*device, &add_one());
    assert!(
        text.contains("clBuildProgram reported CL_BUILD_PROGRAM_FAILURE (-11)\nthe capability is unknown"),
        "{text}"
    );
    fake.set("refuse", 0);
    fake.fail("clBuildProgram", OUT_OF_HOST_MEMORY, 0, 1);
    let full = device.load(&add_one()).map(drop).expect_err("no memory");
    assert!(matches!(full, DriverError::Vendor { call: "clBuildProgram", .. }), "not the code's fault: {full:?}");
    assert!(full.source().is_some_and(|source| source.to_string().contains("free memory of the host")));
    fake.set("parameters", 3);
    assert!(refusal(&*device, &add_one()).contains("its entry has 3 parameters instead of 2"));
    let count = |calls: &[String], name: &str| calls.iter().filter(|call| call.split(' ').next() == Some(name)).count();
    let calls = fake.calls();
    assert_eq!(count(&calls, "clCreateProgramWithIL"), count(&calls, "clReleaseProgram"));
    assert_eq!(count(&calls, "clCreateKernel"), count(&calls, "clReleaseKernel"));
}

#[test]
fn a_lost_device_is_reported_and_left_alone() {
    for code in [OUT_OF_RESOURCES, DEVICE_NOT_AVAILABLE] {
        failures::lose(&Fake::new(), "clFinish", code);
    }
}

#[test]
fn a_command_that_failed_is_noticed_by_its_marker() {
    let fake = Fake::new();
    let device = fake.device();
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&nothing("k")).expect("load"));
    launch(&*queue, &kernel).expect("launch");
    fake.set("status", -9999);
    let lost = queue.is_complete(Ticket(1)).expect_err("lost");
    assert!(matches!(&lost, DriverError::Lost { kernel: Some(name), .. } if name == "k"), "{lost:?}");
    assert!(
        lost.to_string().contains("CL_EVENT_COMMAND_EXECUTION_STATUS") && lost.to_string().contains("(-9999)"),
        "{lost}"
    );
}

/// Each function that a running program calls may fail: the call returns an error that names the
/// function, and the device continues to work.
#[test]
fn any_call_may_fail() {
    let calls = [
        "clCreateCommandQueueWithProperties",
        "clFlush",
        "clFinish",
        "clEnqueueMarkerWithWaitList",
        "clGetEventInfo",
        "clCreateProgramWithIL",
        "clBuildProgram",
        "clCreateKernel",
        "clGetKernelInfo",
        "clSetKernelExecInfo",
        "clGetKernelWorkGroupInfo",
        "clEnqueueNDRangeKernel",
        "clDeviceMemAllocINTEL",
        "clHostMemAllocINTEL",
        "clSharedMemAllocINTEL",
        "clMemBlockingFreeINTEL",
        "clEnqueueMemFillINTEL",
        "clEnqueueMemcpyINTEL",
        "clEnqueueMigrateMemINTEL",
    ];
    failures::fail_each(&calls, OUT_OF_HOST_MEMORY, || {
        let fake = Fake::new();
        let device = fake.device();
        (fake, device)
    });
}
