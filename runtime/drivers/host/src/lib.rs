//! The driver that runs kernels on the host CPU.
//!
//! In: relocatable ELF objects for this CPU, launches, copies, fills. Out: their effects in the
//! process's memory. *Invariant:* pool threads never wait for a ticket. A command that must wait is
//! parked, and the thread that completes its dependency resumes it, so queues cannot starve each
//! other.
//!
//! Small commands run on the thread that submits them if their queue is idle. Larger ones, and
//! kernels that were never measured, are divided among a thread pool; a thread that waits for them
//! takes part. A kernel must therefore not wait for something that its submitting thread does
//! later, for which SYCL makes no guarantee either.
//!
//! The driver installs no signal handlers. A kernel that traps ends the process as any illegal
//! access does. Debuggers see the functions of every loaded kernel, and [`running_kernel`] names
//! the kernel that the calling thread runs.
//!
//! A process may exit at any time: it does not wait for the pool. In a forked child the pool's
//! threads do not exist: an inherited queue refuses commands with
//! [`DriverError::Inherited`](sinter_driver::DriverError::Inherited), and a queue created in the
//! child has threads of its own.

mod cost;
mod cpuid;
mod detect;
mod device;
mod enter;
mod features;
mod group_size;
mod job;
mod kernel;
mod level;
mod loader;
mod memory;
mod nodes;
mod pool;
mod queue;
mod slots;
mod sync;
mod timeline;
mod times;
mod work;

pub use device::{HostDriver, HostOptions};
pub use kernel::running_kernel;
pub use level::CpuLevel;
pub use loader::{Image, LoadError, Loader, ObjectLoader, PerfMap};
