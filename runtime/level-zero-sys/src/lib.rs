//! The functions of Level Zero that Sinter uses.
//!
//! In: a path, or the loader's name. Out: a table of functions, or the name of a missing one.
//! *Invariant:* functions, numbers and layouts are those of specification 1.4, unless they are
//! optional; since then structures have only grown at their end.
//!
//! Types and numbers are from `ze_api.h` of loader 1.8 (specification 1.4) and loader 1.32
//! (specification 1.17).
#![allow(clippy::missing_safety_doc, reason = "the functions are documented in the specification")]

pub mod open;
pub mod result;
pub mod types;

use sinter_dylib::function_table;
use std::ffi::{c_char, c_void};
use types::{
    AllocationProperties, CommandList, ComputeProperties, Context, ContextDesc, CopyRegion, Device, DeviceMemoryDesc,
    DeviceProperties, Driver, DriverProperties, DriverTypeDesc, Event, EventDesc, EventPool, EventPoolDesc, Extension,
    GroupCount, HostMemoryDesc, Kernel, KernelDesc, KernelProperties, MemoryAccess, MemoryProperties, Module,
    ModuleDesc, ModuleLog, ModuleProperties, QueueDesc, QueueGroup,
};

function_table! {
    /// Function table of the loader.
    pub struct Api;

    codes {
        init = "zeInit" (flags: u32);
        driver_get = "zeDriverGet" (count: *mut u32, drivers: *mut Driver);
        driver_version = "zeDriverGetApiVersion" (driver: Driver, version: *mut u32);
        driver_properties = "zeDriverGetProperties" (driver: Driver, properties: *mut DriverProperties);
        driver_extensions = "zeDriverGetExtensionProperties" (driver: Driver, count: *mut u32, extensions: *mut Extension);
        device_get = "zeDeviceGet" (driver: Driver, count: *mut u32, devices: *mut Device);
        device_properties = "zeDeviceGetProperties" (device: Device, properties: *mut DeviceProperties);
        compute_properties = "zeDeviceGetComputeProperties" (device: Device, properties: *mut ComputeProperties);
        module_properties = "zeDeviceGetModuleProperties" (device: Device, properties: *mut ModuleProperties);
        queue_groups = "zeDeviceGetCommandQueueGroupProperties" (device: Device, count: *mut u32, groups: *mut QueueGroup);
        memory_properties = "zeDeviceGetMemoryProperties" (device: Device, count: *mut u32, memories: *mut MemoryProperties);
        memory_access = "zeDeviceGetMemoryAccessProperties" (device: Device, properties: *mut MemoryAccess);
        can_access_peer = "zeDeviceCanAccessPeer" (device: Device, peer: Device, possible: *mut u8);
        context_create = "zeContextCreate" (driver: Driver, desc: *const ContextDesc, context: *mut Context);
        context_destroy = "zeContextDestroy" (context: Context);
        list_create = "zeCommandListCreateImmediate" (
            context: Context, device: Device, desc: *const QueueDesc, list: *mut CommandList);
        list_destroy = "zeCommandListDestroy" (list: CommandList);
        append_barrier = "zeCommandListAppendBarrier" (list: CommandList, signal: Event, count: u32, waits: *mut Event);
        append_timestamp = "zeCommandListAppendWriteGlobalTimestamp" (
            list: CommandList, place: *mut u64, signal: Event, count: u32, waits: *mut Event);
        append_copy = "zeCommandListAppendMemoryCopy" (
            list: CommandList, to: *mut c_void, from: *const c_void, size: usize, signal: Event, count: u32,
            waits: *mut Event);
        append_fill = "zeCommandListAppendMemoryFill" (
            list: CommandList, to: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, signal: Event,
            count: u32, waits: *mut Event);
        append_copy_region = "zeCommandListAppendMemoryCopyRegion" (
            list: CommandList, to: *mut c_void, to_region: *const CopyRegion, to_pitch: u32, to_slice: u32,
            from: *const c_void, from_region: *const CopyRegion, from_pitch: u32, from_slice: u32, signal: Event,
            count: u32, waits: *mut Event);
        append_prefetch = "zeCommandListAppendMemoryPrefetch" (list: CommandList, pointer: *const c_void, size: usize);
        append_advise = "zeCommandListAppendMemAdvise" (
            list: CommandList, device: Device, pointer: *const c_void, size: usize, advice: u32);
        append_signal = "zeCommandListAppendSignalEvent" (list: CommandList, event: Event);
        append_wait = "zeCommandListAppendWaitOnEvents" (list: CommandList, count: u32, events: *mut Event);
        append_launch = "zeCommandListAppendLaunchKernel" (
            list: CommandList, kernel: Kernel, groups: *const GroupCount, signal: Event, count: u32, waits: *mut Event);
        pool_create = "zeEventPoolCreate" (
            context: Context, desc: *const EventPoolDesc, count: u32, devices: *mut Device, pool: *mut EventPool);
        pool_destroy = "zeEventPoolDestroy" (pool: EventPool);
        event_create = "zeEventCreate" (pool: EventPool, desc: *const EventDesc, event: *mut Event);
        event_destroy = "zeEventDestroy" (event: Event);
        event_synchronize = "zeEventHostSynchronize" (event: Event, timeout: u64);
        event_query = "zeEventQueryStatus" (event: Event);
        event_reset = "zeEventHostReset" (event: Event);
        module_create = "zeModuleCreate" (
            context: Context, device: Device, desc: *const ModuleDesc, module: *mut Module, log: *mut ModuleLog);
        module_destroy = "zeModuleDestroy" (module: Module);
        module_binary = "zeModuleGetNativeBinary" (module: Module, size: *mut usize, bytes: *mut u8);
        log_string = "zeModuleBuildLogGetString" (log: ModuleLog, size: *mut usize, text: *mut c_char);
        log_destroy = "zeModuleBuildLogDestroy" (log: ModuleLog);
        kernel_create = "zeKernelCreate" (module: Module, desc: *const KernelDesc, kernel: *mut Kernel);
        kernel_destroy = "zeKernelDestroy" (kernel: Kernel);
        kernel_group_size = "zeKernelSetGroupSize" (kernel: Kernel, x: u32, y: u32, z: u32);
        kernel_suggest = "zeKernelSuggestGroupSize" (
            kernel: Kernel, items_x: u32, items_y: u32, items_z: u32, x: *mut u32, y: *mut u32, z: *mut u32);
        kernel_argument = "zeKernelSetArgumentValue" (kernel: Kernel, index: u32, size: usize, value: *const c_void);
        kernel_indirect = "zeKernelSetIndirectAccess" (kernel: Kernel, flags: u32);
        kernel_properties = "zeKernelGetProperties" (kernel: Kernel, properties: *mut KernelProperties);
        allocate_shared = "zeMemAllocShared" (
            context: Context, device_desc: *const DeviceMemoryDesc, host_desc: *const HostMemoryDesc, size: usize,
            alignment: usize, device: Device, pointer: *mut *mut c_void);
        allocate_device = "zeMemAllocDevice" (
            context: Context, desc: *const DeviceMemoryDesc, size: usize, alignment: usize, device: Device,
            pointer: *mut *mut c_void);
        allocate_host = "zeMemAllocHost" (
            context: Context, desc: *const HostMemoryDesc, size: usize, alignment: usize, pointer: *mut *mut c_void);
        free = "zeMemFree" (context: Context, pointer: *mut c_void);
        allocation_properties = "zeMemGetAllocProperties" (
            context: Context, pointer: *const c_void, properties: *mut AllocationProperties, device: *mut Device);
        address_range = "zeMemGetAddressRange" (
            context: Context, pointer: *const c_void, base: *mut *mut c_void, size: *mut usize);
    }
    values {}
    optional {
        init_drivers = "zeInitDrivers" (count: *mut u32, drivers: *mut Driver, desc: *mut DriverTypeDesc);
        driver_last_error = "zeDriverGetLastErrorDescription" (driver: Driver, text: *mut *const c_char);
        list_synchronize = "zeCommandListHostSynchronize" (list: CommandList, timeout: u64);
        list_context = "zeCommandListGetContextHandle" (list: CommandList, context: *mut Context);
        list_device = "zeCommandListGetDeviceHandle" (list: CommandList, device: *mut Device);
        list_is_immediate = "zeCommandListIsImmediate" (list: CommandList, immediate: *mut u8);
        list_flags = "zeCommandListImmediateGetFlags" (list: CommandList, flags: *mut u32);
    }
}

impl Api {
    /// True if the loader has `zeCommandListHostSynchronize`, introduced in specification 1.6.
    pub fn has_list_synchronize(&self) -> bool {
        self.list_synchronize.is_some()
    }
}
