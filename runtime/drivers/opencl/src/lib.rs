//! The driver that runs kernels on devices of OpenCL.
//!
//! In: code objects, launches, copies, fills. Out: calls of OpenCL, whose library is opened at run
//! time. *Invariant:* nothing needs an SDK, and without the library or a device that takes SPIR-V
//! there are no devices and a reason; a command records no event.
//!
//! What makes queues of streams is in `sinter-driver-common`; here is what OpenCL does differently:
//! it has no current context, so each device has its own [`Vendor`](sinter_driver_common::Vendor);
//! its events belong to commands, so a place in a queue is a marker; and its kernels hold their
//! arguments, so that they have a lock. The functions are in `opencl-sys`.
//!
//! Pointers are pointers: a device must have `cl_intel_unified_shared_memory`, or shared virtual
//! memory of OpenCL 2.
//!
//! Work in a child process made by `fork` is refused: the threads of the platforms do not exist
//! there.

mod arguments;
mod assemble;
mod detect;
mod device;
mod event;
mod failure;
mod features;
mod kernel;
mod library;
mod memory;
mod options;
mod queries;
mod registration;
mod stream;
mod vendor;

pub use device::driver;
pub use failure::OpenClError;
pub use options::OpenClOptions;
