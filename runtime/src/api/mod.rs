//! The interfaces of the runtime: for programs in C and C++, and for programs in Rust.
//!
//! *Invariant:* neither knows how a launch finds its kernel. Both are thin over [`crate::Runtime`].

pub mod c;
pub mod rust;
