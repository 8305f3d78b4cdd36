//! Translated kernels with the memory that they must leave, and the way to run them on any device.
//!
//! In: code objects, launches, memory before and after. Out: the first difference. Cases are written where the compiler
//! is and run where the device is. *Invariant:* devices are reached through the drivers' traits alone, and nothing here
//! knows the compiler.

mod case;
mod device;
mod run;

pub use case::{Buffer, Case, CaseError, Launch, Value, read, write};
pub use device::{Absent, device};
pub use run::run;
