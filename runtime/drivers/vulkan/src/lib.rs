//! The driver that runs kernels as compute shaders of Vulkan 1.3.
//!
//! In: code objects, launches, copies, fills. Out: calls of Vulkan, whose loader is opened at run
//! time. *Invariant:* nothing needs an SDK; without the loader or a device that has every required
//! feature there are no devices, but a reason. No call of Vulkan is made once the process exits.
//!
//! `sinter-driver-common` implements queues on streams; this crate has the parts specific to
//! Vulkan. A stream is a timeline semaphore with a count of submissions, so an event is a number.
//! Kernels use raw pointers: the addresses of buffers. Memory of the program is copied through
//! buffers that both can access; shared memory is where host and kernels have one address.
//!
//! Layout of arguments: `sinter_core::spirv::push_constants`.

mod batch;
mod block;
mod callable;
mod chosen;
mod commands;
mod copier;
mod copy;
mod detect;
mod device;
mod event;
mod exit;
mod failure;
mod features;
mod forms;
mod instance;
mod kept;
mod kernel;
mod logical;
mod memory;
mod options;
mod position;
mod prints;
mod reservation;
mod status;
mod stream;
mod submitter;
mod trap;
mod vendor;

pub use device::driver;
pub use failure::VulkanError;
pub use instance::findings;
pub use options::VulkanOptions;
