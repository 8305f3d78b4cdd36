//! The driver that runs kernels on NVIDIA GPUs.
//!
//! In: PTX or cubins, launches, copies, fills. Out: calls of NVIDIA's driver interface, which is opened at run time.
//! *Invariant:* nothing needs NVIDIA's toolkit, and without the driver there are no devices and a reason; a plain launch makes
//! one driver call besides the check of the current context, allocates nothing and records no event.
//!
//! A queue is a stream. The queue counts its commands and nothing else: whether an old one is complete is found out when
//! somebody asks, by an event that is recorded then and covers everything submitted so far. That is late, never early.
//!
//! An error such as an illegal address takes the whole context with it, for the rest of the process. It is reported as
//! [`DriverError::Lost`](sinter_driver::DriverError::Lost) by whoever notices it first and by every later call, which asks the driver
//! no more. Code is unloaded when no stream can still run it: dropping a kernel records an event on each busy stream, and a later
//! load, drop or end of a queue unloads what has passed them.
//!
//! Work in a child process made by `fork` is refused: NVIDIA's driver does not support it there.

mod api;
mod assemble;
mod context;
mod cubin;
mod detect;
mod device;
mod error;
mod event;
mod features;
mod fill;
mod fork;
mod group_size;
mod kernel;
mod launch;
mod memory;
mod module;
mod queue;
mod registers;
mod rows;
mod timeline;
mod times;

pub use device::{CudaDriver, CudaOptions};
pub use error::CudaError;
