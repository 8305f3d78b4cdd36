//! Gets the machine code of kernels.
//!
//! In: a kernel's descriptor, a device, a class of launches and the values to specialise on. Out: a
//! kernel that the device has loaded. *Invariant:* nothing here knows a queue or an argument block.

mod assemble;
pub(crate) mod load;
pub(crate) mod obtain;
mod plan;
mod progress;
pub mod single_flight;
mod ticker;
pub mod translator;
pub mod variant;
