//! The driver that runs kernels on OpenCL devices.
//!
//! In: code objects, launches, copies, fills. Out: calls of OpenCL, whose library is opened at run
//! time. *Invariant:* nothing needs an SDK; without the library or a device that supports SPIR-V
//! there are no devices, but a reason. A command records no event.
//!
//! `sinter-driver-common` implements queues on streams; this crate has the parts specific to
//! OpenCL. OpenCL has no current context, so each device has its own
//! [`Vendor`](sinter_driver_common::Vendor). Its events belong to commands, so a position in a
//! queue is a marker. Its kernels store their arguments, so each kernel has a lock. The function
//! tables are in `opencl-sys`.
//!
//! Kernels use raw pointers: a device must have `cl_intel_unified_shared_memory`, or shared virtual
//! memory of OpenCL 2.
//!
//! Work in a forked child process is refused, because the threads of the platforms do not exist
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
