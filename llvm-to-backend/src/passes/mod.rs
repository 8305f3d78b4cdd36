//! IR passes that steps and targets consist of.
//!
//! In: a kernel at any stage. Out: the same with a single change. *Invariant:* a pass knows neither
//! the order of the steps nor a target; differences between targets are arguments.

pub(crate) mod complex;
pub(crate) mod convergent;
pub(crate) mod cycles;
pub(crate) mod demote;
pub(crate) mod entries;
pub(crate) mod exceptions;
pub(crate) mod exponents;
pub(crate) mod float_mode;
pub(crate) mod fold;
pub(crate) mod foreign_constants;
pub(crate) mod hosted;
pub(crate) mod images;
pub(crate) mod inlining;
pub(crate) mod joined_calls;
pub(crate) mod library_calls;
pub(crate) mod link;
pub(crate) mod private_memory;
pub(crate) mod queries;
pub(crate) mod rounding;
pub(crate) mod signatures;
pub(crate) mod specialization_constants;
pub(crate) mod start_up;
pub(crate) mod template;
