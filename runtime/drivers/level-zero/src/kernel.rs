//! Loads a code object as a kernel that can be launched.
//!
//! In: a code object. Out: a kernel with everything that a launch needs. *Invariant:* the group
//! size and arguments that are set in a kernel's handle apply to its next launch, so a launch sets
//! them and submits under the kernel's lock.

use crate::{
    assemble::{Built, Compiler},
    gpu::Gpu,
};
use level_zero_sys::types::{
    CommandList, GroupCount, INDIRECT_ANY, KERNEL_MAX_GROUP_SIZE, KernelDesc, KernelMaxGroupSize, KernelProperties,
    KernelStruct, ModuleStruct, Structure,
};
use sinter_core::{Argument, CodeObject, EntryInfo, spirv::arguments::passed};
use sinter_driver::DriverError;
use sinter_driver_common::{
    Context, Failure, Geometry, Handle, KernelLimits, Loaded, LoadedKernel, Module, Resources,
    group_size::GroupSizeRules, lock,
};
use std::{
    ffi::c_void,
    ptr,
    sync::{Arc, Mutex},
};

/// Group sizes to try, in order of preference unless the driver proposes one. They are not
/// measured.
const CANDIDATES: [u32; 4] = [256, 512, 128, 1024];
/// Work-items in a group over a two- or three-dimensional range.
const TILE: u32 = 256;

/// Preferred group sizes on a device whose largest sub-group size is `sub_group`.
pub(crate) fn rules(sub_group: u32) -> GroupSizeRules {
    GroupSizeRules { sub_group, candidates: CANDIDATES, tile: TILE }
}

/// A module and its kernel in the driver.
pub(crate) struct Code {
    pub(crate) module: Handle<ModuleStruct>,
    pub(crate) kernel: Handle<KernelStruct>,
    arguments: Vec<Argument>,
    takes_local_memory: bool,
    /// The group size currently set in the kernel.
    group: Mutex<[u32; 3]>,
}

impl Code {
    /// Submits a launch to a list.
    ///
    /// # Safety
    /// The list is alive, and the buffer contains the arguments.
    #[inline]
    pub(crate) unsafe fn launch(
        &self,
        gpu: &Gpu,
        geometry: &Geometry,
        arguments: *const u8,
        list: CommandList,
    ) -> Result<(), Failure> {
        let (api, kernel) = (gpu.api(), self.kernel.0);
        let mut group = lock(&self.group);
        if *group != geometry.group {
            let [x, y, z] = geometry.group;
            // SAFETY: the kernel is alive, and nobody else changes it now.
            unsafe { api.kernel_group_size(kernel, x, y, z) }?;
            *group = geometry.group;
        }
        // SAFETY: upheld by the caller; the lock is held.
        unsafe { self.set_arguments(gpu, arguments, geometry.local_memory) }?;
        let [x, y, z] = geometry.grid;
        let (groups, no_event, no_events) = (GroupCount { x, y, z }, ptr::null_mut(), ptr::null_mut());
        // SAFETY: list and kernel are alive, and the kernel's arguments are complete.
        let launch = || unsafe { api.append_launch(list, kernel, &raw const groups, no_event, 0, no_events) };
        // SAFETY: upheld by the caller.
        unsafe { gpu.lists.append(list, launch) }
    }

    /// The driver's proposed group size, which divides the range.
    pub(crate) fn suggested(&self, gpu: &Gpu, global: [u64; 3]) -> Option<[u32; 3]> {
        let [x, y, z] = global.map(u32::try_from);
        let (x, y, z) = (x.ok()?, y.ok()?, z.ok()?);
        if [x, y, z].contains(&0) {
            return None;
        }
        let (kernel, [mut gx, mut gy, mut gz]) = (self.kernel.0, [0; 3]);
        // SAFETY: the kernel is alive, the three sizes are writable, and any thread may ask.
        let asked = unsafe { gpu.api().kernel_suggest(kernel, x, y, z, &raw mut gx, &raw mut gy, &raw mut gz) };
        asked.ok().map(|()| [gx, gy, gz])
    }

    /// Sets the kernel's arguments.
    unsafe fn set_arguments(&self, gpu: &Gpu, arguments: *const u8, local_memory: u32) -> Result<(), Failure> {
        let (api, kernel) = (gpu.api(), self.kernel.0);
        for (index, argument) in (0..).zip(&self.arguments) {
            let value = arguments.wrapping_add(argument.offset as usize).cast::<c_void>();
            // SAFETY: the buffer contains the arguments, and the call copies a value before it
            // returns.
            unsafe { api.kernel_argument(kernel, index, argument.size as usize, value) }?;
        }
        if self.takes_local_memory {
            let (index, size) = (self.arguments.len() as u32, local_memory.max(1) as usize);
            // SAFETY: an argument in local memory has a size and no value.
            unsafe { api.kernel_argument(kernel, index, size, ptr::null()) }?;
        }
        Ok(())
    }

    /// Destroys the kernel and the module.
    pub(crate) fn end(self, gpu: &Gpu) -> Result<(), Failure> {
        // SAFETY: no list runs the kernel any more, and nobody else has it.
        let ended = unsafe { gpu.api().kernel_destroy(self.kernel.0) };
        // SAFETY: its kernel was destroyed.
        unsafe { gpu.api().module_destroy(self.module.0) }.and(ended)
    }
}

