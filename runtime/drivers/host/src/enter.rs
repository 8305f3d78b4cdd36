//! Calls kernels, so that no exception leaves one.
//!
//! In: an entry with its arguments. Out: its effects. A kernel may call a function of the program
//! through a pointer, and that may throw. *Invariant:* an exception that nothing in the kernel
//! catches ends at this call: the search for a handler fails here, so that the C++ library calls
//! `std::terminate`, with the stack as it was at the `throw`. Kernels have unwind tables and no
//! handlers, so the search passes through them.

use sinter_core::host_abi::{HostEntry, HostLaunch};
use std::{
    arch::global_asm,
    ffi::{c_int, c_void},
};

/// `_Unwind_Action` and `_Unwind_Reason_Code` (Itanium C++ ABI: Exception Handling, 1.3 and 1.6.1).
const SEARCH_PHASE: c_int = 1;
const FATAL_PHASE2_ERROR: c_int = 2;
const FATAL_PHASE1_ERROR: c_int = 3;

// Calls the function in the fifth argument with the other four. 0x1b says that the address of the
// personality is relative, in 32 bits. There is no table of handlers, which it would not read.
global_asm!(
    ".pushsection .text.sinter_enter_kernel, \"ax\", @progbits",
    ".hidden sinter_enter_kernel",
    ".globl sinter_enter_kernel",
    ".type sinter_enter_kernel, @function",
    "sinter_enter_kernel:",
    ".cfi_startproc",
    ".cfi_personality 0x1b, {refuse}",
    "subq $8, %rsp",
    ".cfi_adjust_cfa_offset 8",
    "call *%r8",
    "addq $8, %rsp",
    ".cfi_adjust_cfa_offset -8",
    "ret",
    ".cfi_endproc",
    ".size sinter_enter_kernel, . - sinter_enter_kernel",
    ".popsection",
    refuse = sym refuse,
    options(att_syntax)
);

unsafe extern "C" {
    fn sinter_enter_kernel(arguments: *const u8, launch: *const HostLaunch, first: u64, last: u64, function: HostEntry);
}

/// The personality of the call. An unwinder asks it whether the frame handles an exception; with
/// this answer `__cxa_throw` and `__cxa_rethrow` end the program as the standard says. A thread
/// that is cancelled in a kernel unwinds without a search, and the C library ends the program.
extern "C" fn refuse(_version: c_int, actions: c_int, _class: u64, _exception: *mut c_void, _at: *mut c_void) -> c_int {
    if actions & SEARCH_PHASE != 0 { FATAL_PHASE1_ERROR } else { FATAL_PHASE2_ERROR }
}

/// Calls `function` for the work-groups `first..last`.
pub(crate) fn enter(function: HostEntry, arguments: *const u8, launch: &HostLaunch, first: u64, last: u64) {
    // SAFETY: an entry takes these arguments, and is safe to call with those of its launch.
    unsafe { sinter_enter_kernel(arguments, launch, first, last, function) }
}
