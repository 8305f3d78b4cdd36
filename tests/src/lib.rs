//! Parts that several tests share: stand-ins for a runtime's surroundings, programs and projects to
//! build, and a language of kernels with an interpreter.
//!
//! *Invariant:* what is here asserts nothing about Sinter by itself; the tests do.
#![allow(missing_docs, reason = "for the tests of this package alone")]
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    clippy::new_without_default,
    reason = "tests say what they expect by unwrapping"
)]

pub mod damage;
pub mod devices;
pub mod differential;
pub mod programs;
pub mod projects;
pub mod runtimes;
pub mod samples;
pub mod spirv;
