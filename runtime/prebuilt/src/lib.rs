//! Launches C++ kernels from Rust through an installed `libsinter.so`.
//!
//! In: containers that `sinter-build` makes, kernels of linked C++ objects, typed arguments. Out:
//! commands on the queues of devices. The interface is the part of the crate `sinter` that a
//! program needs if it has no runtime of its own. This crate has no dependencies and compiles in
//! seconds, because the runtime is that of the installation. Add it under that name:
//!
//! ```toml
//! sinter = { package = "sinter-prebuilt", path = "/path/to/sinter/runtime/prebuilt" }
//! ```
//!
//! *Invariant:* every call goes through the C interface (`sinter/sinter.h`), and a status other
//! than success is a [`RuntimeError`] with the runtime's own message.
#![deny(unsafe_code)]

mod devices;
mod error;
mod ffi;
mod program;
mod queue;

pub use devices::{Device, DeviceInfo, Devices, Runtime};
pub use error::RuntimeError;
pub use program::{
    argument::Argument,
    buffer::{Buffer, Element, MemoryKind},
    event::{Event, Profile},
    kernel::{Kernel, LaunchSize},
    module::Module,
};
pub use queue::Queue;

/// An array of [`Argument`]s: `arguments![2.0_f32, &x, &mut y, n]`.
#[macro_export]
macro_rules! arguments {
    ($($argument:expr),* $(,)?) => {
        [$($crate::Argument::from($argument)),*]
    };
}
