//! The part of the C interface that programs in HIP and CUDA use: `sinter/hip.h`.
//!
//! *Invariant:* a call returns a number of `hipError_t`, keeps it as the last error of its thread,
//! and its sentence as that of `sinter_last_error`.

pub mod device;
pub mod launch;
pub mod memory;
pub mod stream;

use super::{
    guard::guard,
    status::{self, Status},
};
use crate::{
    error::RuntimeError,
    hip::{
        error::{Code, Outcome, Refusal},
        thread,
    },
};

impl From<RuntimeError> for Refusal {
    fn from(error: RuntimeError) -> Self {
        Refusal { code: code_of(status::of(&error)), error }
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
        Status::Internal => Code::Unknown,
    }
}

/// Runs the body of a function; returns its code.
fn call(body: impl FnOnce() -> Outcome) -> i32 {
    let mut refused = Code::Unknown;
    let status = guard(|| {
        body().map_err(|refusal| {
            refused = refusal.code;
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
