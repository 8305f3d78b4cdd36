//! The driver that runs kernels on devices of Level Zero, such as Intel's GPUs.
//!
//! In: code objects with SPIR-V, launches, copies, fills. Out: calls of the Level Zero loader,
//! which is opened at run time. *Invariant:* nothing needs an SDK; without loader, driver or GPU
//! there are no devices, but a reason. A plain launch allocates nothing and records no event.
//!
//! `sinter-driver-common` implements queues on streams; this crate has the parts specific to Level
//! Zero. The function table is in `level-zero-sys`. A stream is an immediate command list. It is
//! in-order if loader and driver support that (specification 1.7); otherwise a barrier precedes
//! each command.
//!
//! Work in a forked child process is refused, because the driver's threads do not exist there.

mod assemble;
mod detect;
mod device;
mod events;
mod features;
mod gpu;
mod kernel;
mod library;
mod lists;
mod options;
mod platform;
mod vendor;

pub use device::driver;
pub use library::LevelZeroError;
pub use options::LevelZeroOptions;
