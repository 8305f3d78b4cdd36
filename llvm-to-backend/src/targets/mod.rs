//! The targets, a folder each, and what they share.
//!
//! *Invariant:* a target's folder imports no other target's; what several need lies here or in `gpu`.

pub(crate) mod amdgcn;
pub(crate) mod gpu;
pub(crate) mod host;
pub(crate) mod local_memory;
pub(crate) mod ptx;
pub(crate) mod spirv;
pub(crate) mod trap_cause;
