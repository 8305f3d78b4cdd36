//! The part of the Rust interface that is independent of the runtime.
//!
//! In: a [`Queue`], which allocates memory and submits commands. Out: typed buffers that order the
//! commands on them, typed arguments that are checked against a kernel's parameters, and launches.
//! The crates `sinter` (the runtime in the program) and `sinter-prebuilt` (an installed runtime)
//! export both under their own names.
//!
//! *Invariant:* this crate has no dependencies, knows no device and submits nothing itself.
#![deny(unsafe_code)]

mod argument;
mod buffer;
pub mod commands;
mod constants;
mod element;
mod event;
mod layout;
mod memory;
mod methods;
mod mistake;
mod parameter;
mod queue;
mod size;
mod submit;
mod uses;

pub use argument::Argument;
pub use buffer::Buffer;
pub use constants::Constants;
pub use element::Element;
pub use event::Event;
pub use layout::{Layout, Place};
pub use memory::Memory;
pub use mistake::{ArgumentMismatch, Mistake};
pub use parameter::{ArgumentType, ParameterKind};
pub use queue::{MemoryKind, Profile, Queue};
pub use size::LaunchSize;
pub use uses::Access;
