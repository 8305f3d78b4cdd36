//! The interface for programs in Rust.
//!
//! In: containers, from linked C++ objects or as bytes, and typed arguments. Out: commands on
//! queues. *Invariant:* only a launch is unsafe, because nothing can check what a kernel does with
//! its pointers. The rest is safe: memory is freed after the last command that uses it, a command
//! waits for commands of other queues that use the same memory, and host slices are borrowed only
//! while no command can access them.
//!
//! ```no_run
//! use sinter::{Buffer, LaunchSize, MemoryKind, Module, Runtime, RuntimeError, arguments};
//!
//! fn main() -> Result<(), RuntimeError> {
//!     let runtime = Runtime::global();
//!     let queue = runtime.create_queue(0)?;
//!     let container = std::fs::read("saxpy.hcf").expect("the container");
//!     let module = Module::from_bytes(&runtime, &container)?;
//!     let saxpy = module.kernel("saxpy")?;
//!
//!     let n = 1024_usize;
//!     let x = Buffer::from_slice(&queue, MemoryKind::Shared, &vec![1.0_f32; n])?;
//!     let mut y = Buffer::from_slice(&queue, MemoryKind::Shared, &vec![2.0_f32; n])?;
//!     let size = LaunchSize::range([n as u64]);
//!     // SAFETY: saxpy(a, x, y) accesses only the elements of its work-items, and both buffers
//!     // have that many.
//!     let event = unsafe { saxpy.launch(&queue, &size, &arguments![3.0_f32, &x, &mut y]) }?;
//!     event.wait()?;
//!     assert_eq!(y.as_slice()?, vec![5.0_f32; n]);
//!     Ok(())
//! }
//! ```
//!
//! A kernel is found by the symbol of its entry function, which `extern "C"` makes a plain name
//! (`sinter/kernel.hpp`). The package `sinter-build` compiles C++ in a build script. Times,
//! dependencies between queues, fills and copies:
//!
//! ```no_run
//! # use sinter::{Buffer, MemoryKind, Runtime, RuntimeError};
//! # fn main() -> Result<(), RuntimeError> {
//! let runtime = Runtime::global();
//! for device in runtime.devices().visible.iter() {
//!     println!("{}: {} ({})", device.index, device.info().name, device.target());
//! }
//! let (first, second) = (runtime.create_queue(0)?, runtime.create_queue(0)?);
//! first.enable_profiling()?;
//! let mut numbers = Buffer::<u32>::zeroed(&first, MemoryKind::Device, 1 << 20)?;
//! let filled = first.fill(&mut numbers, 7)?;
//! // Not needed for `numbers`: commands on the same memory are ordered.
//! second.depend_on(&filled)?;
//! assert_eq!(second.read_vec(&numbers)?, vec![7; 1 << 20]);
//! let times = filled.profile()?;
//! println!("the fill took {} ns", times.end - times.start);
//! # Ok(())
//! # }
//! ```

mod commands;
mod kernel;
mod loaded_module;
mod module;
mod owned;
mod queue;

use crate::queue::Queue;

pub use kernel::Kernel;
pub use loaded_module::Module;
pub use sinter_program::Element;

/// One argument of a launch, made with `From` or [`arguments!`](crate::arguments).
pub type Argument<'a> = sinter_program::Argument<'a, Queue>;
/// Device memory for values of type `T`. Dropping it waits for the commands that use it.
pub type Buffer<T> = sinter_program::Buffer<T, Queue>;
/// A submitted command: a queue and a ticket.
pub type Event = sinter_program::Event<Queue>;

/// The arguments of a launch, in the order of the kernel's parameters: numbers, `&buffer` for
/// memory that the kernel reads, and `&mut buffer` for memory that it writes.
#[macro_export]
macro_rules! arguments {
    ($($argument:expr),* $(,)?) => {
        [$($crate::api::rust::Argument::from($argument)),*]
    };
}
