//! What must hold for any bytes in the formats that Sinter reads.
//!
//! In: bytes. Out: nothing, or a panic that names the property that does not hold. A module per format; each also repairs
//! the digests in the bytes, which a fuzzer cannot guess, and looks at the result. *Invariant:* a reader gives a
//! value or a typed error, and takes memory in proportion to its input.
#![forbid(unsafe_code)]

pub mod cache_entry;
pub mod container;
mod memory;
pub mod request;
