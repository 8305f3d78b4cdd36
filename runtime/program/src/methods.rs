//! Methods for the queue and kernel types of a crate.
//!
//! In: the crate's own types. Out: their inherent methods, so that programs need not import a
//! trait. *Invariant:* a method only forwards to the type or to this crate. The safety contract of
//! a launch is written only here.

/// Generates the functions of [`commands`](crate::commands) as methods of a queue, and `depend_on`:
/// `queue_methods!(Queue, RuntimeError)`.
#[macro_export]
macro_rules! queue_methods {
    ($queue:ty, $error:ty) => {
        impl $queue {
            /// Makes later commands wait for `event`.
            pub fn depend_on(&self, event: &$crate::Event<$queue>) -> Result<(), $error> {
                $crate::Queue::depend(self, event.queue(), event.ticket())
            }

            /// Submits a fill of all elements with `value`.
            pub fn fill<T: $crate::Element>(
                &self,
                buffer: &mut $crate::Buffer<T, $queue>,
                value: T,
            ) -> Result<$crate::Event<$queue>, $error> {
                $crate::commands::fill(self, buffer, value)
            }

            /// Submits a copy of all elements. Different lengths are an error.
            pub fn copy<T: $crate::Element>(
                &self,
                to: &mut $crate::Buffer<T, $queue>,
                from: &$crate::Buffer<T, $queue>,
            ) -> Result<$crate::Event<$queue>, $error> {
                $crate::commands::copy(self, to, from)
            }

            /// Copies `values` to the buffer. Blocks until the copy is complete.
            pub fn write<T: $crate::Element>(
                &self,
                buffer: &mut $crate::Buffer<T, $queue>,
                values: &[T],
            ) -> Result<(), $error> {
                $crate::commands::write(self, buffer, values)
            }

            /// Copies the elements of the buffer to `values`. Blocks until the copy is complete.
            pub fn read<T: $crate::Element>(
                &self,
                buffer: &$crate::Buffer<T, $queue>,
                values: &mut [T],
            ) -> Result<(), $error> {
                $crate::commands::read(self, buffer, values)
            }

            /// Copies the elements of the buffer to a vector. Blocks until the copy is complete.
            pub fn read_vec<T: $crate::Element>(&self, buffer: &$crate::Buffer<T, $queue>) -> Result<Vec<T>, $error> {
                $crate::commands::read_vec(self, buffer)
            }
        }
    };
}

/// Generates the methods that configure and launch a kernel:
/// `kernel_methods!(Kernel, Queue, RuntimeError)`. The kernel has `constants: Constants`,
/// `layout(&self) -> Layout<_>`, `refuse(&self, ArgumentMismatch) -> RuntimeError` and, with the
/// safety contract of `launch`, `submit(&self, &Queue, block: &[u8], &LaunchSize)`, which returns a
/// ticket.
#[macro_export]
macro_rules! kernel_methods {
    ($kernel:ty, $queue:ty, $error:ty) => {
        impl $kernel {
            /// The same kernel with a value for the IR constant or specialization constant `name`,
            /// a mangled name. The kernel is compiled once for each value. A constant without a
            /// value has the one that the program initialises it with.
            #[must_use]
            pub fn with_constant(mut self, name: &str, value: impl $crate::Element) -> Self {
                self.constants.set(name, value);
                self
            }

            /// Submits the kernel. The command waits for commands of other queues that use the same
            /// buffers.
            ///
            /// # Safety
            /// The compiler cannot see inside kernels, so the caller promises: the kernel stays
            /// inside the buffers, writes only those that are passed as `&mut`, and every other
            /// pointer that it follows is valid on the device until the event is complete. The
            /// library that the kernel was linked into, if it was, stays loaded.
            pub unsafe fn launch(
                &self,
                queue: &$queue,
                size: &$crate::LaunchSize,
                arguments: &[$crate::Argument<'_, $queue>],
            ) -> Result<$crate::Event<$queue>, $error> {
                // SAFETY: the same contract, upheld by the caller; the block is made from checked
                // arguments.
                let submit = |block: &[u8]| unsafe { self.submit(queue, block, size) };
                self.layout().launch(queue, arguments, |misfit| self.refuse(misfit), submit)
            }
        }
    };
}
