//! A tool that translates one kernel for one kind of device, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step, or
//! the output form that the [`Family`] derives from the code object.
//! *Invariant:* the translator is the one that runs at run time, so a replayed request gives the
//! same bytes. Everything that two of these tools share is here; a tool is only its [`Family`].
#![forbid(unsafe_code)]

mod cli;
mod failure;
mod family;
mod given;
mod kernels;
mod library;
mod local_accessors;
mod missing;
mod request;
mod required;

pub use cli::run;
pub use family::Family;
pub use library::read_library;
