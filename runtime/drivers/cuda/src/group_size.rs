//! Chooses a work-group size for launches that leave it open.
//!
//! In: a global size, and how large groups of a kernel should be. Out: a group size. *Invariant:* the choice keeps to the limits of
//! kernel and device, and leaves no grid that is too long where a larger group avoids it.
//!
//! Groups are small, since a multiprocessor that ends a small group finds new work sooner, but not so small that starting them is what
//! takes the time. Larger ones are chosen where they keep more work-items on
//! a multiprocessor, and for planes and volumes, where neighbours share what they read: a stencil of 7 points reads 3.5 rows for
//! each that it writes in groups of 32 by 4, and 2.5 in groups of 32 by 4 by 2.

use crate::{
    api::Handle,
    context::Context,
    features::{Limits, WARP},
};
use cudarc::driver::sys::CUfunc_st;

/// Work-items in a group, where nothing is known about a kernel. On an H200 a copy of 2^28 doubles took 1.279, 1.093 and 1.099 ms in
/// groups of 128, 192 and 256, a triad 1.465, 1.474 and 1.480 ms: with 128 starting the groups holds a copy up.
const USUAL: u32 = 192;
/// Work-items in a group over a plane or a volume, unless more are better.
const TILE: u32 = 256;
/// Sizes that are tried, the first of which wins where it is as good as any other.
const CANDIDATES: [u32; 4] = [USUAL, 256, 512, 1024];

/// How large groups of a kernel should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Preferred {
    /// Over a line.
    line: u32,
    /// Over a plane or a volume.
    tile: u32,
}

impl Preferred {
    /// Where nothing is known about a kernel.
    pub(crate) const USUAL: Preferred = Preferred { line: USUAL, tile: TILE };

    fn new(active: [u32; 4], most: u32) -> Self {
        let line = pick(active).min(most);
        // A kernel with many registers may have fewer work-items under way in large groups.
        let is_good =
            |size: u32| CANDIDATES.iter().zip(active).any(|(c, items)| *c == size && is_near_best(items, active));
        Preferred { line, tile: if line < TILE && is_good(TILE) { TILE.min(most) } else { line } }
    }
}

/// The sizes of groups that keep the most work-items on a multiprocessor, and the smallest of those within one part in sixteen.
pub(crate) fn preferred(context: &Context, function: Handle<CUfunc_st>, most: u32, local_memory: u32) -> Preferred {
    let active = |size: u32| {
        let mut groups = 0;
        // SAFETY: the function is loaded, and `groups` may be written.
        let asked =
            unsafe { context.api.active_groups(&raw mut groups, function.0, size as i32, local_memory as usize) };
        asked.map_or(0, |()| u32::try_from(groups).unwrap_or(0) * size)
    };
    Preferred::new(CANDIDATES.map(|size| if size <= most { active(size) } else { 0 }), most)
}

fn is_near_best(items: u32, active: [u32; 4]) -> bool {
    let best = active.into_iter().max().unwrap_or(0);
    items > 0 && u64::from(items) * 16 >= u64::from(best) * 15
}

/// The smallest candidate that is about as good as the best.
fn pick(active: [u32; 4]) -> u32 {
    active.iter().position(|items| is_near_best(*items, active)).map_or(USUAL, |place| CANDIDATES[place])
}

/// A work-group size for a launch over `global`, of about as many work-items as preferred and at most `most`.
pub(crate) fn choose(global: [u64; 3], preferred: Preferred, most: u32, limits: &Limits) -> [u32; 3] {
    let items = global.into_iter().fold(1, u64::saturating_mul);
    let lengths = global.map(|length| length.max(1));
    let is_flat = lengths[1] == 1 && lengths[2] == 1;
    let preferred = if is_flat { preferred.line } else { preferred.tile };
    // A range that is too small to give each multiprocessor a group of that size is spread over all of them.
    let each = items.div_ceil(limits.processors.into()).min(preferred.into()) as u32;
    let wanted = u64::from(each.next_multiple_of(WARP).min(preferred).max(1));
    // One row of a warp, as high and deep as the rest allows: neighbours in y and z share lines of the cache. What y and z do not
    // use is x's.
    let row = if is_flat { wanted } else { u64::from(WARP).min(wanted) };
    let mut size = [part(lengths[0], row), 1, 1];
    let rows = wanted / size[0];
    size[2] = part(lengths[2], depth(rows)).min(limits.group_sizes[2].into());
    size[1] = part(lengths[1], rows / size[2]);
    size[2] = part(lengths[2], rows / size[1]).min(limits.group_sizes[2].into());
    size[0] = part(lengths[0], wanted / (size[1] * size[2])).max(size[0]);
    shorten_grid(size, lengths, most.into(), limits).map(|length| length as u32)
}

