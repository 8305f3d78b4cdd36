//! Launches of the parallel algorithms of ISO C++: `sinter/stdpar.h`.
//!
//! *Invariant:* no kernel reads its argument block after its call has returned.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{commands, global, guard::guard, pointer};
use crate::{
    abi::{Kernel, Launch},
    error::RuntimeError,
    launch::{Leads, shape::LaunchSize},
    queue::Queue,
    registry::descriptor,
    stdpar::{self, Launched, Needs, Submit},
};
use sinter_core::names::readable;
use sinter_driver::Ticket;
use std::{
    ffi::{CStr, c_char, c_void},
    io::Write,
    sync::{Arc, atomic::Ordering},
};

/// A launch of a C caller, who promised valid pointers when it was made.
struct OfCaller<'a> {
    kernel: *const Kernel,
    block: &'a [u8],
    size: LaunchSize,
}

/// Reads the arguments of a launch.
///
/// # Safety
/// As for `sinter_queue_launch`.
unsafe fn of_caller<'a>(
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
) -> Result<OfCaller<'a>, RuntimeError> {
    // SAFETY: readable unless null, by the caller's promise.
    let size = commands::size(unsafe { pointer::reference("launch", launch) }?)?;
    pointer::check("kernel", kernel)?;
    // SAFETY: readable for its size, by the caller's promise.
    let block = unsafe { pointer::bytes("block", block, block_size) }?;
    Ok(OfCaller { kernel, block, size })
}

impl Submit for OfCaller<'_> {
    fn start(&self, queue: &Queue) -> Result<Ticket, RuntimeError> {
        // SAFETY: a descriptor and pointers that the caller promised to be valid.
        unsafe { global::runtime().launch(queue, self.kernel, self.block, &self.size) }
    }

    fn leads(&self, queue: &Queue) -> Result<Arc<Leads>, RuntimeError> {
        // SAFETY: a descriptor that the caller promised to be valid.
        unsafe { global::runtime().leads(queue, self.kernel, self.block, &self.size) }
    }

    fn block(&self) -> &[u8] {
        self.block
    }

    fn name(&self) -> String {
        // SAFETY: a descriptor that the caller promised to be valid.
        unsafe { descriptor::read(self.kernel) }.map(|kernel| readable(kernel.symbol)).unwrap_or_default()
    }
}

/// `sinter_stdpar_launch`: see `sinter/stdpar.h`.
///
/// # Safety
/// As for `sinter_queue_launch`; the pointers of the block stay valid until the thread waits, and
/// `has_started` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_launch(
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
    needs: u32,
    has_started: *mut i32,
) -> i32 {
    guard(|| {
        pointer::check("has_started", has_started)?;
        // SAFETY: by the caller's promise.
        let launch = unsafe { of_caller(kernel, block, block_size, launch) }?;
        let launched = global::stdpar().run(&launch, Needs::of_bits(needs))?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("has_started", has_started, (launched == Launched::Started).into()) }
    })
}

/// `sinter_stdpar_settle`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_settle() -> i32 {
    guard(|| global::stdpar().settle())
}

/// `sinter_stdpar_group_size`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_group_size() -> u32 {
    // The launch itself meets the same error.
    global::stdpar().group_size().unwrap_or(1)
}

/// `sinter_stdpar_is_cpu`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_is_cpu() -> i32 {
    // The launch itself meets the same error.
    global::stdpar().is_cpu().unwrap_or(true).into()
}

/// `sinter_stdpar_has_sub_groups`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_has_sub_groups(size: u32) -> i32 {
    global::stdpar().has_sub_groups(size).unwrap_or(false).into()
}

/// `sinter_stdpar_scratch`: see `sinter/stdpar.h`.
///
/// # Safety
/// `memory` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_scratch(size: usize, is_result: i32, memory: *mut *mut c_void) -> i32 {
    guard(|| {
        pointer::check("memory", memory)?;
        let found = global::stdpar().scratch(size, is_result != 0)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("memory", memory, found) }
    })
}

/// `sinter_stdpar_scratch_release`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_scratch_release(memory: *mut c_void) -> i32 {
    guard(|| global::stdpar().release_scratch(memory))
}

/// `sinter_stdpar_set_device`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_set_device(device: i32) -> i32 {
    // A negative number stands for no choice.
    guard(|| global::stdpar().choose(u32::try_from(device).ok()))
}

/// `sinter_stdpar_memory`: see `sinter/stdpar.h`.
///
/// # Safety
/// `memory` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_memory(size: usize, alignment: usize, memory: *mut *mut c_void) -> i32 {
    guard(|| {
        pointer::check("memory", memory)?;
        let found = global::stdpar().memory(size, alignment)?.unwrap_or(std::ptr::null_mut());
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("memory", memory, found) }
    })
}

/// `sinter_stdpar_note_block`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_note_block(memory: *const c_void, size: usize) {
    let _ = guard(|| {
        stdpar::note_block(memory, size);
        Ok(())
    });
}

/// `sinter_stdpar_set_finder`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_set_finder(find: Option<stdpar::FindBlock>) {
    let _ = guard(|| {
        stdpar::set_finder(find);
        Ok(())
    });
}

/// `sinter_stdpar_release`: see `sinter/stdpar.h`.
///
/// # Safety
/// As for `sinter_free`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_release(memory: *mut c_void) -> i32 {
    stdpar::forget_memory(memory);
    // SAFETY: by the caller's promise.
    unsafe { super::memory::sinter_free(memory) }
}

/// `sinter_stdpar_counts`: see `sinter/stdpar.h`.
///
/// # Safety
/// The arguments are null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_counts(chosen: *mut u64, instead: *mut u64) -> i32 {
    guard(|| {
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("chosen", chosen, stdpar::COUNTS.chosen.load(Ordering::Relaxed)) }?;
        // SAFETY: as above.
        unsafe { pointer::write_optional("instead", instead, stdpar::COUNTS.instead.load(Ordering::Relaxed)) }
    })
}

/// `sinter_stdpar_wait_count`: see `sinter/stdpar.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_wait_count() -> u64 {
    stdpar::COUNTS.waits.load(Ordering::Relaxed)
}

/// The text of the headers or of `sinter_last_error`.
///
/// # Safety
/// `reason` is null or NUL-terminated.
unsafe fn text<'a>(reason: *const c_char) -> std::borrow::Cow<'a, str> {
    if reason.is_null() {
        return "no reason is known".into();
    }
    // SAFETY: not null, and NUL-terminated by the caller's promise.
    unsafe { CStr::from_ptr(reason) }.to_string_lossy()
}

/// `sinter_stdpar_report`: see `sinter/stdpar.h`.
///
/// # Safety
/// `reason` is null or NUL-terminated.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_report(reason: *const c_char) {
    let _ = guard(|| {
        // A program whose algorithms all stay on the host need not open the drivers of devices.
        if !global::may_log_info() {
            return Ok(());
        }
        // It reads the settings of the log.
        global::runtime();
        // SAFETY: by the caller's promise.
        stdpar::report(&unsafe { text(reason) });
        Ok(())
    });
}

/// `sinter_stdpar_fail`: see `sinter/stdpar.h`.
///
/// # Safety
/// `reason` is null or NUL-terminated.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_fail(reason: *const c_char) {
    let _ = guard(|| {
        // SAFETY: by the caller's promise.
        let reason = unsafe { text(reason) };
        // If standard error is closed, there is no other place for the message.
        let _ = writeln!(std::io::stderr(), "sinter: a parallel algorithm failed: {reason}");
        Ok(())
    });
}
