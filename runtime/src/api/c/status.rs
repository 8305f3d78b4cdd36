//! Status codes of the C interface.
//!
//! *Invariant:* every error of the runtime has exactly one status, which says who can fix it: the
//! caller, the environment or the developers.
#![forbid(unsafe_code)]

use crate::error::RuntimeError;
use sinter_core::{TranslateCause, TranslateError};
use sinter_driver::DriverError;
use std::ffi::CStr;

/// Values of `sinter_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Status {
    Success = 0,
    InvalidArgument = 1,
    NoDevice = 2,
    OutOfMemory = 3,
    Kernel = 4,
    Translation = 5,
    Translator = 6,
    Launch = 7,
    Driver = 8,
    Unsupported = 9,
    Internal = 10,
    Compiled = 11,
}

/// Names, indexed by status.
const NAMES: [&CStr; 12] = [
    c"SINTER_SUCCESS",
    c"SINTER_ERROR_INVALID_ARGUMENT",
    c"SINTER_ERROR_NO_DEVICE",
    c"SINTER_ERROR_OUT_OF_MEMORY",
    c"SINTER_ERROR_KERNEL",
    c"SINTER_ERROR_TRANSLATION",
    c"SINTER_ERROR_TRANSLATOR",
    c"SINTER_ERROR_LAUNCH",
    c"SINTER_ERROR_DRIVER",
    c"SINTER_ERROR_UNSUPPORTED",
    c"SINTER_ERROR_INTERNAL",
    c"SINTER_ERROR_COMPILED",
];

/// Name of a status; a fixed string for numbers that are not one.
pub(super) fn name(status: i32) -> &'static CStr {
    let known = usize::try_from(status).ok().and_then(|index| NAMES.get(index));
    known.copied().unwrap_or(c"unknown sinter_status")
}

fn of_translation(error: &TranslateError) -> Status {
    match error.cause {
        TranslateCause::Unavailable { .. } | TranslateCause::Poisoned { .. } => Status::Translator,
        TranslateCause::UnknownKernel { .. } | TranslateCause::HashMismatch { .. } => Status::Kernel,
        TranslateCause::LocalMemory { .. } | TranslateCause::OutOfMemory => Status::OutOfMemory,
        TranslateCause::Internal { .. } => Status::Internal,
        _ => Status::Translation,
    }
}

fn of_driver(error: &DriverError) -> Status {
    match error {
        DriverError::OutOfMemory { .. } | DriverError::LocalMemory { .. } => Status::OutOfMemory,
        DriverError::UnknownPointer { .. }
        | DriverError::UnknownTicket { .. }
        | DriverError::Foreign { .. }
        | DriverError::Registration { .. }
        | DriverError::LateProfiling { .. } => Status::InvalidArgument,
        DriverError::Launch { .. } => Status::Launch,
        DriverError::Unsupported { .. } => Status::Unsupported,
        DriverError::Load { .. } => Status::Kernel,
        _ => Status::Driver,
    }
}

/// Status of an error, by its cause.
pub(super) fn of(error: &RuntimeError) -> Status {
    match error {
        RuntimeError::InvalidArgument { .. } => Status::InvalidArgument,
        RuntimeError::NoDevice { .. } => Status::NoDevice,
        RuntimeError::ArgumentCount { .. } | RuntimeError::ArgumentType { .. } | RuntimeError::Dimensions { .. } => {
            Status::InvalidArgument
        }
        RuntimeError::Container { .. }
        | RuntimeError::Kernel { .. }
        | RuntimeError::BlockSize { .. }
        | RuntimeError::DeviceGlobal { .. }
        | RuntimeError::UnknownKernel { .. }
        | RuntimeError::Module { .. } => Status::Kernel,
        RuntimeError::Translate(error) => of_translation(error),
        RuntimeError::NotReady { .. } => Status::Translation,
        RuntimeError::Assemble { .. } => Status::Translation,
        RuntimeError::Translator { .. } => Status::Translator,
        RuntimeError::Launch { .. } => Status::Launch,
        RuntimeError::LocalMemory { .. } | RuntimeError::OutOfMemory { .. } | RuntimeError::HostMemory { .. } => {
            Status::OutOfMemory
        }
        RuntimeError::Unsupported { .. } | RuntimeError::Requires { .. } => Status::Unsupported,
        RuntimeError::Depends { .. } => Status::Driver,
        RuntimeError::Driver(error) => of_driver(error),
        RuntimeError::Internal { .. } => Status::Internal,
        RuntimeError::Compiled { .. } => Status::Compiled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_numbers() {
        assert_eq!(name(Status::Success as i32), c"SINTER_SUCCESS");
        assert_eq!(name(Status::Launch as i32), c"SINTER_ERROR_LAUNCH");
        assert_eq!(name(Status::Internal as i32), c"SINTER_ERROR_INTERNAL");
        assert_eq!(name(Status::Compiled as i32), c"SINTER_ERROR_COMPILED");
        assert_eq!(name(-1), c"unknown sinter_status");
        assert_eq!(name(12), c"unknown sinter_status");
    }
}
