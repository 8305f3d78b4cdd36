//! Error codes of HIP and CUDA.
//!
//! In: errors of the runtime. Out: the nearest code. *Invariant:* both interfaces give a code the
//! same number; the headers have the names.

use crate::error::RuntimeError;

/// Values of `hipError_t` that the runtime returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Code {
    Success = 0,
    InvalidValue = 1,
    OutOfMemory = 2,
    InvalidConfiguration = 9,
    InvalidPitchValue = 12,
    InvalidSymbol = 13,
    InvalidDeviceFunction = 98,
    NoDevice = 100,
    InvalidDevice = 101,
    InvalidHandle = 400,
    NotReady = 600,
    IllegalAddress = 700,
    Assert = 710,
    AlreadyRegistered = 712,
    NotRegistered = 713,
    LaunchFailure = 719,
    NotSupported = 801,
    Unknown = 999,
}

/// An error with its code.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    /// True if the device cannot be used any more.
    pub(crate) is_fault: bool,
    pub(crate) error: RuntimeError,
}

impl Refusal {
    pub(crate) fn new(code: Code, what: &'static str, reason: impl Into<String>) -> Self {
        Refusal { code, is_fault: false, error: RuntimeError::invalid(what, reason.into()) }
    }
}

pub(crate) type Outcome<T = ()> = Result<T, Refusal>;
