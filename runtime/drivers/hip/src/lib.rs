//! The driver that runs kernels on AMD GPUs.
//!
//! In: code objects, launches, copies, fills. Out: calls of AMD's HIP library, which is opened at
//! run time. *Invariant:* nothing needs a ROCm SDK; without the library or a GPU there are no
//! devices, but a reason. A plain launch makes one call besides the query of the current device,
//! allocates nothing and records no event.
//!
//! `sinter-driver-common` implements queues on streams; this crate has the parts specific to HIP.
//! The function table is in `hip-sys`.
//!
//! Work in a forked child process is refused, because the library's threads do not exist there.

mod code;
mod detect;
mod device;
mod features;
mod kernel;
mod library;
mod options;
mod vendor;

pub use device::driver;
pub use library::HipError;
pub use options::HipOptions;
