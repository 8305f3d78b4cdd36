//! Copies memory of the device by a kernel: the command took 3.6 times as long as CUDA's copy on an
//! NVIDIA H100, and kernels there copy as fast as that.
//!
//! In: addresses of the device. Out: launches. *Invariant:* the kernel is compiled once copies have
//! been so long that it is worth its time; it writes nothing but the target.

use crate::{
    callable::{Callable, Needs},
    logical::Logical,
    status::Status,
    stream::Stream,
};
use sinter_driver_common::{Failure, Geometry};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

/// `void copy(uint4 *to, const uint4 *from, ulong units)`, whose assembly is beside it.
const COPY: &[u8] = include_bytes!("shaders/copy.spv");
/// Size and alignment of a unit in bytes.
pub(crate) const UNIT: usize = 16;
/// Work-items of a group.
const GROUP: u32 = 256;
/// Shorter copies take longer to launch than to run, in bytes.
const LEAST: usize = 1 << 20;
/// Bytes of all copies, from which on compiling the kernel is worth its time.
const WORTH: usize = 256 << 20;

/// The kernel of one device.
#[derive(Default)]
pub(crate) struct Copier {
    /// Bytes of all copies that are long enough.
    copied: AtomicUsize,
    /// Made on first use; `None` if the driver does not take it.
    kernel: OnceLock<Option<Callable>>,
}

impl Copier {
    /// The kernel, if a copy of this size is to use it.
    pub(crate) fn kernel(
        &self,
        logical: &Arc<Logical>,
        status: impl FnOnce() -> Result<Arc<Status>, Failure>,
        size: usize,
    ) -> Option<&Callable> {
        if size < LEAST || self.copied.fetch_add(size, Ordering::Relaxed).saturating_add(size) < WORTH {
            return None;
        }
        let make = || {
            let needs = Needs { argument_size: 24, fixed_words: Some(1), sub_group: None };
            let made =
                status().and_then(|status| Callable::create(logical, needs, COPY, c"copy".to_owned(), status, None));
            made.inspect_err(|failure| tracing::debug!(?failure, "no kernel for copies")).ok()
        };
        self.kernel.get_or_init(make).as_ref()
    }
}

/// The bytes before the units of a range of two addresses, and the number of units. `None` if the
/// addresses are not aligned alike.
pub(crate) fn units(to: u64, from: u64, size: usize) -> Option<(usize, usize)> {
    let head = (to.wrapping_neg() % UNIT as u64) as usize;
    ((to ^ from).is_multiple_of(UNIT as u64) && head <= size).then(|| (head, (size - head) / UNIT))
}

/// Launches the kernel for a number of units.
///
/// # Safety
/// Both addresses are aligned to a unit, and the ranges valid until the command is complete.
pub(crate) unsafe fn launch(
    kernel: &Callable,
    stream: &Stream,
    to: u64,
    from: u64,
    units: usize,
) -> Result<(), Failure> {
    let arguments = [to, from, units as u64];
    let grid = [units.div_ceil(GROUP as usize) as u32, 1, 1];
    let geometry = Geometry { grid, group: [GROUP, 1, 1], local_memory: 0 };
    // SAFETY: the arguments are those of the kernel, and the caller guarantees the ranges.
    unsafe { kernel.launch(stream, &geometry, arguments.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_aligned_in_both_ranges() {
        assert_eq!(units(32, 64, 100), Some((0, 6)));
        assert_eq!(units(33, 65, 100), Some((15, 5)));
        assert_eq!(units(47, 79, 0), None);
        assert_eq!(units(47, 79, 1), Some((1, 0)));
        for shift in 1..16 {
            assert_eq!(units(32, 64 + shift, 100), None);
        }
    }
}
