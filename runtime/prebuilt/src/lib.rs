//! Launches C++ kernels from Rust through an installed `libsinter.so`.
//!
//! In: containers that `sinter-build` makes, kernels of linked C++ objects, typed arguments. Out:
//! commands on the queues of devices. The interface is that of the crate `sinter`, as far as a
//! program needs it that has no runtime of its own; but this crate depends on `sinter-program`
//! alone and compiles in seconds, because the runtime is the installation's. Take it under that
//! name:
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
mod handle;
mod kernel;
mod module;
mod queue;

pub use devices::{Device, DeviceInfo, Devices, Runtime};
pub use error::RuntimeError;
pub use kernel::Kernel;
pub use module::Module;
pub use queue::Queue;
pub use sinter_program::{Element, LaunchSize, MemoryKind, Profile};

/// One argument of a launch; made with `From`, or by [`arguments!`].
pub type Argument<'a> = sinter_program::Argument<'a, Queue>;
/// Memory of a device for `T`s. Dropping it waits for the commands that use it.
pub type Buffer<T> = sinter_program::Buffer<T, Queue>;
/// A command that was submitted.
pub type Event = sinter_program::Event<Queue>;

/// An array of [`Argument`]s: `arguments![2.0_f32, &x, &mut y, n]`.
#[macro_export]
macro_rules! arguments {
    ($($argument:expr),* $(,)?) => {
        [$($crate::Argument::from($argument)),*]
    };
}
