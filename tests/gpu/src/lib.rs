//! Translated kernels with their expected memory, and a runner for any device.
//!
//! In: code objects, launches, memory before and after. Out: the first difference. Cases are
//! written on a machine with the compiler and run on one with the device.
//! *Invariant:* devices are accessed only through the traits of drivers, and this crate does not
//! depend on the compiler.

mod case;
mod device;
mod run;

pub use case::{Buffer, Case, CaseError, Launch, Value, read, write};
pub use device::{Absent, device};
pub use run::run;
