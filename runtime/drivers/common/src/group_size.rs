//! Chooses the work-group size of launches that leave it open.
//!
//! In: a global size and the preferred group sizes of a kernel. Out: a group size. *Invariant:* the
//! choice keeps the limits of kernel and device, and keeps the grid within its limits wherever a
//! larger group can.
//!
//! Groups are the smallest that keep the multiprocessors busy. Two- and three-dimensional ranges
//! get tiles, because neighbours share what they read.

use crate::launch::Limits;

/// Group sizes that suit one vendor's GPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupSizeRules {
    /// Sub-group size in work-items.
    pub sub_group: u32,
    /// Sizes to try, in order of preference: an earlier one wins a tie.
    pub candidates: [u32; 4],
    /// Work-items of a group over a two- or three-dimensional range, unless the kernel does better
    /// with more.
    pub tile: u32,
}

/// Preferred group sizes of a kernel, in work-items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preferred {
    /// For one-dimensional ranges.
    line: u32,
    /// For two- and three-dimensional ranges.
    tile: u32,
    sub_group: u32,
}

impl Preferred {
    /// Sizes for a kernel of which only the largest group, `most` work-items, is known.
    pub fn usual(rules: &GroupSizeRules, most: u32) -> Self {
        let [line, ..] = rules.candidates;
        Preferred { line: line.min(most), tile: rules.tile.min(most), sub_group: rules.sub_group }
    }

    /// Sub-group size in work-items.
    pub(crate) fn sub_group(self) -> u32 {
        self.sub_group
    }

    /// The smallest candidate that keeps about as many work-items resident on a multiprocessor as
    /// the best one. `groups` returns how many groups of a size fit on a multiprocessor.
    pub fn new(rules: &GroupSizeRules, most: u32, groups: impl Fn(u32) -> u32) -> Self {
        let active = rules.candidates.map(|size| if size <= most { groups(size).saturating_mul(size) } else { 0 });
        let best = active.into_iter().max().unwrap_or(0);
        let is_good = |items: u32| items > 0 && u64::from(items) * 16 >= u64::from(best) * 15;
        let usual = Preferred::usual(rules, most);
        let chosen = rules.candidates.iter().zip(active).find(|(_, items)| is_good(*items));
        let line = chosen.map_or(usual.line, |(size, _)| *size).min(most);
        // With large groups, a kernel that uses many registers may have fewer work-items resident.
        let tile_fits = rules.candidates.iter().zip(active).any(|(size, items)| *size == rules.tile && is_good(items));
        Preferred { line, tile: if line < rules.tile && tile_fits { usual.tile } else { line }, ..usual }
    }
}

/// Chooses the group size of a launch over `global`: about as many work-items as preferred, at most
/// `most`.
pub fn choose(global: [u64; 3], preferred: Preferred, most: u32, limits: &Limits) -> [u32; 3] {
    let items = global.into_iter().fold(1, u64::saturating_mul);
    let lengths = global.map(|length| length.max(1));
    let is_flat = lengths[1] == 1 && lengths[2] == 1;
    let Preferred { line, tile, sub_group } = preferred;
    let preferred = if is_flat { line } else { tile };
    // A range too small for one group of that size on each multiprocessor is spread over all of
    // them.
    let each = items.div_ceil(limits.processors.into()).min(preferred.into()) as u32;
    let wanted = u64::from(each.next_multiple_of(sub_group).min(preferred).max(1));
    // x gets one sub-group, and y and z as much as remains, because neighbours in y and z share
    // cache lines. x also gets what y and z do not use.
    let row = if is_flat { wanted } else { u64::from(sub_group).min(wanted) };
    let mut size = [part(lengths[0], row), 1, 1];
    let rows = wanted / size[0];
    size[2] = part(lengths[2], depth(rows)).min(limits.group_sizes[2].into());
    size[1] = part(lengths[1], rows / size[2]);
    size[2] = part(lengths[2], rows / size[1]).min(limits.group_sizes[2].into());
    size[0] = part(lengths[0], wanted / (size[1] * size[2])).max(size[0]);
    shorten_grid(size, lengths, most.into(), limits).map(|length| length as u32)
}

/// Work-items on each multiprocessor below which a range is too small for groups to matter.
const WORTHWHILE: u64 = 1024;
/// Sizes to try for ranges of one dimension.
const LINES: [[u32; 3]; 6] = [[64, 1, 1], [128, 1, 1], [192, 1, 1], [256, 1, 1], [512, 1, 1], [1024, 1, 1]];
/// Sizes to try for ranges of two dimensions.
const PLANES: [[u32; 3]; 7] = [[32, 4, 1], [32, 8, 1], [32, 16, 1], [64, 4, 1], [128, 2, 1], [256, 1, 1], [16, 16, 1]];
/// Sizes to try for ranges of three dimensions.
const CUBES: [[u32; 3]; 6] = [[32, 4, 2], [32, 8, 1], [64, 4, 1], [32, 2, 4], [128, 2, 1], [256, 1, 1]];

