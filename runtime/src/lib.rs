//! The Sinter runtime.
//!
//! In: containers that stage 1 embedded, and launches. Out: commands on the queues of devices.
//! Programs use the C interface (`sinter/sinter.h`, module [`api::c`]), which holds one [`Runtime`]
//! for the process; Rust programs use [`api::rust`]. A Rust program can also create a runtime with
//! its own drivers and a translator that is linked in.
//!
//! *Invariant:* the runtime knows neither LLVM nor an instruction set. A translator turns images
//! into code objects, a driver says what to translate for, and nothing is searched for before it
//! is needed.
//!
//! After `fork` the child must not use a runtime that the parent used before, because the threads
//! of the drivers exist only in the parent. A child that calls `exec` is fine, and so is a runtime
//! first used after the fork.
#![deny(unsafe_code)]

pub mod abi;
pub mod api;
pub mod aspects;
mod background;
pub mod buffers;
pub mod cache;
pub mod code;
pub mod compilations;
mod device_globals;
pub mod devices;
pub mod drivers;
pub mod error;
mod exit;
mod forks;
mod hip;
mod lanes;
pub mod launch;
pub mod log;
pub mod native;
pub mod queue;
pub mod registry;
pub mod runtime;
pub mod settings;
pub mod setup;
pub mod statistics;
mod stdpar;
mod sync;
pub mod system;
mod throttle;
mod trace;
pub mod vendor;

pub use api::rust::{Argument, Buffer, Element, Event, Kernel, Module};
pub use code::tiers::JitMode;
pub use compilations::{Compilation, Observation, Region};
pub use devices::DeviceEntry as Device;
pub use error::RuntimeError;
pub use launch::{TuningOptions, shape::LaunchSize};

pub use queue::Queue;
pub use registry::Registry;
pub use runtime::{Runtime, RuntimeOptions};
pub use sinter_core::{KernelFeature, Support, Target};
pub use sinter_driver::{Advice, MemoryKind, NativeKind, Profile, Rows, Ticket};
