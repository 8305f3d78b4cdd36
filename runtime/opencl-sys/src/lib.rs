//! The functions of OpenCL that Sinter uses.
//!
//! In: a path or the name of `libOpenCL.so`, and platforms. Out: tables of functions, or the name
//! of a missing one. *Invariant:* every library of OpenCL 2.1 and newer has the functions of
//! [`Api`]; extension functions are looked up for each platform.
//!
//! The library dispatches calls to the platforms' own libraries. A platform may be older than the
//! library, so a function that the library has must not be called on every platform.
#![allow(clippy::missing_safety_doc, reason = "the functions are documented by Khronos")]

pub mod open;
pub mod types;

use sinter_dylib::function_table;
use std::ffi::{CString, c_char, c_void};
use types::{Context, Device, Event, Kernel, Platform, Program, Queue};

function_table! {
    /// Function table of the library.
    pub struct Api;

    codes {
        platform_ids = "clGetPlatformIDs" (room: u32, platforms: *mut Platform, count: *mut u32);
        platform_info = "clGetPlatformInfo" (
            platform: Platform, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        device_ids = "clGetDeviceIDs" (platform: Platform, kinds: u64, room: u32, devices: *mut Device, count: *mut u32);
        device_info = "clGetDeviceInfo" (device: Device, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        context_release = "clReleaseContext" (context: Context);
        queue_info = "clGetCommandQueueInfo" (queue: Queue, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        queue_release = "clReleaseCommandQueue" (queue: Queue);
        flush = "clFlush" (queue: Queue);
        finish = "clFinish" (queue: Queue);
        program_build = "clBuildProgram" (
            program: Program, count: u32, devices: *const Device, options: *const c_char, notify: *const c_void,
            data: *mut c_void);
        program_build_info = "clGetProgramBuildInfo" (
            program: Program, device: Device, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        program_info = "clGetProgramInfo" (
            program: Program, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        program_release = "clReleaseProgram" (program: Program);
        kernel_info = "clGetKernelInfo" (kernel: Kernel, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        kernel_group_info = "clGetKernelWorkGroupInfo" (
            kernel: Kernel, device: Device, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        kernel_exec_info = "clSetKernelExecInfo" (kernel: Kernel, name: u32, size: usize, value: *const c_void);
        kernel_release = "clReleaseKernel" (kernel: Kernel);
        set_argument = "clSetKernelArg" (kernel: Kernel, index: u32, size: usize, value: *const c_void);
        set_argument_svm = "clSetKernelArgSVMPointer" (kernel: Kernel, index: u32, value: *const c_void);
        launch = "clEnqueueNDRangeKernel" (
            queue: Queue, kernel: Kernel, dimensions: u32, offset: *const usize, global: *const usize,
            local: *const usize, count: u32, events: *const Event, event: *mut Event);
        marker = "clEnqueueMarkerWithWaitList" (queue: Queue, count: u32, events: *const Event, event: *mut Event);
        barrier = "clEnqueueBarrierWithWaitList" (queue: Queue, count: u32, events: *const Event, event: *mut Event);
        svm_copy = "clEnqueueSVMMemcpy" (
            queue: Queue, blocking: u32, to: *mut c_void, from: *const c_void, size: usize, count: u32,
            events: *const Event, event: *mut Event);
        svm_fill = "clEnqueueSVMMemFill" (
            queue: Queue, to: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, count: u32,
            events: *const Event, event: *mut Event);
        event_info = "clGetEventInfo" (event: Event, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        event_wait = "clWaitForEvents" (count: u32, events: *const Event);
        event_release = "clReleaseEvent" (event: Event);
        event_times = "clGetEventProfilingInfo" (
            event: Event, name: u32, room: usize, value: *mut c_void, size: *mut usize);
    }
    values {
        extension_function = "clGetExtensionFunctionAddressForPlatform" (
            platform: Platform, name: *const c_char) -> *mut c_void;
        context_create = "clCreateContext" (
            properties: *const isize, count: u32, devices: *const Device, notify: *const c_void, data: *mut c_void,
            error: *mut i32) -> Context;
        queue_create = "clCreateCommandQueueWithProperties" (
            context: Context, device: Device, properties: *const u64, error: *mut i32) -> Queue;
        program_create = "clCreateProgramWithIL" (
            context: Context, code: *const c_void, size: usize, error: *mut i32) -> Program;
        program_of_binary = "clCreateProgramWithBinary" (
            context: Context, count: u32, devices: *const Device, sizes: *const usize, binaries: *const *const u8,
            statuses: *mut i32, error: *mut i32) -> Program;
        kernel_create = "clCreateKernel" (program: Program, name: *const c_char, error: *mut i32) -> Kernel;
        svm_allocate = "clSVMAlloc" (context: Context, flags: u64, size: usize, alignment: u32) -> *mut c_void;
        svm_free = "clSVMFree" (context: Context, pointer: *mut c_void) -> ();
    }
    optional {
    }
}

function_table! {
    /// Functions of `cl_intel_unified_shared_memory`.
    pub struct Usm;

    codes {
        free = "clMemBlockingFreeINTEL" (context: Context, pointer: *mut c_void);
        info = "clGetMemAllocInfoINTEL" (
            context: Context, pointer: *const c_void, name: u32, room: usize, value: *mut c_void, size: *mut usize);
        set_argument = "clSetKernelArgMemPointerINTEL" (kernel: Kernel, index: u32, value: *const c_void);
        copy = "clEnqueueMemcpyINTEL" (
            queue: Queue, blocking: u32, to: *mut c_void, from: *const c_void, size: usize, count: u32,
            events: *const Event, event: *mut Event);
        fill = "clEnqueueMemFillINTEL" (
            queue: Queue, to: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, count: u32,
            events: *const Event, event: *mut Event);
        migrate = "clEnqueueMigrateMemINTEL" (
            queue: Queue, pointer: *const c_void, size: usize, flags: u64, count: u32, events: *const Event,
            event: *mut Event);
    }
    values {
        host_allocate = "clHostMemAllocINTEL" (
            context: Context, properties: *const u64, size: usize, alignment: u32, error: *mut i32) -> *mut c_void;
        device_allocate = "clDeviceMemAllocINTEL" (
            context: Context, device: Device, properties: *const u64, size: usize, alignment: u32, error: *mut i32,
        ) -> *mut c_void;
        shared_allocate = "clSharedMemAllocINTEL" (
            context: Context, device: Device, properties: *const u64, size: usize, alignment: u32, error: *mut i32,
        ) -> *mut c_void;
    }
    optional {
    }
}

function_table! {
    /// Functions of `cl_khr_il_program`.
    pub struct IlProgram;

    codes {
    }
    values {
        program_create = "clCreateProgramWithILKHR" (
            context: Context, code: *const c_void, size: usize, error: *mut i32) -> Program;
    }
    optional {
    }
}

/// Looks up extension functions of a platform.
fn of_platform(api: &Api, platform: Platform) -> impl Fn(&str) -> Option<*mut c_void> {
    move |symbol| {
        let name = CString::new(symbol).ok()?;
        // SAFETY: the platform is the library's, and the name is null-terminated.
        Some(unsafe { api.extension_function(platform, name.as_ptr()) })
    }
}

impl Usm {
    /// The functions of a platform. The error is the name of a missing one.
    ///
    /// # Safety
    /// The platform was returned by the library.
    pub unsafe fn of(api: &Api, platform: Platform) -> Result<Self, &'static str> {
        // SAFETY: every platform with the extension defines the functions with these types, and
        // platforms stay loaded.
        unsafe { Usm::resolve_by(of_platform(api, platform)) }
    }
}

impl IlProgram {
    /// The functions of a platform. The error is the name of a missing one.
    ///
    /// # Safety
    /// The platform was returned by the library.
    pub unsafe fn of(api: &Api, platform: Platform) -> Result<Self, &'static str> {
        // SAFETY: as for [`Usm::of`].
        unsafe { IlProgram::resolve_by(of_platform(api, platform)) }
    }
}
