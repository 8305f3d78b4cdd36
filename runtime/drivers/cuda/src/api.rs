//! The functions of NVIDIA's driver that we use.
//!
//! In: a path or name of `libcuda`. Out: a table of functions, or the name of a missing one.
//! *Invariant:* the library has every function in the table, and we use no other.
//!
//! The types are cudarc's. Its functions are not used: they panic if the library lacks one, find
//! the toolkit's stub `libcuda.so` before the driver, and return a Rust enum, for which a code of a
//! newer driver is undefined behaviour. Names with a suffix such as `_v2` are those that `cuda.h`
//! of CUDA 12 maps the plain names to; drivers keep old versions forever.

use cudarc::driver::sys::{
    CUDA_MEMCPY2D, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction, CUfunction_attribute,
    CUjit_option, CUjitInputType, CUlimit_enum, CUlinkState, CUmem_advise, CUmodule, CUpointer_attribute, CUstream,
};
use libloading::Library;
use sinter_dylib::{function_table, open::reason};
use std::{
    ffi::{c_char, c_int, c_void},
    path::Path,
};

pub(crate) use sinter_driver_common::Handle;

/// File name under which NVIDIA's installer installs the driver's library.
const LIBRARY: &str = "libcuda.so.1";

function_table! {
    /// Function table of the driver.
    pub(crate) struct Api;

    codes {
        init = "cuInit" (flags: u32);
        driver_version = "cuDriverGetVersion" (version: *mut c_int);
        error_name = "cuGetErrorName" (code: u32, text: *mut *const c_char);
        error_text = "cuGetErrorString" (code: u32, text: *mut *const c_char);
        device_count = "cuDeviceGetCount" (count: *mut c_int);
        device_get = "cuDeviceGet" (device: *mut CUdevice, ordinal: c_int);
        device_name = "cuDeviceGetName" (name: *mut c_char, length: c_int, device: CUdevice);
        device_memory = "cuDeviceTotalMem_v2" (bytes: *mut usize, device: CUdevice);
        device_attribute = "cuDeviceGetAttribute" (value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
        primary_retain = "cuDevicePrimaryCtxRetain" (context: *mut CUcontext, device: CUdevice);
        primary_release = "cuDevicePrimaryCtxRelease_v2" (device: CUdevice);
        primary_state = "cuDevicePrimaryCtxGetState" (device: CUdevice, flags: *mut u32, active: *mut c_int);
        context_current = "cuCtxGetCurrent" (context: *mut CUcontext);
        context_set = "cuCtxSetCurrent" (context: CUcontext);
        context_push = "cuCtxPushCurrent_v2" (context: CUcontext);
        context_pop = "cuCtxPopCurrent_v2" (context: *mut CUcontext);
        context_limit = "cuCtxSetLimit" (limit: CUlimit_enum, value: usize);
        peer_possible = "cuDeviceCanAccessPeer" (possible: *mut c_int, device: CUdevice, peer: CUdevice);
        peer_enable = "cuCtxEnablePeerAccess" (peer: CUcontext, flags: u32);
        peer_disable = "cuCtxDisablePeerAccess" (peer: CUcontext);
        memory_info = "cuMemGetInfo_v2" (free: *mut usize, total: *mut usize);
        device_allocate = "cuMemAlloc_v2" (pointer: *mut CUdeviceptr, size: usize);
        device_free = "cuMemFree_v2" (pointer: CUdeviceptr);
        host_allocate = "cuMemHostAlloc" (pointer: *mut *mut c_void, size: usize, flags: u32);
        host_free = "cuMemFreeHost" (pointer: *mut c_void);
        host_register = "cuMemHostRegister_v2" (pointer: *mut c_void, size: usize, flags: u32);
        host_unregister = "cuMemHostUnregister" (pointer: *mut c_void);
        host_address = "cuMemHostGetDevicePointer_v2" (address: *mut CUdeviceptr, pointer: *mut c_void, flags: u32);
        managed_allocate = "cuMemAllocManaged" (pointer: *mut CUdeviceptr, size: usize, flags: u32);
        pointer_attributes = "cuPointerGetAttributes"
            (count: u32, attributes: *mut CUpointer_attribute, values: *mut *mut c_void, pointer: CUdeviceptr);
        copy = "cuMemcpyAsync" (destination: CUdeviceptr, source: CUdeviceptr, size: usize, stream: CUstream);
        copy_rows = "cuMemcpy2DAsync_v2" (copy: *const CUDA_MEMCPY2D, stream: CUstream);
        set_8 = "cuMemsetD8Async" (destination: CUdeviceptr, value: u8, count: usize, stream: CUstream);
        set_16 = "cuMemsetD16Async" (destination: CUdeviceptr, value: u16, count: usize, stream: CUstream);
        set_32 = "cuMemsetD32Async" (destination: CUdeviceptr, value: u32, count: usize, stream: CUstream);
        set_rows_8 = "cuMemsetD2D8Async"
            (destination: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize, stream: CUstream);
        set_rows_16 = "cuMemsetD2D16Async"
            (destination: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize, stream: CUstream);
        set_rows_32 = "cuMemsetD2D32Async"
            (destination: CUdeviceptr, pitch: usize, value: u32, width: usize, height: usize, stream: CUstream);
        prefetch = "cuMemPrefetchAsync" (pointer: CUdeviceptr, size: usize, device: CUdevice, stream: CUstream);
        advise = "cuMemAdvise" (pointer: CUdeviceptr, size: usize, advice: CUmem_advise, device: CUdevice);
        stream_create = "cuStreamCreate" (stream: *mut CUstream, flags: u32);
        stream_destroy = "cuStreamDestroy_v2" (stream: CUstream);
        stream_query = "cuStreamQuery" (stream: CUstream);
        stream_synchronize = "cuStreamSynchronize" (stream: CUstream);
        stream_wait = "cuStreamWaitEvent" (stream: CUstream, event: CUevent, flags: u32);
        stream_context = "cuStreamGetCtx" (stream: CUstream, context: *mut CUcontext);
        event_create = "cuEventCreate" (event: *mut CUevent, flags: u32);
        event_destroy = "cuEventDestroy_v2" (event: CUevent);
        event_record = "cuEventRecord" (event: CUevent, stream: CUstream);
        event_query = "cuEventQuery" (event: CUevent);
        event_synchronize = "cuEventSynchronize" (event: CUevent);
        event_elapsed = "cuEventElapsedTime" (milliseconds: *mut f32, start: CUevent, end: CUevent);
        module_load = "cuModuleLoadDataEx" (
            module: *mut CUmodule, image: *const c_void, count: u32, options: *mut CUjit_option, values: *mut *mut c_void);
        module_unload = "cuModuleUnload" (module: CUmodule);
        module_function = "cuModuleGetFunction" (function: *mut CUfunction, module: CUmodule, name: *const c_char);
        link_create = "cuLinkCreate_v2"
            (count: u32, options: *mut CUjit_option, values: *mut *mut c_void, state: *mut CUlinkState);
        link_add = "cuLinkAddData_v2" (
            state: CUlinkState, input: CUjitInputType, data: *mut c_void, size: usize, name: *const c_char, count: u32,
            options: *mut CUjit_option, values: *mut *mut c_void);
        link_complete = "cuLinkComplete" (state: CUlinkState, image: *mut *mut c_void, size: *mut usize);
        link_destroy = "cuLinkDestroy" (state: CUlinkState);
        function_attribute = "cuFuncGetAttribute" (value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction);
        function_set = "cuFuncSetAttribute" (function: CUfunction, attribute: CUfunction_attribute, value: c_int);
        active_groups = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
            (groups: *mut c_int, function: CUfunction, size: c_int, local_memory: usize);
        launch = "cuLaunchKernel" (
            function: CUfunction, grid_x: u32, grid_y: u32, grid_z: u32, group_x: u32, group_y: u32, group_z: u32,
            local_memory: u32, stream: CUstream, parameters: *mut *mut c_void, extra: *mut *mut c_void);
    }
    values {}
    optional {}
}

/// Library of the driver's assembler, which the driver loads when it first links.
const ASSEMBLER: &str = "libnvidia-ptxjitcompiler.so.1";

/// Loads the assembler's library for the rest of the process. Without it linking fails later.
pub(crate) fn open_assembler() {
    // SAFETY: the library is a part of NVIDIA's driver, whose initialisation any program may run.
    match unsafe { Library::new(ASSEMBLER) } {
        Ok(library) => std::mem::forget(library),
        Err(error) => tracing::debug!("{ASSEMBLER} cannot be loaded: {}", reason(&error)),
    }
}

fn missing(symbol: &str) -> String {
    format!("NVIDIA's driver has no function {symbol}: it is too old; install a driver for CUDA 12 or newer")
}

impl Api {
    /// Opens the driver's library at `path`, or the installed one.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, String> {
        let path = path.unwrap_or(Path::new(LIBRARY));
        // SAFETY: the library is NVIDIA's driver, whose initialisation any program may run.
        let library = unsafe { Library::new(path) };
        let absent = |error: libloading::Error| {
            let remedy = "install NVIDIA's driver to use its GPUs";
            format!("NVIDIA's driver library {} cannot be loaded: {remedy} ({})", path.display(), reason(&error))
        };
        Api::resolve(library.map_err(absent)?).map_err(missing)
    }
}
