//! The device builtins as bitcode.
//!
//! In: `builtins/*/*.cpp`, compiled by clang when this crate is built. Out: one bitcode library per target, from which
//! the translator links what a kernel calls. *Invariant:* the libraries hold no index query and no work-group barrier:
//! those depend on the launch, and the translator writes them itself. The collectives of a group are made of both.
#![forbid(unsafe_code)]

/// Bitcode of the builtins of the host CPU.
///
/// Besides builtins it refers to functions of libc and libm, to the local id and size queries, and to the work-group
/// barrier.
pub static HOST_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host.bc"));

/// BLAKE3 digest of [`HOST_BUILTINS`], part of the translator's fingerprint.
pub const DIGEST: [u8; 32] = include!(concat!(env!("OUT_DIR"), "/digest.rs"));
