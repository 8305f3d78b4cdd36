//! Chooses a work-group size for launches that leave it open.
//!
//! In: a global size and the number of threads. Out: a group size. *Invariant:* the choice need not
//! divide the global size, because host code runs partial groups at the edges. One call of the
//! kernel's inner loop covers a group. Groups are therefore long in x, for vectorisation, and few,
//! but enough that every thread has several.

/// Groups for each thread, so that uneven work can be balanced.
const GROUPS_PER_THREAD: u64 = 8;
/// Largest number of work-items in a group: larger ones make no loop faster.
const MOST_ITEMS: u64 = 1 << 16;
/// Work-items in a group if that leaves at least two groups for each thread: with fewer, loops are
/// short.
const LOOP_ITEMS: u64 = 128;
/// Work-items in a group if there are few, each of which may take long. Ranges up to this size are
/// one group.
const FEWEST_ITEMS: u64 = 8;
/// If a row is divided, a group's length in x is a multiple of this: whole vectors of bytes, whole
/// cache lines.
const ROW_STEP: u64 = 64;
/// As [`ROW_STEP`], for groups shorter than that.
const SHORT_ROW_STEP: u64 = 8;

/// A work-group size for a launch over `global` on `threads` threads.
pub(crate) fn choose(global: [u64; 3], threads: usize) -> [u32; 3] {
    let items = global.into_iter().fold(1, u64::saturating_mul);
    if items <= FEWEST_ITEMS {
        // Each is at most FEWEST_ITEMS, unless another is 0 and there is nothing to run.
        return global.map(|length| length.clamp(1, FEWEST_ITEMS) as u32);
    }
    let fewest = (items / (2 * threads as u64)).clamp(FEWEST_ITEMS, LOOP_ITEMS);
    let wanted = items.div_ceil(GROUPS_PER_THREAD * threads as u64).clamp(fewest, MOST_ITEMS);
    let x = part(global[0], wanted, if wanted < ROW_STEP { SHORT_ROW_STEP } else { ROW_STEP });
    let y = part(global[1], wanted / x, 1);
    let z = part(global[2], wanted / (x * y), 1);
    // Each is at most MOST_ITEMS rounded up to ROW_STEP.
    [x as u32, y as u32, z as u32]
}

/// Divides `length` into equal parts of about `wanted`, each a multiple of `step` unless there is
/// only one.
fn part(length: u64, wanted: u64, step: u64) -> u64 {
    let parts = length.div_ceil(wanted.max(1)).max(1);
    match parts {
        1 => length.max(1),
        _ => length.div_ceil(parts).next_multiple_of(step),
    }
}

/// Work-items below which the shape of groups does not matter: what they read stays in a cache.
const WORTHWHILE: u64 = 1 << 16;
/// Sizes to try for ranges of two dimensions: tiles, whose neighbours in y share what they read.
const PLANES: [[u32; 3]; 4] = [[64, 64, 1], [128, 32, 1], [256, 16, 1], [512, 8, 1]];
/// Sizes to try for ranges of three dimensions.
const CUBES: [[u32; 3]; 4] = [[64, 8, 8], [64, 32, 2], [256, 4, 4], [512, 8, 1]];

/// Sizes to try for a launch over `global`. None for one dimension, where groups decide how work is
/// divided among threads, which the time of a kernel does not show.
pub(crate) fn others(global: [u64; 3]) -> Vec<[u32; 3]> {
    let sizes = match global {
        [_, 1, 1] => &[][..],
        [_, _, 1] => &PLANES,
        _ => &CUBES,
    };
    let fits = |group: &&[u32; 3]| (0..3).all(|axis| u64::from(group[axis]) <= global[axis]);
    let is_large = global.into_iter().fold(1, u64::saturating_mul) >= WORTHWHILE;
    sizes.iter().filter(|group| is_large && fits(group)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_long_and_groups_enough() {
        assert_eq!(choose([1, 1, 1], 2), [1, 1, 1]);
        assert_eq!(choose([100, 1, 1], 2), [32, 1, 1]);
        assert_eq!(choose([8, 1, 1], 2), [8, 1, 1]);
        assert_eq!(choose([64, 1, 1], 2), [16, 1, 1]);
        assert_eq!(choose([64, 1, 1], 64), [8, 1, 1]);
        assert_eq!(choose([8, 8, 1], 2), [8, 2, 1]);
        assert_eq!(choose([1024, 1, 1], 2), [128, 1, 1]);
        assert_eq!(choose([1 << 25, 1, 1], 2), [1 << 16, 1, 1]);
        assert_eq!(choose([1000, 1000, 1], 2), [1000, 59, 1]);
        assert_eq!(choose([4, 4, 1 << 20], 2), [4, 4, 4096]);
        assert_eq!(choose([0, 7, 1], 2), [1, 7, 1]);
        assert_eq!(choose([u64::MAX, u64::MAX, u64::MAX], 2), [1 << 16, 1, 1]);
    }

    #[test]
    fn tiles_are_tried_where_they_fit() {
        assert_eq!(others([1000, 1000, 1]), PLANES);
        assert_eq!(others([200, 1000, 1]), PLANES[..2]);
        assert_eq!(others([100, 100, 100]), [[64, 8, 8], [64, 32, 2]]);
        assert!(others([1 << 25, 1, 1]).is_empty() && others([100, 100, 1]).is_empty());
    }

    #[test]
    fn groups_are_never_too_large() {
        for x in [1, 63, 65, 4100, 65_537, 1 << 40] {
            for y in [1, 3, 1000, 1 << 20] {
                let [gx, gy, gz] = choose([x, y, 5], 64).map(u64::from);
                assert!(gx * gy * gz <= 2 * MOST_ITEMS && gx >= x.min(FEWEST_ITEMS), "{x} {y}: {gx} {gy} {gz}");
            }
        }
    }
}
