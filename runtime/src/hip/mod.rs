//! State of programs in HIP and CUDA, besides devices, memory and queues.
//!
//! In: calls of `sinter/hip.h`. Out: the device and the last error of a thread, streams with the
//! rule of the null stream, events, registered memory, devices with faults. *Invariant:* nothing
//! here runs before a program calls it, and the numbers of errors are those that HIP and CUDA
//! share.
#![forbid(unsafe_code)]

pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod faults;
pub(crate) mod registrations;
pub(crate) mod streams;
pub(crate) mod thread;
