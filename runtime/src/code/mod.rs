//! Obtains the machine code of kernels and loads it.
//!
//! In: a kernel's descriptor, a device, a shape class and the values to specialise on. Out: a
//! kernel that the device has loaded. `load` tries, in this order: kernels that are loaded, the
//! `store` (code in this process, then the disk cache), and `obtain`, which translates.
//! *Invariant:* this module knows neither queues nor argument blocks.

mod ahead;
mod assemble;
mod deep;
mod dump;
mod end;
mod launched;
mod lists;
mod load;
mod obtain;
mod profile;
mod progress;
mod pulse;
pub mod single_flight;
mod special;
mod store;
mod ticker;
pub mod tiers;
mod translation;
pub mod translator;
pub mod variant;
pub(crate) mod wisdom;

pub(crate) use ahead::{Likely, MOST_POINTERS};
pub(crate) use launched::Expected;
pub(crate) use lists::Origin;
pub(crate) use load::{Kernels, LoadedKernel, Unbuilt, Upgrade, Wanted};
pub(crate) use obtain::{Part, Waiting};
pub(crate) use profile::Values;
pub(crate) use special::WantedValues;
pub(crate) use translation::Planner;
