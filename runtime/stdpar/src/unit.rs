//! The granularity of memory.
#![forbid(unsafe_code)]

/// Bytes of a unit: of a slab of small blocks, and the granularity of large blocks.
pub(crate) const UNIT: usize = 1 << 16;
