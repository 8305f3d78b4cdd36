//! A tool that translates one kernel for one kind of device, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step, or what the [`Family`]
//! makes of the finished code. *Invariant:* the same translator as at run time does the work, so a replayed request gives
//! the same bytes; and what two of these tools do alike is written here, so that a tool is its [`Family`] and no more.
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
