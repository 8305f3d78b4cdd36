//! Reproducible random choices, and damage to bytes.
//!
//! In: a seed. Out: numbers by SplitMix64 (Steele, Lea and Flood, 2014), and changes to bytes.
//! *Invariant:* damaged bytes differ from the original ones.

use std::ops::Range;

/// Largest number of bytes that are changed at once.
const MOST: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// Choices of one campaign, independent of those of others.
    pub(super) fn new(seed: u64, campaign: &str) -> Random {
        let mixed = campaign.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Random(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Changes 1 to 64 bytes in `place`, adjacent or scattered.
pub(super) fn flip(bytes: &mut [u8], place: Range<usize>, random: &mut Random) {
    let before = bytes[place.clone()].to_vec();
    let (count, scattered) = (1 + random.below(MOST), random.below(2) == 0);
    let start = random.below(place.len());
    for i in 0..count {
        let at = if scattered { random.below(place.len()) } else { (start + i) % place.len() };
        bytes[place.start + at] ^= 1 + random.below(255) as u8;
    }
    // Two changes of the same byte may cancel out.
    if bytes[place.clone()] == before[..] {
        bytes[place.start + start] ^= 1;
    }
}

/// Flips bytes, or truncates.
pub(super) fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    if random.below(4) == 0 {
        bytes.truncate(random.below(bytes.len()));
    } else {
        let all = 0..bytes.len();
        flip(bytes, all, random);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_choices_for_each_campaign() {
        let choices = |seed, name| {
            let mut random = Random::new(seed, name);
            [(); 8].map(|()| random.below(1000))
        };
        assert_eq!(choices(1, "kills"), choices(1, "kills"));
        assert_ne!(choices(1, "kills"), choices(2, "kills"));
        assert_ne!(choices(1, "kills"), choices(1, "storm"));
    }

    #[test]
    fn flips_change_up_to_64_bytes_of_their_place() {
        let mut random = Random::new(3, "flips");
        for size in [1, 2, 200] {
            for _ in 0..500 {
                let mut bytes = vec![7; 300];
                flip(&mut bytes, 50..50 + size, &mut random);
                let changed: Vec<_> = (0..300).filter(|&at| bytes[at] != 7).collect();
                assert!((1..=64).contains(&changed.len()), "{changed:?}");
                assert!(changed.iter().all(|at| (50..50 + size).contains(at)), "{changed:?}");
            }
        }
    }

    #[test]
    fn damage_shortens_or_changes() {
        let mut random = Random::new(4, "damage");
        let damaged = [(); 400].map(|()| {
            let mut bytes = vec![1; 100];
            damage(&mut bytes, &mut random);
            assert_ne!(bytes, [1; 100]);
            bytes.len()
        });
        let cut = damaged.iter().filter(|size| **size < 100).count();
        assert!((50..150).contains(&cut), "{cut}");
    }
}
