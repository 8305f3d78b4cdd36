//! Typed buffers, arguments, kernels and events.
//!
//! *Invariant:* module by module it is what `runtime/src/program` is, on the C interface.

pub(crate) mod argument;
pub(crate) mod buffer;
mod commands;
pub(crate) mod event;
pub(crate) mod kernel;
pub(crate) mod module;
// How commands on one buffer are ordered does not depend on who submits them.
#[path = "../../../src/program/uses.rs"]
mod uses;
