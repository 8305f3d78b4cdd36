//! Gets the machine code of kernels and loads it.
//!
//! In: a kernel's descriptor, a device, a class of launches and the values to specialise on. Out: a
//! kernel that the device has loaded. `load` asks, in this order: the kernels that are loaded, the
//! `store` (code that this process keeps, then the disk cache), and `obtain`, which translates.
//! *Invariant:* nothing here knows a queue or an argument block.

mod assemble;
mod dump;
mod load;
mod obtain;
mod progress;
pub mod single_flight;
mod store;
mod ticker;
mod translation;
pub mod translator;
pub mod variant;

pub(crate) use load::{Kernels, LoadedKernel};
pub(crate) use translation::Planner;
