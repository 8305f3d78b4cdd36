//! Launches C++ kernels from Rust through an installed `libsinter.so`.
//!
//! In: containers that `sinter-build` makes, kernels of linked C++ objects, typed arguments. Out:
//! commands on the queues of devices. The interface is that of the crate `sinter`, without the
//! parts for programs that create their own runtime. This crate depends only on `sinter-program`
//! and compiles in seconds, because the runtime is an installed library. Use it under the name
//! `sinter`:
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

/// One argument of a launch, made with `From` or [`arguments!`].
pub type Argument<'a> = sinter_program::Argument<'a, Queue>;
/// Device memory for values of type `T`. Dropping it waits for the commands that use it.
pub type Buffer<T> = sinter_program::Buffer<T, Queue>;
/// A submitted command: a queue and a ticket.
pub type Event = sinter_program::Event<Queue>;

/// Makes an array of [`Argument`]s: `arguments![2.0_f32, &x, &mut y, n]`.
#[macro_export]
macro_rules! arguments {
    ($($argument:expr),* $(,)?) => {
        [$($crate::Argument::from($argument)),*]
    };
}
