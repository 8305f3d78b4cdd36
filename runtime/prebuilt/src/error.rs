//! Converts statuses of the C interface to errors.
//!
//! *Invariant:* the message is that of the failed call, which the runtime keeps per thread.

use crate::ffi;
use sinter_program::Mistake;
use std::{error::Error, ffi::CStr, fmt};

macro_rules! errors {
    ($($name:ident = $status:literal, $doc:literal;)*) => {
        /// Error of a call. Each variant contains the runtime's message, which names kernel, file
        /// and remedy if applicable.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum RuntimeError {
            $(#[doc = $doc] $name(String),)*
        }

        impl RuntimeError {
            fn new(status: i32, message: String) -> Self {
                match status {
                    $($status => RuntimeError::$name(message),)*
                    _ => RuntimeError::Internal(message),
                }
            }

            /// Message of the runtime.
            pub fn message(&self) -> &str {
                match self {
                    $(RuntimeError::$name(message) => message,)*
                }
            }
        }
    };
}
errors! {
    InvalidArgument = 1, "The caller's mistake.";
    NoDevice = 2, "There is no device with that number.";
    OutOfMemory = 3, "Memory, or more local memory than a work-group can have.";
    Kernel = 4, "The kernel cannot be used: it is unknown, or its container is damaged.";
    Translation = 5, "The kernel could not be compiled for the device.";
    Translator = 6, "`libsinter_translate.so` is missing or of another version.";
    Launch = 7, "The device refused the launch, for example a group size.";
    Driver = 8, "Any other failure of a device or its driver.";
    Unsupported = 9, "The device lacks a feature.";
    Internal = 10, "A defect of Sinter.";
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl Error for RuntimeError {}

impl From<Mistake> for RuntimeError {
    fn from(mistake: Mistake) -> Self {
        RuntimeError::invalid(format!("{}: {mistake}", mistake.what()))
    }
}

impl RuntimeError {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        RuntimeError::InvalidArgument(message.into())
    }
}

/// Converts a status of the C interface to a result.
#[expect(unsafe_code, reason = "reads the message of the C interface")]
pub(crate) fn check(status: i32) -> Result<(), RuntimeError> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: never null, NUL-terminated, and unchanged until this thread's next failing call.
    let message = unsafe { CStr::from_ptr(ffi::sinter_last_error()) };
    Err(RuntimeError::new(status, message.to_string_lossy().into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_reads_as_the_runtime_says_it() {
        let error = RuntimeError::from(Mistake::Lengths { buffer: 3, other: 4 });
        assert_eq!(error.to_string(), "length: the buffer has 3 elements, the other side 4");
    }

    #[test]
    fn a_status_becomes_its_variant() {
        assert_eq!(RuntimeError::new(4, "k".into()), RuntimeError::Kernel("k".into()));
        assert_eq!(RuntimeError::new(99, "new".into()), RuntimeError::Internal("new".into()));
        assert_eq!(RuntimeError::new(7, "too wide".into()).to_string(), "too wide");
    }
}