/// Checks the argument layout that a code object declares. The error describes the defect.
fn check_arguments(entry: &EntryInfo) -> Result<(), String> {
    let fits = |argument: &Argument| {
        argument.size > 0 && u64::from(argument.offset) + u64::from(argument.size) <= entry.argument_size.into()
    };
    match entry.arguments.iter().position(|argument| !fits(argument)) {
        Some(index) => {
            Err(format!("argument {index} lies outside of its argument buffer of {} bytes", entry.argument_size))
        }
        None => Ok(()),
    }
}

/// Loads a code object.
pub(crate) fn load(
    resources: &Arc<Resources<Gpu>>,
    compiler: &Compiler,
    code: &CodeObject,
    sub_group: u32,
) -> Result<LoadedKernel<Gpu>, DriverError> {
    let (context, entry) = (&resources.context, &code.entry);
    check_arguments(entry).map_err(|reason| context.refused(&entry.symbol, reason))?;
    let module = compiler.build(context, code)?;
    let kernel = create_kernel(context, &module, &entry.symbol)?;
    let (arguments, takes_local_memory) = (passed(entry), entry.takes_local_memory);
    let code = Code { module: module.keep(), kernel, arguments, takes_local_memory, group: Mutex::new([0; 3]) };
    let function = Handle(Box::into_raw(Box::new(code)));
    // From here on `Module` destroys the code.
    let module = Module { handle: function, context: Arc::clone(context) };
    let limits = find_limits(context, kernel).map_err(|failure| context.report(failure))?;
    // The driver counts the local memory that the entry declares, because it consists of variables
    // of the code.
    let loaded = Loaded { module, function, limits, fixed_local_memory: entry.local_memory };
    LoadedKernel::new(resources, entry, loaded, &rules(sub_group))
}

/// Creates the kernel of a module.
fn create_kernel(context: &Context<Gpu>, module: &Built, symbol: &str) -> Result<Handle<KernelStruct>, DriverError> {
    let name = context.c_name(symbol)?;
    let (api, mut desc, mut kernel) = (context.api.api(), KernelDesc::new(), ptr::null_mut());
    desc.name = name.as_ptr();
    // SAFETY: the module is alive, the name is null-terminated, and `kernel` is writable.
    let created = unsafe { api.kernel_create(module.handle(), &raw const desc, &raw mut kernel) };
    created.map_err(|failure| context.without_entry(symbol, failure))?;
    // Pointers may be inside structures and memory, where the driver cannot see them.
    // SAFETY: the kernel is alive, and nobody else has it.
    let marked = unsafe { api.kernel_indirect(kernel, INDIRECT_ANY) };
    if let Err(failure) = marked {
        // SAFETY: nobody else has the kernel. An error needs no handling.
        let _ = unsafe { api.kernel_destroy(kernel) };
        return Err(context.report(failure));
    }
    Ok(Handle(kernel))
}

/// Queries the limits of a kernel.
fn find_limits(context: &Context<Gpu>, kernel: Handle<KernelStruct>) -> Result<KernelLimits, Failure> {
    let (gpu, limits) = (context.api.as_ref(), &context.limits);
    let (mut group, mut properties) = (KernelMaxGroupSize::new(), KernelProperties::new());
    let extended = gpu.platform.has(KERNEL_MAX_GROUP_SIZE);
    if extended {
        properties.header.next = (&raw mut group).cast();
    }
    // SAFETY: the kernel is alive; the structures state their types, and the driver knows these.
    unsafe { gpu.api().kernel_properties(kernel.0, &raw mut properties) }?;
    let most = if extended && group.max_group_size > 0 { group.max_group_size } else { limits.group };
    Ok(KernelLimits { group: most.min(limits.group), local_memory: limits.most_local_memory })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(argument_size: u32, arguments: &[(u32, u32)]) -> EntryInfo {
        let argument = |(index, (offset, size)): (u32, &(u32, u32))| Argument {
            parameter: index,
            offset: *offset,
            size: *size,
            is_pointer: false,
        };
        EntryInfo {
            symbol: "k".to_owned(),
            arguments: (0..).zip(arguments).map(argument).collect(),
            argument_size,
            argument_align: 8,
            local_memory: 0,
            item_memory: 0,
            takes_local_memory: false,
            depends_on_allocations: false,
            followed: Default::default(),
            may_wait: false,
            candidates: Vec::new(),
            device_globals: Vec::new(),
            constants: Vec::new(),
            remarks: Vec::new(),
        }
    }

    #[test]
    fn arguments_lie_in_their_buffer() {
        assert_eq!(check_arguments(&entry(16, &[(0, 8), (8, 8)])), Ok(()));
        assert!(check_arguments(&entry(15, &[(0, 8), (8, 8)])).is_err_and(|reason| reason.contains("argument 1")));
        assert!(check_arguments(&entry(16, &[(u32::MAX, 8)])).is_err());
        assert!(check_arguments(&entry(16, &[(0, 0)])).is_err());
    }
}
