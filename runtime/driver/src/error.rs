//! What can go wrong on a device.

use sinter_core::names::readable;
use std::{error::Error, io};

/// What can go wrong on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// An allocation did not fit.
    #[error(
        "out of memory on {device}: {size} bytes with alignment {alignment}{}",
        free.map_or(String::new(), |free| format!(", where {free} bytes are free"))
    )]
    OutOfMemory {
        /// Name of the device.
        device: String,
        /// Bytes asked for.
        size: usize,
        /// Alignment asked for.
        alignment: usize,
        /// Free memory of the device, in bytes, where it is known.
        free: Option<u64>,
    },
    /// A pointer that was not allocated on the device.
    #[error("{pointer:#x} was not allocated on {device}, or was freed already")]
    UnknownPointer {
        /// Name of the device.
        device: String,
        /// The pointer.
        pointer: usize,
    },
    /// A launch that the device cannot run.
    #[error("kernel `{}` cannot be launched on {device}: {reason}", readable(.kernel))]
    Launch {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel.
        kernel: String,
        /// What is wrong and what would be accepted.
        reason: String,
    },
    /// A launch whose work-groups need more local memory than the device has for one.
    #[error("kernel `{}` cannot be launched on {device}: {excess}", readable(.kernel))]
    LocalMemory {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel.
        kernel: String,
        /// How much is too much.
        excess: LocalMemoryExcess,
    },
    /// Code that the device does not accept.
    #[error("the code of kernel `{}` cannot be loaded on {device}: {reason}", readable(.kernel))]
    Load {
        /// Name of the device.
        device: String,
        /// Entry symbol of the kernel.
        kernel: String,
        /// The loader's message.
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
    /// A ticket that the queue has not handed out yet.
    #[error("ticket {ticket} was not handed out on {device} yet; the last one is {last}")]
    UnknownTicket {
        /// Name of the device.
        device: String,
        /// The ticket.
        ticket: u64,
        /// The queue's last ticket.
        last: u64,
    },
    /// Times were asked for after the first command.
    #[error("profiling cannot be enabled on a queue of {device} that has taken {commands} commands; enable it first")]
    LateProfiling {
        /// Name of the device.
        device: String,
        /// Commands submitted so far.
        commands: u64,
    },
    /// The operating system refused something.
    #[error("{context}")]
    System {
        /// What was attempted.
        context: String,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// A command failed after it was submitted.
    #[error("a command failed on {device}: {reason}")]
    Asynchronous {
        /// Name of the device.
        device: String,
        /// The driver's message.
        reason: String,
    },
    /// Something that was made before the process was forked.
    #[error("what was made on {device} before fork does not work in the child: create a new queue there")]
    Inherited {
        /// Name of the device.
        device: String,
    },
    /// A device whose driver was started before the process was forked.
    #[error(
        "{device} was in use before fork, and its driver does not work in the child: use it in the parent or in the child alone, or let \
         the child call exec"
    )]
    Forked {
        /// Name of the device.
        device: String,
    },
    /// Something that the device or its driver does not have.
    #[error("{device} has no {feature}")]
    Unsupported {
        /// Name of the device.
        device: String,
        /// What it lacks.
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
        /// Entry symbol of the kernel that is to blame, where that is known.
        kernel: Option<String>,
        /// The driver's message.
        reason: String,
    },
    /// Anything else that a vendor library reports.
    #[error("{call} failed on {device}")]
    Vendor {
        /// Name of the device.
        device: String,
        /// The vendor's function.
        call: &'static str,
        /// The vendor's error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

/// Local memory of a launch that is more than a work-group has. All in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it declares {declared} bytes of local memory and the launch adds {dynamic}, but a work-group has at most {limit}"
)]
pub struct LocalMemoryExcess {
    /// What the kernel itself declares.
    pub declared: u64,
    /// What the launch adds.
    pub dynamic: u64,
    /// What a work-group can have.
    pub limit: u64,
}

impl LocalMemoryExcess {
    /// The excess of a launch, if there is one.
    pub fn of(declared: u32, dynamic: u32, limit: u64) -> Option<Self> {
        let (declared, dynamic) = (u64::from(declared), u64::from(dynamic));
        (declared + dynamic > limit).then_some(LocalMemoryExcess { declared, dynamic, limit })
    }
}

/// Why a launch is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its sizes, or its arguments; and what would be accepted.
    #[error("{0}")]
    Launch(String),
    /// Its local memory.
    #[error(transparent)]
    LocalMemory(#[from] LocalMemoryExcess),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Refusal::Launch(reason)
    }
}

impl Refusal {
    /// The error about `kernel` on `device`.
    #[cold]
    pub fn about(self, kernel: &str, device: &str) -> DriverError {
        let (kernel, device) = (kernel.to_owned(), device.to_owned());
        match self {
            Refusal::Launch(reason) => DriverError::Launch { device, kernel, reason },
            Refusal::LocalMemory(excess) => DriverError::LocalMemory { device, kernel, excess },
        }
    }
}
