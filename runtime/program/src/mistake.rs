//! Mistakes of callers that are found before anything is submitted.
//!
//! *Invariant:* a sentence says what does not fit what, in numbers, and what to do where it is not obvious.
#![forbid(unsafe_code)]

use crate::parameter::ArgumentType;
use std::fmt;

/// A use of a buffer that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// A copy between sides of different lengths.
    Lengths {
        /// Elements of the buffer.
        buffer: usize,
        /// Elements of the other side.
        other: usize,
    },
    /// More bytes than an address can count.
    TooLarge {
        /// Elements.
        length: usize,
    },
    /// A queue of a device that cannot use the memory.
    OtherDevice {
        /// The number of the memory's device.
        ours: u32,
        /// The number of the queue's device.
        theirs: u32,
    },
    /// A slice of device memory.
    NotLent,
}

impl Mistake {
    /// The wrong thing, in a word.
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

/// Arguments that a kernel does not take. Displayed, it goes on after the kernel's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// Too few or too many.
    Count {
        /// Number of its parameters.
        expected: usize,
        /// Number of arguments passed.
        given: usize,
        /// Its type.
        signature: String,
    },
    /// One of another kind or size.
    Type {
        /// Its position, from 0.
        index: usize,
        /// The kernel's type.
        expected: ArgumentType,
        /// The type passed.
        given: ArgumentType,
    },
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Count { expected, given, signature } => {
                write!(f, "takes {expected} arguments ({signature}), {given} were given")
            }
            Misfit::Type { index, expected, given } => {
                write!(f, "takes {expected} as argument {index}, {given} was given")
            }
        }
    }
}
