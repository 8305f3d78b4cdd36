//! Holds a reader to memory in proportion to its input.
//!
//! *Invariant:* what is counted is everything that was ever allocated, not the peak, so that a bound on it is one on the
//! work as well.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What any reader may allocate. A decoder of sequences trusts a length up to 1 MiB before it has seen the elements.
const FREE: usize = 16 << 20;
/// Bytes per byte of input beyond that. The tree of a container costs most: a node of four bytes of text is a value of
/// 100, in a vector that doubles.
const FACTOR: usize = 512;

/// Runs `read` and panics if it allocated out of proportion to `input`.
pub(crate) fn bounded<R>(input: &[u8], read: impl FnOnce() -> R) -> R {
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    let result = read();
    let allocated = region.change().bytes_allocated;
    let limit = FREE + FACTOR * input.len();
    assert!(allocated <= limit, "{allocated} bytes allocated for an input of {}, at most {limit}", input.len());
    result
}
