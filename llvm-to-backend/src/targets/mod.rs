//! The targets, a folder each, and what they share.
//!
//! *Invariant:* a target's folder imports no other target's; shared parts lie here or in `gpu`. The
//! table below is the only list of them.

mod amdgcn;
mod foreign;
mod gpu;
mod host;
mod local_memory;
mod ptx;
pub(crate) mod spirv;
mod split;
mod trap_cause;

pub use self::host::{check_target, native_target};

use crate::backend::Backend;
use sinter_core::Target;

/// A generic operation that runs with the backend of a target.
pub(crate) trait Task {
    /// Result of the task.
    type Output;

    /// Runs the task with the backend of a target.
    fn run<B: Backend>(self, backend: &B) -> Self::Output;
}

/// Table of targets: one line for each variant of [`Target`] and its backend.
macro_rules! backends {
    ($($target:ident => $backend:ty,)*) => {
        /// Runs `task` with the backend of `target`; `None` if there is none.
        pub(crate) fn with_backend<T: Task>(target: &Target, task: T) -> Option<T::Output> {
            match target {
                $(Target::$target(target) => Some(task.run(&<$backend>::new(target))),)*
                _ => None,
            }
        }

        /// For each target, the families of intrinsics that belong to its instruction set.
        pub(crate) const INTRINSICS: &[&[&str]] = &[$(<$backend as Backend>::INTRINSICS,)*];
    };
}

backends! {
    Host => host::Host<'_>,
    Ptx => ptx::Ptx<'_>,
    Amdgcn => amdgcn::Amdgcn<'_>,
    Spirv => spirv::Spirv<'_>,
}
