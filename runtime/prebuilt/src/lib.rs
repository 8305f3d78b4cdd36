//! Kernels in C++, launched from Rust through an installed `libsinter.so`.
//!
//! In: containers that `sinter-build` makes, kernels of linked C++ objects, typed arguments. Out: commands on the queues of
//! devices. The interface is that of the crate `sinter`, as far as a program needs it that has no runtime of its own; but this
//! crate has no dependencies and compiles in seconds, because the runtime is the installation's. Take it under that name:
//!
//! ```toml
//! sinter = { package = "sinter-prebuilt", path = "/path/to/sinter/runtime/prebuilt" }
//! ```
//!
//! *Invariant:* every call goes through the C interface (`sinter/sinter.h`), and a status that is no success is a
//! [`RuntimeError`] with the runtime's own sentence.
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
