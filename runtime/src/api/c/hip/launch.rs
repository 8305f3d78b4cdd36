//! Launches by a kernel's handle.
//!
//! *Invariant:* the arguments of a launch are copied before the call returns.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::call;
use crate::{
    api::c::{global, pointer},
    hip::{
        error::{Code, Outcome, Refusal},
        streams,
        thread::{self, Configuration},
    },
    launch::shape::LaunchSize,
};
use sinter_core::{
    hip::{HANDLE_MARK, KernelHandle, KernelParameter},
    names::readable,
};
use std::ffi::{CStr, c_void};

/// `dim3`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Dimensions {
    x: u32,
    y: u32,
    z: u32,
}

impl Dimensions {
    fn numbers(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }

    fn of([x, y, z]: [u32; 3]) -> Self {
        Dimensions { x, y, z }
    }
}

/// `sinter_hip_push_call_configuration`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_push_call_configuration(
    grid: Dimensions,
    block: Dimensions,
    local_memory: usize,
    stream: *mut c_void,
) -> i32 {
    let stream = stream.addr();
    thread::push(Configuration { grid: grid.numbers(), block: block.numbers(), local_memory, stream });
    0
}

/// `sinter_hip_pop_call_configuration`: see `sinter/hip.h`.
///
/// # Safety
/// All pointers are null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_pop_call_configuration(
    grid: *mut Dimensions,
    block: *mut Dimensions,
    local_memory: *mut usize,
    stream: *mut *mut c_void,
) -> i32 {
    call(|| {
        let missing =
            || Refusal::new(Code::InvalidConfiguration, "launch", "a kernel's stub was called without <<<>>>");
        let top = thread::pop().ok_or_else(missing)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("grid", grid, Dimensions::of(top.grid)) }?;
        // SAFETY: as above.
        unsafe { pointer::write("block", block, Dimensions::of(top.block)) }?;
        // SAFETY: as above.
        unsafe { pointer::write("local_memory", local_memory, top.local_memory) }?;
        // SAFETY: as above.
        Ok(unsafe { pointer::write("stream", stream, std::ptr::with_exposed_provenance_mut(top.stream)) }?)
    })
}

/// The handle behind the address of a kernel.
///
/// # Safety
/// Unless null or misaligned, `function` is readable for two words.
pub(super) unsafe fn handle<'a>(function: *const c_void) -> Outcome<&'a KernelHandle> {
    let handle = function.cast::<KernelHandle>();
    let refused = || {
        let why =
            "is not a kernel that sinter-cc compiled: launch the kernel itself, and link the file that defines it";
        Refusal::new(Code::InvalidDeviceFunction, "function", why)
    };
    pointer::check("function", handle).map_err(|_| refused())?;
    // SAFETY: readable by the caller's promise; nothing else is read before the mark is known.
    if unsafe { (&raw const (*handle).mark).read() } != HANDLE_MARK {
        return Err(refused());
    }
    // SAFETY: the mark says that stage 1 wrote the handle.
    Ok(unsafe { &*handle })
}

/// The argument block of a launch.
///
/// # Safety
/// `arguments` points to as many pointers as the kernel has parameters, each to an argument.
pub(super) unsafe fn block(handle: &KernelHandle, arguments: *const *const c_void) -> Outcome<Vec<u8>> {
    // SAFETY: stage 1 wrote the handle with its descriptor.
    let size = unsafe { &*handle.kernel }.block_size as usize;
    let mut block = vec![0; size];
    if handle.parameter_count == 0 {
        return Ok(block);
    }
    pointer::check("arguments", arguments)?;
    // SAFETY: as above, with as many parameters.
    let parameters = unsafe { std::slice::from_raw_parts(handle.parameters, handle.parameter_count as usize) };
    for (index, KernelParameter { offset, size }) in parameters.iter().enumerate() {
        // SAFETY: the caller promises a pointer for each parameter.
        let argument = unsafe { arguments.add(index).read() };
        // SAFETY: the caller promises an argument of the parameter's type.
        let bytes = unsafe { pointer::bytes("arguments[]", argument, *size as usize) }?;
        let place = block.get_mut(*offset as usize..(*offset + *size) as usize);
        place.into_iter().for_each(|place| place.copy_from_slice(bytes));
    }
    Ok(block)
}

pub(super) fn size(grid: [u32; 3], block: [u32; 3], local_memory: usize) -> Outcome<LaunchSize> {
    if grid.contains(&0) || block.contains(&0) {
        let reason = format!("a grid of {grid:?} blocks of {block:?} work-items has a dimension of 0");
        return Err(Refusal::new(Code::InvalidConfiguration, "launch", reason));
    }
    let local_memory = u32::try_from(local_memory).map_err(|_| {
        Refusal::new(Code::InvalidValue, "shared memory", format!("{local_memory} bytes are more than any device has"))
    })?;
    let global = [0, 1, 2].map(|axis| u64::from(grid[axis]) * u64::from(block[axis]));
    Ok(LaunchSize { dimensions: 3, global, group: Some(block), local_memory })
}

/// Refuses a block that is larger than the kernel's `__launch_bounds__`.
fn within_bounds(handle: &KernelHandle, block: [u32; 3]) -> Outcome {
    let items = block.into_iter().fold(1u64, |items, size| items.saturating_mul(size.into()));
    if handle.largest_block == 0 || items <= u64::from(handle.largest_block) {
        return Ok(());
    }
    // SAFETY: stage 1 wrote the handle with its descriptor, whose symbol ends with a zero byte.
    let symbol = unsafe { CStr::from_ptr((*handle.kernel).symbol) }.to_string_lossy();
    let reason = format!(
        "a block of {items} work-items is larger than __launch_bounds__({}) of `{}`: launch smaller blocks, or raise \
         the bound",
        handle.largest_block,
        readable(&symbol)
    );
    Err(Refusal::new(Code::InvalidConfiguration, "launch", reason))
}

/// `sinter_hip_launch_kernel`: see `sinter/hip.h`.
///
/// # Safety
/// `function` is null or the address of a kernel or function, `arguments` as for `hipLaunchKernel`.
/// Pointers in the arguments that the kernel uses stay valid until it is complete.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_launch_kernel(
    function: *const c_void,
    grid: Dimensions,
    group: Dimensions,
    arguments: *const *const c_void,
    local_memory: usize,
    stream: *mut c_void,
) -> i32 {
    call(|| {
        // SAFETY: readable by the caller's promise.
        let handle = unsafe { handle(function) }?;
        let size = size(grid.numbers(), group.numbers(), local_memory)?;
        within_bounds(handle, group.numbers())?;
        // SAFETY: the caller promises the arguments.
        let block = unsafe { block(handle, arguments) }?;
        let runtime = global::runtime();
        let stream = streams::find(runtime, stream.addr())?;
        stream.enter(runtime)?;
        // SAFETY: a descriptor of stage 1; the caller promises the pointers in the block.
        unsafe { runtime.launch_with(&stream.queue, handle.kernel, &block, &size, &[]) }?;
        Ok(())
    })
}

/// `sinter_hip_get_kernel`: see `sinter/hip.h`.
///
/// # Safety
/// `function` is null or the address of a kernel or function; `kernel` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_get_kernel(function: *const c_void, kernel: *mut *const crate::abi::Kernel) -> i32 {
    call(|| {
        // SAFETY: readable by the caller's promise.
        let handle = unsafe { handle(function) }?;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("kernel", kernel, handle.kernel) }?)
    })
}
