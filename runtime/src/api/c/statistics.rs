//! Counters of the process.
//!
//! *Invariant:* at most `struct_size` bytes of the caller's struct are written.
#![expect(unsafe_code, reason = "exports C symbols and writes through the pointers of C callers")]

use super::{global, guard::guard, pointer};
use crate::abi::{Statistics, WholeStatistics};

/// `sinter_get_statistics`: see `sinter/sinter.h`.
///
/// # Safety
/// `statistics` is null or points to as many bytes as its `struct_size` says.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_get_statistics(statistics: *mut Statistics) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let size = *unsafe { pointer::reference("statistics", statistics.cast_const().cast::<u32>()) }?;
        pointer::check_size::<Statistics>("statistics", size)?;
        let WholeStatistics { statistics: first, times } = global::runtime().whole_statistics();
        let first = Statistics { struct_size: size, ..first };
        if (size as usize) < size_of::<WholeStatistics>() {
            // SAFETY: its size was checked, and it is writable by the caller's promise.
            return unsafe { pointer::write("statistics", statistics, first) };
        }
        // SAFETY: the size says that the second part is there as well.
        unsafe { pointer::write("statistics", statistics.cast(), WholeStatistics { statistics: first, times }) }
    })
}
