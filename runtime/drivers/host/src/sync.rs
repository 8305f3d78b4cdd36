//! The types by which threads share state, in files that `runtime/models` checks.
//!
//! That crate compiles the same files with a model checker's types in the place of these.
//! *Invariant:* nothing is defined here, so that a model differs from the driver in types alone.
#![forbid(unsafe_code)]

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
