//! Launches by a kernel's handle.
//!
//! *Invariant:* the arguments of a launch are copied before the call returns.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{call, call_anyway};
use crate::{
    abi::KernelUsage,
    api::c::{global, native::usage_of, pointer},
    devices::Limits,
    error::RuntimeError,
    hip::{
        error::{Code, Outcome, Refusal},
        streams,
        thread::{self, Configuration},
    },
    launch::shape::LaunchSize,
};
use sinter_core::{
    hip::{Dimensions, HANDLE_MARK, KernelHandle, KernelParameter},
    names::readable,
};
use std::ffi::{CStr, c_void};

/// Work-items of a block for which a kernel's resources are told.
const ORDINARY_BLOCK: u32 = 64;

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
    // The dimensions are written after a fault too.
    call_anyway(|| {
        let missing =
            || Refusal::new(Code::InvalidConfiguration, "launch", "a kernel's stub was called without <<<>>>");
        let found = thread::pop();
        // Clang's stub launches with what it finds here, whatever this returns.
        let top = found.unwrap_or(Configuration { grid: [0; 3], block: [0; 3], local_memory: 0, stream: 0 });
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("grid", grid, Dimensions::of(top.grid)) }?;
        // SAFETY: as above.
        unsafe { pointer::write("block", block, Dimensions::of(top.block)) }?;
        // SAFETY: as above.
        unsafe { pointer::write("local_memory", local_memory, top.local_memory) }?;
        // SAFETY: as above.
        unsafe { pointer::write("stream", stream, std::ptr::with_exposed_provenance_mut(top.stream)) }?;
        found.map(|_| ()).ok_or_else(missing)
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

/// Room for the argument block of a launch. Few kernels have a block that needs memory of the heap.
struct Room {
    near: [u8; 256],
    far: Vec<u8>,
}

impl Room {
    const EMPTY: Room = Room { near: [0; 256], far: Vec::new() };

    /// Bytes that are zero. Only once.
    fn bytes(&mut self, size: usize) -> &mut [u8] {
        if size <= self.near.len() {
            return &mut self.near[..size];
        }
        self.far.resize(size, 0);
        &mut self.far
    }
}

/// The argument block of a launch, in new room.
///
/// # Safety
/// `arguments` points to as many pointers as the kernel has parameters, each to an argument.
unsafe fn block<'a>(handle: &KernelHandle, arguments: *const *const c_void, room: &'a mut Room) -> Outcome<&'a [u8]> {
    // SAFETY: stage 1 wrote the handle with its descriptor.
    let block = room.bytes(unsafe { &*handle.kernel }.block_size as usize);
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
        place.into_iter().for_each(|place| copy(place, bytes));
    }
    Ok(block)
}

/// Copies an argument; numbers and pointers need no call.
fn copy(place: &mut [u8], bytes: &[u8]) {
    match (<&mut [u8; 8]>::try_from(&mut *place), <&[u8; 8]>::try_from(bytes)) {
        (Ok(place), Ok(bytes)) => *place = *bytes,
        _ => match (<&mut [u8; 4]>::try_from(&mut *place), <&[u8; 4]>::try_from(bytes)) {
            (Ok(place), Ok(bytes)) => *place = *bytes,
            _ => place.copy_from_slice(bytes),
        },
    }
}

/// The kernel's name as its source has it.
fn name(handle: &KernelHandle) -> String {
    // SAFETY: stage 1 wrote the descriptor, whose symbol ends in a zero byte.
    let symbol = unsafe { CStr::from_ptr((*handle.kernel).symbol) }.to_string_lossy();
    readable(&symbol)
}

/// A launch that cannot run, with the reason in words of HIP and CUDA.
fn refuse(handle: &KernelHandle, code: Code, reason: String) -> Refusal {
    let error = RuntimeError::Launch { what: format!("kernel `{}`", name(handle)), reason };
    Refusal { code, is_fault: false, error }
}

/// Reason why a device cannot run a grid of blocks.
fn misfit(grid: [u32; 3], block: [u32; 3], limits: &Limits) -> Option<String> {
    if grid.contains(&0) || block.contains(&0) {
        return Some(format!("a dimension of its grid {grid:?} or of its blocks {block:?} is 0"));
    }
    let threads = block.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul);
    if threads > limits.group {
        return Some(format!("a block of {block:?} has {threads} threads, but the device allows {}", limits.group));
    }
    let beyond = (0..3).find(|axis| u64::from(block[*axis]) > limits.sizes[*axis])?;
    let (axis, most) = (["x", "y", "z"][beyond], limits.sizes[beyond]);
    Some(format!("blockDim.{axis} is {}, but the device allows {most}", block[beyond]))
}

fn size(grid: [u32; 3], block: [u32; 3], local_memory: usize) -> Outcome<LaunchSize> {
    let local_memory = u32::try_from(local_memory).map_err(|_| {
        Refusal::new(Code::InvalidValue, "shared memory", format!("{local_memory} bytes are more than any device has"))
    })?;
    let global = [0, 1, 2].map(|axis| u64::from(grid[axis]) * u64::from(block[axis]));
    Ok(LaunchSize { dimensions: 3, global, group: Some(block), local_memory })
}

