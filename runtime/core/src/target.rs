//! What code is generated for.
//!
//! *Invariant:* a target is a plain value that holds everything code generation depends on, and is hashed whole.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The host CPU.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HostTarget {
    /// LLVM triple, for example `x86_64-unknown-linux-gnu`.
    pub triple: String,
    /// LLVM's name of the CPU, for example `znver4` or `x86-64-v3`.
    pub cpu: String,
    /// LLVM feature string, for example `+avx2,+fma,-avx512f`.
    pub features: String,
}

/// What code is generated for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Target {
    /// The host CPU.
    Host(HostTarget),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Host(host) => write!(f, "host:{}", host.cpu),
        }
    }
}
