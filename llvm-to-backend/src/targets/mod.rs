//! The targets, a folder each, and what they share.
//!
//! *Invariant:* a target's folder imports no other target's; what several need lies here or in `gpu`. The table below is the only
//! list of them.

mod amdgcn;
mod gpu;
mod host;
mod local_memory;
mod ptx;
pub(crate) mod spirv;
mod trap_cause;

pub use self::host::{check_target, native_target};

use crate::backend::Backend;
use sinter_core::Target;

/// Work that is the same for every backend.
pub(crate) trait Task {
    /// What comes out.
    type Output;

    /// Does the work with the backend of a target.
    fn run<B: Backend>(self, backend: &B) -> Self::Output;
}

/// One line for each target: its variant of [`Target`], and its backend.
macro_rules! backends {
    ($($target:ident => $backend:ty,)*) => {
        /// Does `task` with the backend of `target`; `None` where there is none.
        pub(crate) fn with_backend<T: Task>(target: &Target, task: T) -> Option<T::Output> {
            match target {
                $(Target::$target(target) => Some(task.run(&<$backend>::new(target))),)*
                _ => None,
            }
        }

        /// The families of intrinsics that belong to one instruction set, of each target.
        pub(crate) const INTRINSICS: &[&[&str]] = &[$(<$backend as Backend>::INTRINSICS,)*];
    };
}

backends! {
    Host => host::Host<'_>,
    Ptx => ptx::Ptx<'_>,
    Amdgcn => amdgcn::Amdgcn<'_>,
    Spirv => spirv::Spirv<'_>,
}
