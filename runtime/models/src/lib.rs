//! Runs parts of the runtime and of the host driver in every order that threads may take.
//!
//! In: their files, compiled with the types of loom in the place of the standard library's, and
//! models: small programs of two or three threads. Out: a panic if an order breaks the promise of a
//! model or lets a thread wait for ever. *Invariant:* the files are those of the library. What they
//! name beside them is replaced by the least that compiles.
#![forbid(unsafe_code)]
#![allow(dead_code, reason = "the files have functions that no model calls")]
#![allow(unfulfilled_lint_expectations, reason = "types that the files name are smaller here")]

mod code;
mod device_globals;
pub mod flights;
mod launch;
pub mod pieces;
mod queue;
pub mod sync;

pub use launch::swaps;

/// The division of a range among threads, of the host driver.
#[path = "../../drivers/host/src/slots.rs"]
mod slots;

mod abi {
    pub(crate) struct Kernel(pub(crate) u8);
    pub(crate) struct Container(pub(crate) u8);
}

mod error {
    #[derive(Debug, Clone)]
    pub(crate) enum RuntimeError {
        Internal { message: String },
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum RequiredBy {}
}

/// No model forks.
mod forks {
    #[derive(Debug, Default)]
    pub(crate) struct ForkSafe<T>(T);

    impl<T> ForkSafe<T> {
        pub(crate) const fn new(value: T) -> Self {
            ForkSafe(value)
        }

        pub(crate) fn with<R>(&self, work: impl FnOnce(&T) -> R) -> R {
            work(&self.0)
        }
    }

    pub(crate) fn between_forks<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    pub(crate) fn generation() -> u64 {
        0
    }
}

/// Runs a model in every order in which threads are interrupted at most five times, and any number
/// of times where they wait.
fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(5);
    builder.check(model);
}
