//! The part of `sinter/sinter.h` that this crate uses.
//!
//! *Invariant:* names, types and order of fields equal those of the header; a struct that starts
//! with its size may be longer there.
#![expect(unsafe_code, reason = "declares C functions")]

use std::ffi::{c_char, c_void};

/// Opaque `sinter_queue`.
#[repr(C)]
pub(crate) struct RawQueue {
    _opaque: [u8; 0],
}

/// Opaque `sinter_module`.
#[repr(C)]
pub(crate) struct RawModule {
    _opaque: [u8; 0],
}

/// `sinter_parameter`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) byte_offset: u32,
    pub(crate) byte_size: u32,
    pub(crate) original_index: u32,
    pub(crate) kind: u32,
}

/// First part of `sinter_kernel`.
#[repr(C)]
pub(crate) struct RawKernel {
    pub(crate) struct_size: u32,
    pub(crate) parameter_count: u32,
    pub(crate) container: *const c_void,
    pub(crate) symbol: *const c_char,
    pub(crate) parameters: *const Parameter,
    pub(crate) block_size: u64,
}

/// `sinter_constant`.
#[repr(C)]
pub(crate) struct Constant {
    pub(crate) name: *const c_char,
    pub(crate) value: *const c_void,
    pub(crate) size: u64,
}

/// `sinter_launch`.
#[repr(C)]
pub(crate) struct Launch {
    pub(crate) struct_size: u32,
    pub(crate) dimensions: u32,
    pub(crate) global_size: [u64; 3],
    pub(crate) group_size: [u32; 3],
    pub(crate) local_memory: u32,
    pub(crate) constant_count: u32,
    pub(crate) reserved: u32,
    pub(crate) constants: *const Constant,
}

/// `sinter_profile`.
#[repr(C)]
#[derive(Default)]
pub(crate) struct RawProfile {
    pub(crate) struct_size: u32,
    pub(crate) reserved: u32,
    pub(crate) submit: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Values of `sinter_device_info`.
pub(crate) const DEVICE_NAME: u32 = 0;
pub(crate) const DEVICE_DRIVER_NAME: u32 = 2;
pub(crate) const DEVICE_TARGET: u32 = 4;
pub(crate) const DEVICE_MAX_COMPUTE_UNITS: u32 = 6;

unsafe extern "C" {
    pub(crate) fn sinter_last_error() -> *const c_char;
    pub(crate) fn sinter_device_count(count: *mut u32) -> i32;
    pub(crate) fn sinter_device_get_info(
        device: u32,
        what: u32,
        value: *mut c_void,
        size: usize,
        required: *mut usize,
    ) -> i32;
    pub(crate) fn sinter_malloc(
        device: u32,
        kind: u32,
        size: usize,
        alignment: usize,
        pointer: *mut *mut c_void,
    ) -> i32;
    pub(crate) fn sinter_free(pointer: *mut c_void) -> i32;
    pub(crate) fn sinter_module_create(container: *const c_void, size: usize, module: *mut *mut RawModule) -> i32;
    pub(crate) fn sinter_module_linked(kernel: *const c_char, module: *mut *mut RawModule) -> i32;
    pub(crate) fn sinter_module_destroy(module: *mut RawModule) -> i32;
    pub(crate) fn sinter_module_get_kernel(
        module: *mut RawModule,
        name: *const c_char,
        kernel: *mut *const RawKernel,
    ) -> i32;
    pub(crate) fn sinter_queue_create(device: u32, queue: *mut *mut RawQueue) -> i32;
    pub(crate) fn sinter_queue_destroy(queue: *mut RawQueue) -> i32;
    pub(crate) fn sinter_queue_enable_profiling(queue: *mut RawQueue) -> i32;
    pub(crate) fn sinter_queue_launch(
        queue: *mut RawQueue,
        kernel: *const RawKernel,
        block: *const c_void,
        block_size: usize,
        launch: *const Launch,
        ticket: *mut u64,
    ) -> i32;
    pub(crate) fn sinter_queue_memcpy(
        queue: *mut RawQueue,
        destination: *mut c_void,
        source: *const c_void,
        size: usize,
        ticket: *mut u64,
    ) -> i32;
    pub(crate) fn sinter_queue_fill(
        queue: *mut RawQueue,
        destination: *mut c_void,
        pattern: *const c_void,
        pattern_size: usize,
        count: usize,
        ticket: *mut u64,
    ) -> i32;
    pub(crate) fn sinter_queue_depend(queue: *mut RawQueue, other: *mut RawQueue, ticket: u64) -> i32;
    pub(crate) fn sinter_queue_wait(queue: *mut RawQueue, ticket: u64) -> i32;
    pub(crate) fn sinter_queue_wait_all(queue: *mut RawQueue) -> i32;
    pub(crate) fn sinter_queue_query(queue: *mut RawQueue, ticket: u64, complete: *mut i32) -> i32;
    pub(crate) fn sinter_queue_profile(queue: *mut RawQueue, ticket: u64, profile: *mut RawProfile) -> i32;
}
