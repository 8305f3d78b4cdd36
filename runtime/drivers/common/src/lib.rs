//! What the drivers share.
//!
//! In: the calls of a vendor's library, behind the trait [`Vendor`]. Out: queues that are streams, memory, errors, launches that were
//! checked. *Invariant:* nothing here knows a vendor: what differs between libraries is a method or a constant of the trait.
//!
//! A queue is a stream. The queue counts its commands and nothing else: whether an old one is complete is found out when
//! somebody asks, by an event that is recorded then and covers everything submitted so far. That is late, never early.
//!
//! An error such as an illegal address takes the whole context with it, for the rest of the process. It is reported as
//! [`DriverError::Lost`](sinter_driver::DriverError::Lost) by whoever notices it first and by every later call, which asks the driver
//! no more. Code is unloaded when no stream can still run it: dropping a kernel records an event on each busy stream, and a later
//! load, drop or end of a queue unloads what has passed them.
//!
//! [`fork`] also serves drivers that are made of no streams.

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
mod memory;
mod module;
mod progress;
mod queue;
mod refusal;
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