/// Reason why a block is larger than the kernel's `__launch_bounds__`.
fn excess(handle: &KernelHandle, block: [u32; 3]) -> Option<String> {
    let threads = block.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul);
    let bound = handle.largest_block;
    (bound != 0 && threads > bound.into()).then(|| {
        format!("a block of {block:?} has {threads} threads, more than its __launch_bounds__({bound}); raise the bound")
    })
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
    // SAFETY: the same contract, upheld by the caller.
    call(|| unsafe { launch(function, [grid, group].map(Dimensions::numbers), arguments, local_memory, stream.addr()) })
}

/// # Safety
/// As for [`sinter_hip_launch_kernel`].
unsafe fn launch(
    function: *const c_void,
    [grid, group]: [[u32; 3]; 2],
    arguments: *const *const c_void,
    local_memory: usize,
    stream: usize,
) -> Outcome {
    // SAFETY: readable by the caller's promise.
    let handle = unsafe { handle(function) }?;
    let runtime = global::runtime();
    let stream = streams::find(runtime, stream)?;
    let limits = &stream.queue.device().limits;
    if let Some(reason) = misfit(grid, group, limits).or_else(|| excess(handle, group)) {
        return Err(refuse(handle, Code::InvalidConfiguration, reason));
    }
    let size = size(grid, group, local_memory)?;
    let mut room = Room::EMPTY;
    // SAFETY: the caller promises the arguments.
    let block = unsafe { block(handle, arguments, &mut room) }?;
    stream.enter(runtime)?;
    // SAFETY: a descriptor of stage 1; the caller promises the pointers in the block.
    match unsafe { runtime.launch_with(&stream.queue, handle.kernel, block, &size, &[]) } {
        Ok(_) => Ok(()),
        Err(RuntimeError::LocalMemory { excess, .. }) => {
            let reason = format!(
                "it has {} bytes of __shared__ memory, that of its votes included, and the launch adds {}, but a \
                 block has at most {}",
                excess.declared, excess.dynamic, excess.limit
            );
            Err(refuse(handle, Code::InvalidValue, reason))
        }
        Err(error) => Err(error.into()),
    }
}

/// `sinter_hip_launch_kernel_of_thread`: see `sinter/hip.h`.
///
/// # Safety
/// As for [`sinter_hip_launch_kernel`].
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_launch_kernel_of_thread(
    function: *const c_void,
    grid: Dimensions,
    group: Dimensions,
    arguments: *const *const c_void,
    local_memory: usize,
    stream: *mut c_void,
) -> i32 {
    let stream = if stream.is_null() { std::ptr::without_provenance_mut(streams::OF_THREAD) } else { stream };
    // SAFETY: the same contract, upheld by the caller.
    unsafe { sinter_hip_launch_kernel(function, grid, group, arguments, local_memory, stream) }
}

/// `sinter_hip_kernel_usage`: see `sinter/hip.h`.
///
/// # Safety
/// `function` is null or the address of a kernel or function; `usage` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_kernel_usage(function: *const c_void, usage: *mut KernelUsage) -> i32 {
    call(|| {
        // SAFETY: readable by the caller's promise.
        let handle = unsafe { handle(function) }?;
        let runtime = global::runtime();
        let stream = streams::find(runtime, 0)?;
        let size = size([1; 3], [ORDINARY_BLOCK, 1, 1], 0)?;
        // SAFETY: stage 1 wrote the handle with its descriptor.
        let block = vec![0; unsafe { &*handle.kernel }.block_size as usize];
        // SAFETY: as above.
        let loaded = unsafe { runtime.loaded_kernel(&stream.queue, handle.kernel, &block, &size, &[]) }?;
        let found = usage_of(loaded.as_ref(), stream.queue.device());
        let struct_size = size_of::<KernelUsage>() as u32;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("usage", usage, KernelUsage { struct_size, ..found }) }?)
    })
}

/// `sinter_hip_is_kernel`: see `sinter/hip.h`.
///
/// # Safety
/// `function` is null or the address of a kernel or function.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_is_kernel(function: *const c_void) -> i32 {
    call(|| {
        // SAFETY: readable by the caller's promise.
        unsafe { handle(function) }?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misfits_are_told_in_words_of_hip() {
        let limits = Limits { group: 1024, sizes: [1024, 1024, 64], local_memory: 0 };
        let told = |grid, block| misfit(grid, block, &limits).unwrap_or_default();
        assert_eq!(told([1, 1, 1], [1024, 1, 1]), "");
        assert!(told([1, 0, 1], [1, 1, 1]).contains("grid [1, 0, 1]"));
        assert!(told([1, 1, 1], [512, 4, 1]).contains("2048 threads"));
        assert!(told([1, 1, 1], [1, 1, 65]).contains("blockDim.z is 65, but the device allows 64"));
    }
}
