//! Work-group sizes for NVIDIA's GPUs, for launches that leave the size open.
//!
//! In: a kernel. Out: its preferred group sizes. *Invariant:* the driver is queried once per
//! kernel.
//!
//! Groups are small, because a multiprocessor that finishes a small group finds new work sooner,
//! but not so small that starting them dominates. Larger ones are chosen if they keep more
//! work-items resident on a multiprocessor, and for two- and three-dimensional ranges, where
//! neighbours share what they read: a 7-point stencil reads 3.5 rows for each that it writes in
//! groups of 32 by 4, and 2.5 in groups of 32 by 4 by 2.

use crate::{api::Handle, context::Context, features::WARP};
use cudarc::driver::sys::CUfunc_st;
use sinter_driver_common::group_size::GroupSizeRules;

/// On an H200 a copy of 2^28 doubles took 1.279, 1.093 and 1.099 ms in groups of 128, 192 and 256,
/// a triad 1.465, 1.474 and 1.480 ms: with 128, starting the groups limits the copy.
pub(crate) const RULES: GroupSizeRules =
    GroupSizeRules { sub_group: WARP, candidates: [192, 256, 512, 1024], tile: 256 };

/// Number of groups of a size that fit on a multiprocessor; 0 if the driver does not say.
pub(crate) fn active(context: &Context, function: Handle<CUfunc_st>, size: u32, local_memory: u32) -> u32 {
    let mut groups = 0;
    // SAFETY: the function is loaded, and `groups` is writable.
    let asked = unsafe { context.api.active_groups(&raw mut groups, function.0, size as i32, local_memory as usize) };
    asked.map_or(0, |()| u32::try_from(groups).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver_common::{
        Limits,
        group_size::{Preferred, choose},
    };

    /// Limits of an H200.
    const LIMITS: Limits = Limits {
        group: 1024,
        group_sizes: [1024, 1024, 64],
        grid: [i32::MAX as u64, 65_535, 65_535],
        local_memory: 48 << 10,
        most_local_memory: 227 << 10,
        processors: 132,
        registers: 32,
        managed: true,
        prefetch: true,
    };

    #[test]
    fn rows_are_usual_and_planes_are_tiles() {
        let choose = |global| choose(global, Preferred::usual(&RULES, 1024), 1024, &LIMITS);
        assert_eq!(choose([1 << 28, 1, 1]), [192, 1, 1]);
        assert_eq!(choose([4096, 4096, 1]), [32, 8, 1]);
        assert_eq!(choose([4096, 3, 1]), [32, 3, 1]);
        assert_eq!(choose([4096, 1, 512]), [32, 1, 8]);
        assert_eq!(choose([8, 1 << 19, 1]), [8, 32, 1]);
        assert_eq!(choose([256, 256, 256]), [32, 4, 2]);
        assert_eq!(choose([1 << 10, 1 << 20, 1]), [32, 32, 1]);
    }

    #[test]
    fn small_ranges_reach_all_processors() {
        let choose = |global| choose(global, Preferred::usual(&RULES, 1024), 1024, &LIMITS);
        assert_eq!(choose([1, 1, 1]), [1, 1, 1]);
        assert_eq!(choose([4096, 1, 1]), [32, 1, 1]);
        assert_eq!(choose([10_000, 1, 1]), [96, 1, 1]);
        assert_eq!(choose([1 << 20, 1, 1]), [192, 1, 1]);
        assert_eq!(choose([0, 7, 1]), [1, 1, 1]);
    }

    #[test]
    fn depth_keeps_to_the_limits() {
        for global in [[1, 1, u64::MAX], [3, 1, 1 << 20], [1, 65_536, 1 << 24], [u64::MAX; 3]] {
            for most in [1024, 192, 96, 1] {
                let [x, y, z] = choose(global, Preferred::usual(&RULES, most), most, &LIMITS);
                assert!(z <= 64 && (1..=most).contains(&(x * y * z)), "{global:?}: {x} {y} {z} of {most}");
            }
        }
    }
}
