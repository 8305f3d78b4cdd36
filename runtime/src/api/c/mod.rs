//! The C interface of `sinter/sinter.h`.
//!
//! In: pointers and numbers from any language. Out: a status and, on failure, a message.
//! *Invariant:* every function goes through `guard`, which lets no panic out. Every pointer is
//! checked for null and alignment, and every struct for its size, before it is read.

pub mod buffers;
pub mod commands;
pub mod compilations;
pub mod device;
pub mod device_global;
mod global;
mod guard;
pub mod hip;
pub mod host_task;
pub mod jit;
pub mod library;
pub mod memory;
pub mod module;
pub mod native;
mod pointer;
pub mod queue;
pub mod registration;
pub mod statistics;
mod status;
pub mod stdpar;
pub mod transfers;
