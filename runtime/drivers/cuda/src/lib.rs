//! The driver that runs kernels on NVIDIA GPUs.
//!
//! In: PTX or cubins, launches, copies, fills. Out: calls of NVIDIA's driver interface, which is opened at run time.
//! *Invariant:* nothing needs NVIDIA's toolkit, and without the driver there are no devices and a reason; a plain launch makes
//! one driver call besides the check of the current context, allocates nothing and records no event.
//!
//! What makes queues of streams is in `sinter-driver-common`; here is what NVIDIA's interface does differently from others.
//!
//! Work in a child process made by `fork` is refused: NVIDIA's driver does not support it there.

mod api;
mod assemble;
mod context;
mod cubin;
mod detect;
mod device;
mod error;
mod features;
mod group_size;
mod jit;
mod kernel;
mod module;
mod options;
mod registers;
mod vendor;

pub use device::driver;
pub use error::CudaError;
pub use options::CudaOptions;
