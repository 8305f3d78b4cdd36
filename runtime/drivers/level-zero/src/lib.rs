//! The driver that runs kernels on devices of Level Zero, such as Intel's GPUs.
//!
//! In: code objects with SPIR-V, launches, copies, fills. Out: calls of the Level Zero loader,
//! which is opened at run time. *Invariant:* nothing needs an SDK, and without loader, driver or
//! GPU there are no devices and a reason; a plain launch allocates nothing and records no event.
//!
//! What makes queues of streams is in `sinter-driver-common`; here is what Level Zero does
//! differently from others. The functions are in `level-zero-sys`. A stream is an immediate command
//! list. It is in order where loader and driver know that (specification 1.7), else a barrier comes
//! before each command.
//!
//! Work in a child process made by `fork` is refused: the driver's threads do not exist there.

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
