//! Options for the driver's linker and loader, with buffers for its log.
//!
//! In: options. Out: arrays in the driver's form, and its log. *Invariant:* the log lives as long
//! as the options that point into it.

use cudarc::driver::sys::CUjit_option_enum as Option_;
use sinter_driver_common::error::written;
use std::{ffi::c_void, ptr};

/// Size of each of the two log buffers in bytes.
const LOG: usize = 8192;

/// Options for the driver, and its log.
pub(crate) struct Jit {
    options: Vec<Option_>,
    values: Vec<*mut c_void>,
    /// The error log, then the info log, one in each half.
    log: Vec<u8>,
}

/// An integer in place of a pointer, which is how the driver takes option values.
pub(crate) fn value(number: usize) -> *mut c_void {
    ptr::without_provenance_mut(number)
}

impl Jit {
    pub(crate) fn new() -> Self {
        let mut jit = Jit { options: Vec::new(), values: Vec::new(), log: vec![0; 2 * LOG] };
        let errors = jit.log.as_mut_ptr();
        jit.push(Option_::CU_JIT_ERROR_LOG_BUFFER, errors.cast());
        jit.push(Option_::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, value(LOG));
        jit.push(Option_::CU_JIT_INFO_LOG_BUFFER, errors.wrapping_add(LOG).cast());
        jit.push(Option_::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, value(LOG));
        jit
    }

    pub(crate) fn push(&mut self, option: Option_, value: *mut c_void) {
        self.options.push(option);
        self.values.push(value);
    }

    pub(crate) fn count(&self) -> u32 {
        self.options.len() as u32
    }

    pub(crate) fn options(&mut self) -> *mut Option_ {
        self.options.as_mut_ptr()
    }

    pub(crate) fn values(&mut self) -> *mut *mut c_void {
        self.values.as_mut_ptr()
    }

    /// Contents of both logs.
    pub(crate) fn logs(&self) -> String {
        let texts: Vec<_> = self.log.chunks(LOG).map(written).collect();
        texts.join("\n").trim().to_owned()
    }
}