/// Sizes to try for a launch over `global` with at most `most` work-items in a group.
pub fn others(global: [u64; 3], most: u32, limits: &Limits) -> Vec<[u32; 3]> {
    let items = global.into_iter().fold(1, u64::saturating_mul);
    if items < WORTHWHILE * u64::from(limits.processors) {
        return Vec::new();
    }
    let sizes = match global {
        [_, 1, 1] => &LINES[..],
        [_, _, 1] => &PLANES,
        _ => &CUBES,
    };
    let fits = |group: &&[u32; 3]| {
        let is_within = |axis: usize| {
            let length = u64::from(group[axis]);
            let is_short = length <= global[axis].next_power_of_two() && length <= limits.group_sizes[axis].into();
            is_short && global[axis].div_ceil(length) <= limits.grid[axis]
        };
        group.iter().product::<u32>() <= most && (0..3).all(is_within)
    };
    sizes.iter().filter(fits).copied().collect()
}

/// A power of two that is at most `wanted` and at most the next one from `length`; `wanted` itself
/// if `length` reaches it.
fn part(length: u64, wanted: u64) -> u64 {
    match wanted {
        0 => 1,
        _ if length >= wanted => wanted,
        _ => length.checked_next_power_of_two().unwrap_or(wanted).min(wanted),
    }
}

/// Depth of a tile with this many rows: a power of two, at most the height.
fn depth(rows: u64) -> u64 {
    1 << (rows.max(1).ilog2() / 2)
}

/// Moves work-items from x to y and z where those would otherwise have too many groups.
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
mod tests {
    use super::*;

    const RULES: GroupSizeRules = GroupSizeRules { sub_group: 64, candidates: [256, 128, 512, 1024], tile: 256 };
    const LIMITS: Limits = Limits {
        group: 1024,
        group_sizes: [1024; 3],
        grid: [i32::MAX as u64, 65_535, 65_535],
        local_memory: 64 << 10,
        most_local_memory: 64 << 10,
        processors: 104,
        registers: 0,
        managed: true,
        prefetch: true,
    };

    #[test]
    fn lines_are_usual_and_planes_are_tiles() {
        let choose = |global| choose(global, Preferred::usual(&RULES, 1024), 1024, &LIMITS);
        assert_eq!(choose([1 << 28, 1, 1]), [256, 1, 1]);
        assert_eq!(choose([4096, 4096, 1]), [64, 4, 1]);
        assert_eq!(choose([256, 256, 256]), [64, 2, 2]);
        assert_eq!([choose([4096, 1, 1]), choose([1, 1, 1])], [[64, 1, 1], [1, 1, 1]]);
    }

    #[test]
    fn the_first_of_the_best_is_preferred() {
        let line = |active: [u32; 4], most| {
            let groups =
                |size| RULES.candidates.iter().zip(active).find(|(c, _)| **c == size).map_or(0, |(c, n)| n / c);
            Preferred::new(&RULES, most, groups)
        };
        assert_eq!(line([2048; 4], 1024), Preferred { line: 256, tile: 256, sub_group: 64 });
        assert_eq!(line([1024, 2048, 1024, 1024], 1024), Preferred { line: 128, tile: 128, sub_group: 64 });
        assert_eq!(line([2048; 4], 64), Preferred { line: 64, tile: 64, sub_group: 64 });
        assert_eq!(line([0; 4], 1024), Preferred { line: 256, tile: 256, sub_group: 64 });
    }

    #[test]
    fn other_sizes_suit_the_range_and_the_kernel() {
        let sizes = |global, most| others(global, most, &LIMITS);
        assert_eq!(sizes([1 << 28, 1, 1], 1024), LINES);
        assert_eq!(sizes([1 << 28, 1, 1], 256), LINES[..4]);
        assert_eq!(sizes([20, 1 << 19, 1], 1024), [[32, 16, 1], [16, 16, 1]], "others need too many groups in y");
        assert_eq!(sizes([256, 256, 256], 1024), CUBES);
        assert!(sizes([1 << 12, 1, 1], 1024).is_empty() && sizes([0, 7, 1], 1024).is_empty());
        assert!(sizes([u64::MAX, u64::MAX, 1], 1024).is_empty());
    }

    #[test]
    fn choices_keep_to_the_limits() {
        for x in [0, 1, 63, 4100, 1 << 33, u64::MAX] {
            for y in [1, 3, 65_536, 1 << 24, u64::MAX] {
                for z in [1, 40, 1 << 20] {
                    for most in [1024, 256, 96, 1] {
                        let [gx, gy, gz] = choose([x, y, z], Preferred::usual(&RULES, most), most, &LIMITS);
                        let items = u64::from(gx) * u64::from(gy) * u64::from(gz);
                        assert!(items >= 1 && items <= most.into(), "{x} {y} {z}: {gx} {gy} {gz} of {most}");
                    }
                }
            }
        }
    }
}
