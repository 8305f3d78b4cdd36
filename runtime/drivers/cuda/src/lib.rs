//! The driver that runs kernels on NVIDIA GPUs.
//!
//! In: PTX or cubins, launches, copies, fills. Out: calls of NVIDIA's driver API, whose library is
//! opened at run time. *Invariant:* nothing needs NVIDIA's toolkit; without the driver there are no
//! devices, but a reason. A plain launch makes one driver call besides the check of the current
//! context, allocates nothing and records no event.
//!
//! `sinter-driver-common` implements queues on streams; this crate has the parts specific to
//! NVIDIA's API.
//!
//! Work in a forked child process is refused, because NVIDIA's driver does not support it there.

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
