//! Errors of callers that are detected before submission.
//!
//! *Invariant:* a message gives the mismatch in numbers, and a remedy unless it is obvious.
#![forbid(unsafe_code)]

use crate::parameter::ArgumentType;
use std::fmt;

/// Invalid use of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// The two sides of a copy have different lengths.
    Lengths {
        /// Number of elements of the buffer.
        buffer: usize,
        /// Number of elements of the other side.
        other: usize,
    },
    /// The size in bytes exceeds the address space.
    TooLarge {
        /// Number of elements.
        length: usize,
    },
    /// The device of the queue cannot access the memory.
    OtherDevice {
        /// Index of the memory's device.
        ours: u32,
        /// Index of the queue's device.
        theirs: u32,
    },
    /// Device memory was accessed as a host slice.
    NotLent,
}

impl Mistake {
    /// Name of the bad argument.
    pub fn what(self) -> &'static str {
        match self {
            Mistake::Lengths { .. } | Mistake::TooLarge { .. } => "length",
            Mistake::OtherDevice { .. } | Mistake::NotLent => "buffer",
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Lengths { buffer, other } => {
                write!(f, "the buffer has {buffer} elements, the other side {other}")
            }
            Mistake::TooLarge { length } => write!(f, "{length} elements exceed the address space"),
            Mistake::OtherDevice { ours, theirs } => write!(
                f,
                "it belongs to device {ours}, the queue to device {theirs}: copy it through a slice of the host, with \
                 Queue::read and Queue::write"
            ),
            Mistake::NotLent => {
                f.write_str("the host reaches device memory through copies only: use Queue::read or write")
            }
        }
    }
}

/// Mismatch between arguments and parameters. Its message continues a sentence after the kernel's
/// name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentMismatch {
    /// Wrong number of arguments.
    Count {
        /// Number of parameters.
        expected: usize,
        /// Number of arguments passed.
        given: usize,
        /// Parameter types of the kernel.
        signature: String,
    },
    /// An argument of the wrong kind or size.
    Type {
        /// Position of the argument, from 0.
        index: usize,
        /// Type of the parameter.
        expected: ArgumentType,
        /// Type of the argument.
        given: ArgumentType,
    },
}

impl fmt::Display for ArgumentMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentMismatch::Count { expected, given, signature } => {
                write!(f, "takes {expected} arguments ({signature}), {given} were given")
            }
            ArgumentMismatch::Type { index, expected, given } => {
                write!(f, "takes {expected} as argument {index}, {given} was given")
            }
        }
    }
}
