//! Code that the stream drivers share.
//!
//! In: the calls of a vendor library, behind the trait [`Vendor`]. Out: queues on streams, memory,
//! errors and validated launches. *Invariant:* nothing here depends on a vendor: every difference
//! between libraries is a method or constant of the trait.
//!
//! A queue is a stream with a count of its commands. Completion is only determined when somebody
//! asks for it, with an event that is recorded at that moment and covers everything submitted so
//! far. The answer may be late, never early.
//!
//! An error such as an illegal address destroys the context for the rest of the process. The call
//! that notices it first and all later calls report
//! [`DriverError::Lost`](sinter_driver::DriverError::Lost), without calling the driver again. Code
//! is unloaded when no stream can still run it: dropping a kernel records an event on each busy
//! stream, and a later load, drop or end of a queue unloads the code whose events have completed.
//!
//! [`fork`] also serves drivers without streams.

pub mod elf;
pub mod error;
pub mod fork;
pub mod group_size;
pub mod launch;
pub mod spirv;

mod assembler;
mod base;
mod context;
mod device;
mod driver;
mod event;
mod fill;
mod kernel;
mod mark;
mod memory;
mod metered;
mod module;
mod progress;
mod queue;
mod refusal;
mod registration;
mod resources;
mod rows;
mod timeline;
mod times;
mod vendor;

pub use assembler::Assembler;
pub use context::{Context, lock};
pub use device::{Described, Model};
pub use driver::{Found, StreamDriver};
pub use error::{Describe, VendorError};
pub use kernel::{Loaded, LoadedKernel};
pub use launch::{Geometry, KernelLimits, Limits};
pub use module::Module;
pub use resources::Resources;
pub use sinter_dylib::Failure;
pub use vendor::{Advised, Handle, Known, Place, Unadopted, Unit, Vendor};
