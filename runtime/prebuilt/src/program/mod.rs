//! Typed buffers, arguments, kernels and events.
//!
//! *Invariant:* each module has the interface of the one in `runtime/src/program`, built on the C
//! interface.

pub(crate) mod argument;
pub(crate) mod buffer;
mod commands;
pub(crate) mod event;
pub(crate) mod kernel;
pub(crate) mod module;
// The order of commands on one buffer does not depend on who submits them.
#[path = "../../../src/program/uses.rs"]
mod uses;
