//! The part of the C interface that programs in HIP and CUDA use: `sinter/hip.h`.
//!
//! *Invariant:* a call returns a number of `hipError_t`, keeps it as the last error of its thread,
//! and its sentence as that of `sinter_last_error`.

pub mod device;
pub mod launch;
pub mod memory;
pub mod registration;
pub mod stream;
pub mod symbols;

use super::{
    guard::guard,
    status::{self, Status},
};
use crate::{
    error::RuntimeError,
    hip::{
        error::{Code, Outcome, Refusal},
        faults, thread,
    },
};
use sinter_driver::{DriverError, Unregistered};

impl From<RuntimeError> for Refusal {
    fn from(error: RuntimeError) -> Self {
        match &error {
            RuntimeError::Driver(cause) => {
                let (code, is_fault) = match **cause {
                    DriverError::Lost { code, .. } => (faults::code(code), true),
                    DriverError::Registration { reason, .. } => (code_of_registration(reason), false),
                    _ => (code_of(status::of(&error)), false),
                };
                return Refusal { code, is_fault, error };
            }
            RuntimeError::LocalMemory { .. } => {
                return Refusal { code: Code::InvalidValue, is_fault: false, error };
            }
            RuntimeError::Requires { .. } => {
                return Refusal { code: Code::InvalidDeviceFunction, is_fault: false, error };
            }
            _ => {}
        }
        Refusal { code: code_of(status::of(&error)), is_fault: false, error }
    }
}

fn code_of_registration(reason: Unregistered) -> Code {
    match reason {
        Unregistered::Twice => Code::AlreadyRegistered,
        Unregistered::Never => Code::NotRegistered,
        Unregistered::Unfit => Code::InvalidValue,
    }
}

fn code_of(status: Status) -> Code {
    match status {
        Status::Success => Code::Success,
        Status::InvalidArgument => Code::InvalidValue,
        Status::NoDevice => Code::NoDevice,
        Status::OutOfMemory => Code::OutOfMemory,
        Status::Kernel | Status::Translation | Status::Translator => Code::InvalidDeviceFunction,
        Status::Launch => Code::InvalidConfiguration,
        Status::Driver => Code::LaunchFailure,
        Status::Unsupported => Code::NotSupported,
        Status::Internal | Status::Compiled => Code::Unknown,
    }
}

/// Runs the body of a function that uses the thread's device; returns its code. A device with a
/// fault is not used any more.
fn call(body: impl FnOnce() -> Outcome) -> i32 {
    match faults::of(thread::device()) {
        Some(fault) => fault as i32,
        None => call_anyway(body),
    }
}

/// Runs the body of a function; returns its code.
fn call_anyway(body: impl FnOnce() -> Outcome) -> i32 {
    let mut refused = Code::Unknown;
    let status = guard(|| {
        body().map_err(|refusal| {
            refused = refusal.code;
            if refusal.is_fault {
                faults::record(thread::device(), refused);
            }
            refusal.error
        })
    });
    let code = if status == Status::Success as i32 { Code::Success } else { refused };
    if code != Code::Success && code != Code::NotReady {
        tracing::warn!("HIP: {}", super::guard::last_text());
    }
    thread::fail(code as i32);
    code as i32
}
