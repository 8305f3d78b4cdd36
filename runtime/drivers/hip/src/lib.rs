//! The driver that runs kernels on AMD GPUs.
//!
//! In: code objects, launches, copies, fills. Out: calls of AMD's HIP library, which is opened at run time. *Invariant:* nothing needs a
//! ROCm SDK, and without the library or a GPU there are no devices and a reason; a plain launch makes one call besides the question
//! which device is current, allocates nothing and records no event.
//!
//! What makes queues of streams is in `sinter-driver-common`; here is what HIP does differently from others. The functions are in
//! `hip-sys`.
//!
//! Work in a child process made by `fork` is refused: the library's threads do not exist there.

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
