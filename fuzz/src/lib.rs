//! Properties that hold for all inputs of the formats that Sinter reads.
//!
//! In: bytes. Out: a panic that names the violated property, if any. There is a module per format;
//! each also repairs the digests in the input, which a fuzzer cannot guess, and checks the result.
//! *Invariant:* a reader returns a value or a typed error, and allocates memory in proportion to
//! its input.
#![forbid(unsafe_code)]

pub mod cache_entry;
pub mod container;
mod memory;
pub mod request;
