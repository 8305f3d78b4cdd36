//! The interfaces of the runtime: C (also for C++ programs) and Rust.
//!
//! *Invariant:* neither knows how a launch finds its kernel. Both are thin layers over
//! [`crate::Runtime`].

pub mod c;
pub mod rust;
