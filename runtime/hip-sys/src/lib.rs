//! The functions of AMD's HIP library that Sinter uses.
//!
//! In: paths or names of `libamdhip64.so`. Out: a table of functions, or the name of a missing one.
//! *Invariant:* functions, numbers and layouts are common to ROCm 5, 6 and 7; differences are
//! documented at the item.
//!
//! Types and numbers are from `hip/hip_runtime_api.h` and `hip/driver_types.h` of ROCm 5.0, 5.2,
//! 5.7, 6.2 and 7.
#![allow(clippy::missing_safety_doc, reason = "the functions are documented in AMD's header")]

pub mod open;
pub mod types;

use sinter_dylib::function_table;
use std::ffi::{c_char, c_int, c_uint, c_void};
use types::{Attribute, Event, Function, FunctionAttribute, JitOption, Module, PointerAttributes, Stream};

function_table! {
    /// Function table of the library.
    pub struct Api;

    codes {
        init = "hipInit" (flags: c_uint);
        runtime_version = "hipRuntimeGetVersion" (version: *mut c_int);
        device_count = "hipGetDeviceCount" (count: *mut c_int);
        device_current = "hipGetDevice" (device: *mut c_int);
        device_set = "hipSetDevice" (device: c_int);
        device_name = "hipDeviceGetName" (name: *mut c_char, length: c_int, device: c_int);
        device_memory = "hipDeviceTotalMem" (bytes: *mut usize, device: c_int);
        device_attribute = "hipDeviceGetAttribute" (value: *mut c_int, attribute: Attribute, device: c_int);
        peer_possible = "hipDeviceCanAccessPeer" (possible: *mut c_int, device: c_int, peer: c_int);
        peer_enable = "hipDeviceEnablePeerAccess" (peer: c_int, flags: c_uint);
        peer_disable = "hipDeviceDisablePeerAccess" (peer: c_int);
        memory_info = "hipMemGetInfo" (free: *mut usize, total: *mut usize);
        device_allocate = "hipMalloc" (pointer: *mut *mut c_void, size: usize);
        device_free = "hipFree" (pointer: *mut c_void);
        host_allocate = "hipHostMalloc" (pointer: *mut *mut c_void, size: usize, flags: c_uint);
        host_free = "hipHostFree" (pointer: *mut c_void);
        host_register = "hipHostRegister" (pointer: *mut c_void, size: usize, flags: c_uint);
        host_unregister = "hipHostUnregister" (pointer: *mut c_void);
        host_address = "hipHostGetDevicePointer" (address: *mut *mut c_void, pointer: *mut c_void, flags: c_uint);
        managed_allocate = "hipMallocManaged" (pointer: *mut *mut c_void, size: usize, flags: c_uint);
        pointer_attributes = "hipPointerGetAttributes" (attributes: *mut PointerAttributes, pointer: *const c_void);
        pointer_range = "hipMemGetAddressRange" (base: *mut *mut c_void, size: *mut usize, pointer: *mut c_void);
        copy = "hipMemcpyAsync" (to: *mut c_void, from: *const c_void, size: usize, kind: c_int, stream: Stream);
        copy_rows = "hipMemcpy2DAsync" (
            to: *mut c_void, to_pitch: usize, from: *const c_void, from_pitch: usize, width: usize, height: usize,
            kind: c_int, stream: Stream);
        set_8 = "hipMemsetD8Async" (to: *mut c_void, value: u8, count: usize, stream: Stream);
        set_16 = "hipMemsetD16Async" (to: *mut c_void, value: u16, count: usize, stream: Stream);
        set_32 = "hipMemsetD32Async" (to: *mut c_void, value: c_int, count: usize, stream: Stream);
        prefetch = "hipMemPrefetchAsync" (pointer: *const c_void, size: usize, device: c_int, stream: Stream);
        advise = "hipMemAdvise" (pointer: *const c_void, size: usize, advice: c_int, device: c_int);
        stream_create = "hipStreamCreateWithFlags" (stream: *mut Stream, flags: c_uint);
        stream_destroy = "hipStreamDestroy" (stream: Stream);
        stream_query = "hipStreamQuery" (stream: Stream);
        stream_synchronize = "hipStreamSynchronize" (stream: Stream);
        stream_wait = "hipStreamWaitEvent" (stream: Stream, event: Event, flags: c_uint);
        event_create = "hipEventCreateWithFlags" (event: *mut Event, flags: c_uint);
        event_destroy = "hipEventDestroy" (event: Event);
        event_record = "hipEventRecord" (event: Event, stream: Stream);
        event_query = "hipEventQuery" (event: Event);
        event_synchronize = "hipEventSynchronize" (event: Event);
        event_elapsed = "hipEventElapsedTime" (milliseconds: *mut f32, start: Event, end: Event);
        module_load = "hipModuleLoadDataEx" (
            module: *mut Module, image: *const c_void, count: c_uint, options: *mut JitOption, values: *mut *mut c_void);
        module_unload = "hipModuleUnload" (module: Module);
        module_function = "hipModuleGetFunction" (function: *mut Function, module: Module, name: *const c_char);
        function_attribute = "hipFuncGetAttribute" (value: *mut c_int, attribute: FunctionAttribute, function: Function);
        active_groups = "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"
            (groups: *mut c_int, function: Function, size: c_int, local_memory: usize);
        launch = "hipModuleLaunchKernel" (
            function: Function, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, group_x: c_uint, group_y: c_uint,
            group_z: c_uint, local_memory: c_uint, stream: Stream, parameters: *mut *mut c_void, extra: *mut *mut c_void);
        take_error = "hipGetLastError" ();
    }
    values {
        error_name = "hipGetErrorName" (code: u32) -> *const c_char;
        error_text = "hipGetErrorString" (code: u32) -> *const c_char;
        stream_device = "hipGetStreamDeviceId" (stream: Stream) -> c_int;
    }
    optional {
        device_properties_5 = "hipGetDeviceProperties" (properties: *mut c_void, device: c_int);
        set_limit = "hipDeviceSetLimit" (limit: c_uint, value: usize);
        device_properties_6 = "hipGetDevicePropertiesR0600" (properties: *mut c_void, device: c_int);
    }
}