/// A power of two that is at most `wanted`, and no more than `length` needs; `wanted` itself where there is enough.
fn part(length: u64, wanted: u64) -> u64 {
    match wanted {
        0 => 1,
        _ if length >= wanted => wanted,
        _ => length.checked_next_power_of_two().unwrap_or(wanted).min(wanted),
    }
}

/// How deep a tile of so many rows is, which is at most as deep as it is high: a power of two.
fn depth(rows: u64) -> u64 {
    1 << (rows.max(1).ilog2() / 2)
}

/// Takes from x what keeps y and z from having too many groups.
fn shorten_grid(mut size: [u64; 3], lengths: [u64; 3], most: u64, limits: &Limits) -> [u64; 3] {
    for dimension in [1, 2] {
        let fewest = lengths[dimension].div_ceil(limits.grid[dimension].max(1));
        let wanted = fewest.checked_next_power_of_two().unwrap_or(fewest);
        let other = size[3 - dimension];
        let fits = wanted <= limits.group_sizes[dimension].into() && wanted * other <= most;
        if wanted > size[dimension] && fits {
            size[dimension] = wanted;
            size[0] = size[0].min(most / (wanted * other)).max(1);
        }
    }
    size
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Those of an H200.
    pub(crate) const LIMITS: Limits = Limits {
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
        let choose = |global| choose(global, Preferred::USUAL, 1024, &LIMITS);
        assert_eq!(choose([1 << 28, 1, 1]), [192, 1, 1]);
        assert_eq!(choose([4096, 4096, 1]), [32, 8, 1]);
        assert_eq!(choose([4096, 3, 1]), [32, 3, 1]);
        assert_eq!(choose([4096, 1, 512]), [32, 1, 8]);
        assert_eq!(choose([8, 1 << 19, 1]), [8, 32, 1]);
        assert_eq!(choose([256, 256, 256]), [32, 4, 2]);
    }

    #[test]
    fn small_ranges_reach_all_processors() {
        let choose = |global| choose(global, Preferred { line: 256, tile: 256 }, 1024, &LIMITS);
        assert_eq!(choose([1, 1, 1]), [1, 1, 1]);
        assert_eq!(choose([4096, 1, 1]), [32, 1, 1]);
        assert_eq!(choose([10_000, 1, 1]), [96, 1, 1]);
        assert_eq!(choose([1 << 20, 1, 1]), [256, 1, 1]);
        assert_eq!(choose([0, 7, 1]), [1, 1, 1]);
    }

    #[test]
    fn the_smallest_of_the_best_is_preferred() {
        assert_eq!(pick([2048, 2048, 2048, 2048]), 192);
        assert_eq!(pick([1024, 2048, 2048, 2048]), 256);
        assert_eq!(pick([256, 256, 0, 0]), 192);
        assert_eq!(pick([128, 256, 512, 1024]), 1024);
        assert_eq!(pick([0; 4]), 192);
    }

    #[test]
    fn tiles_are_larger_where_that_costs_no_work_items() {
        assert_eq!(Preferred::new([2048, 2048, 2048, 2048], 1024), Preferred { line: 192, tile: 256 });
        assert_eq!(Preferred::new([384, 256, 0, 0], 256), Preferred { line: 192, tile: 192 });
        assert_eq!(Preferred::new([512, 1024, 1536, 0], 512), Preferred { line: 512, tile: 512 });
    }

    #[test]
    fn choices_keep_to_the_limits() {
        for x in [0, 1, 63, 4100, 1 << 33, u64::MAX] {
            for y in [1, 3, 65_536, 1 << 24, u64::MAX] {
                for z in [1, 40, 1 << 20] {
                    for (size, most) in [(128, 1024), (1024, 1024), (64, 64), (96, 96)] {
                        let preferred = Preferred { line: size, tile: TILE.max(size).min(most) };
                        let [gx, gy, gz] = choose([x, y, z], preferred, most, &LIMITS);
                        let items = u64::from(gx) * u64::from(gy) * u64::from(gz);
                        assert!(items >= 1 && items <= most.into() && gz <= 64, "{x} {y} {z}: {gx} {gy} {gz}");
                    }
                }
            }
        }
        assert_eq!(choose([1 << 10, 1 << 20, 1], Preferred::USUAL, 1024, &LIMITS), [32, 32, 1]);
    }
}
