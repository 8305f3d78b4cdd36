//! Limits the memory that a reader allocates, in proportion to its input.
//!
//! *Invariant:* the limit is on the sum of all allocations, not on the peak, so that it also limits
//! the work.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Allowance for any input. A decoder of sequences trusts a length up to 1 MiB before it has seen
/// the elements.
const FREE: usize = 16 << 20;
/// Additional bytes per byte of input. The tree of a container is the largest: a node of four bytes
/// of text becomes a value of 100, in a vector that doubles.
const FACTOR: usize = 512;

/// Runs `read` and panics if it allocates more than the limit for `input`.
pub(crate) fn bounded<R>(input: &[u8], read: impl FnOnce() -> R) -> R {
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    let result = read();
    let allocated = region.change().bytes_allocated;
    let limit = FREE + FACTOR * input.len();
    assert!(allocated <= limit, "{allocated} bytes allocated for an input of {}, at most {limit}", input.len());
    result
}
