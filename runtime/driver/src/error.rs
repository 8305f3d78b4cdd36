//! Errors of devices and drivers.

use sinter_core::names::readable;
use std::{error::Error, io};

/// An error of a device or its driver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// An allocation failed for lack of memory.
    #[error(
        "out of memory on {device}: {size} bytes with alignment {alignment}{}",
        free.map_or(String::new(), |free| format!(", where {free} bytes are free"))
    )]
    OutOfMemory {
        /// Name of the device.
        device: String,
        /// Requested size in bytes.
        size: usize,
        /// Requested alignment in bytes.
        alignment: usize,
        /// Free memory of the device in bytes, if known.
        free: Option<u64>,
    },
    /// A pointer that was not allocated on the device.
    #[error("{pointer:#x} was not allocated on {device}, or was freed already")]
    UnknownPointer {
        /// Name of the device.
        device: String,
        /// Address that was passed.
        pointer: usize,
    },
    /// Memory of the program that cannot be registered, or whose registration cannot be ended.
    #[error("memory at {pointer:#x} {reason} ({device})")]
    Registration {
        /// Name of the device.
        device: String,
        /// Address that was passed.
        pointer: usize,
        /// The problem.
        reason: Unregistered,
    },
    /// The device cannot run the launch.
    #[error("kernel `{}` cannot be launched on {device}: {reason}", readable(.kernel))]
    Launch {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel.
        kernel: String,
        /// The problem, and what would be accepted.
        reason: String,
    },
    /// A launch needs more local memory than a work-group of the device can have.
    #[error("kernel `{}` cannot be launched on {device}: {excess}", readable(.kernel))]
    LocalMemory {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel.
        kernel: String,
        /// Declared and dynamic sizes, and the limit.
        excess: LocalMemoryExcess,
    },
    /// The device rejects the code.
    #[error("the code of kernel `{}` cannot be loaded on {device}: {reason}", readable(.kernel))]
    Load {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel.
        kernel: String,
        /// Message of the loader.
        reason: String,
    },
    /// A kernel or queue of another driver was passed in.
    #[error("the {what} belongs to another driver than {device}")]
    Foreign {
        /// Name of the device.
        device: String,
        /// `kernel` or `queue`.
        what: &'static str,
    },
    /// A ticket that the queue has not returned yet.
    #[error("ticket {ticket} was not handed out on {device} yet; the last one is {last}")]
    UnknownTicket {
        /// Name of the device.
        device: String,
        /// Ticket that was passed.
        ticket: u64,
        /// Last ticket of the queue.
        last: u64,
    },
    /// Profiling was enabled after the first command.
    #[error("profiling cannot be enabled on a queue of {device} that has taken {commands} commands; enable it first")]
    LateProfiling {
        /// Name of the device.
        device: String,
        /// Number of commands submitted so far.
        commands: u64,
    },
    /// A system call failed.
    #[error("{context}")]
    System {
        /// Attempted operation.
        context: String,
        /// Error of the system call.
        #[source]
        source: io::Error,
    },
    /// A command failed after its submission.
    #[error("a command failed on {device}: {reason}")]
    Asynchronous {
        /// Name of the device.
        device: String,
        /// Message of the driver.
        reason: String,
    },
    /// An object from before a fork was used in the child.
    #[error("what was made on {device} before fork does not work in the child: create a new queue there")]
    Inherited {
        /// Name of the device.
        device: String,
    },
    /// A device was used in a child, but its driver was started before the fork.
    #[error(
        "{device} was in use before fork, and its driver does not work in the child: use it in the parent or in the child alone, or let \
         the child call exec"
    )]
    Forked {
        /// Name of the device.
        device: String,
    },
    /// The device or its driver does not support a feature.
    #[error("{device} has no {feature}")]
    Unsupported {
        /// Name of the device.
        device: String,
        /// The missing feature.
        feature: String,
    },
    /// A command left the device unusable for this process.
    #[error(
        "{device} cannot be used by this process any more since {}: {reason}; end the process to use the device again",
        kernel.as_ref().map_or("a command failed".to_owned(), |kernel| format!("kernel `{}` failed", readable(kernel)))
    )]
    Lost {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel that caused it, if known.
        kernel: Option<String>,
        /// Number of the failure in the vendor's interface.
        code: u32,
        /// Message of the driver.
        reason: String,
    },
    /// Any other error of a vendor library.
    #[error("{call} failed on {device}")]
    Vendor {
        /// Name of the device.
        device: String,
        /// Function of the vendor library.
        call: &'static str,
        /// Error of the vendor library.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

/// Reason why memory is not registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unregistered {
    /// It was registered before, or is pinned memory of an allocation.
    #[error("is registered already, at least in part: end that registration first")]
    Twice,
    /// It was not registered.
    #[error("is not the start of registered memory")]
    Never,
    /// The device cannot have such memory.
    #[error("cannot be registered: only whole ranges that the program mapped and may write to can")]
    Unfit,
}

/// A launch that needs more local memory than a work-group has. All sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it declares {declared} bytes of local memory and the launch adds {dynamic}, but a work-group has at most {limit}"
)]
pub struct LocalMemoryExcess {
    /// Static local memory of the kernel.
    pub declared: u64,
    /// Dynamic local memory of the launch.
    pub dynamic: u64,
    /// Maximum of a work-group.
    pub limit: u64,
}

impl LocalMemoryExcess {
    /// Returns the sizes if they exceed `limit`.
    pub fn of(declared: u32, dynamic: u32, limit: u64) -> Option<Self> {
        let (declared, dynamic) = (u64::from(declared), u64::from(dynamic));
        (declared + dynamic > limit).then_some(LocalMemoryExcess { declared, dynamic, limit })
    }
}

/// Reason why a launch is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its sizes or arguments; the string also says what would be accepted.
    #[error("{0}")]
    Launch(String),
    /// Its local memory exceeds the limit.
    #[error(transparent)]
    LocalMemory(#[from] LocalMemoryExcess),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Refusal::Launch(reason)
    }
}

impl Refusal {
    /// Converts to an error that names `kernel` and `device`.
    #[cold]
    pub fn about(self, kernel: &str, device: &str) -> DriverError {
        let (kernel, device) = (kernel.to_owned(), device.to_owned());
        match self {
            Refusal::Launch(reason) => DriverError::Launch { device, kernel, reason },
            Refusal::LocalMemory(excess) => DriverError::LocalMemory { device, kernel, excess },
        }
    }
}
