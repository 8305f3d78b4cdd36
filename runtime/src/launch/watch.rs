//! Observes the arguments of a kernel's launches.
//!
//! In: the candidates that the translator names, and argument blocks of launches that ran code for
//! all values. Out: values that are worth a variant, once launches have repeated them. *Invariant:*
//! nothing here changes what a launch runs. Counters may lose an update, which makes a variant come
//! later. All launches are observed at first, later one of some, and each further variant takes
//! twice as many launches.
#![forbid(unsafe_code)]

use super::{guard::Guard, leaf::Leaf};
use crate::registry::descriptor::Descriptor;
use sinter_core::{Candidate, ParameterKind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Launches that are all observed.
const ALL: u64 = 256;
/// Later one launch of so many is observed.
const STEP: u64 = 16;
/// Launches with the same value of an argument after which the value counts as repeated.
const REPEATED: u64 = 8;
/// Limit of that number, so that the values of one phase of a program give way in the next.
const MOST: u64 = 32;
/// Launches with the same repeated values that make the first variant.
const ENOUGH: u64 = 16;
/// Variants after which the number no longer doubles.
const DOUBLINGS: u32 = 10;
/// Values of an argument that are counted at a time.
const VALUES: usize = 4;
/// Combinations of values that are counted at a time.
const TUPLES: usize = 16;

/// Spreads bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Counts the most frequent of many things: where all places are taken, each loses one of its
/// count (J. Misra, D. Gries: Finding repeated elements, 1982).
#[derive(Debug)]
struct Counters<const PLACES: usize>([AtomicU64; PLACES]);

impl<const PLACES: usize> Counters<PLACES> {
    /// The low bits of a place count, the others say what. A place without a count is free.
    const COUNT: u64 = 0xffff;

    fn new() -> Self {
        Counters([const { AtomicU64::new(0) }; PLACES])
    }

    /// Counts a digest up to a limit. Returns its count so far, 0 if it has no place.
    fn count(&self, digest: u64, limit: u64) -> u64 {
        let tag = digest & !Self::COUNT;
        let mut free = None;
        for place in &self.0 {
            let found = place.load(Ordering::Relaxed);
            match found & Self::COUNT {
                0 => free = free.or(Some(place)),
                count if found & !Self::COUNT == tag => {
                    let count = (count + 1).min(limit);
                    place.store(tag | count, Ordering::Relaxed);
                    return count;
                }
                _ => (),
            }
        }
        match free {
            Some(place) => {
                place.store(tag | 1, Ordering::Relaxed);
                1
            }
            None => {
                self.0.iter().for_each(Self::take_one);
                0
            }
        }
    }

    /// Takes one off a count, unless another thread has freed the place meanwhile.
    fn take_one(place: &AtomicU64) {
        let found = place.load(Ordering::Relaxed);
        if found & Self::COUNT != 0 {
            place.store(found - 1, Ordering::Relaxed);
        }
    }

    fn forget(&self) {
        self.0.iter().for_each(|place| place.store(0, Ordering::Relaxed));
    }
}

/// An argument and the values that it had.
#[derive(Debug)]
struct Watched {
    leaf: Leaf,
    weight: u32,
    values: Counters<VALUES>,
}

impl Watched {
    /// The candidate, if a launch can pass its value as a literal.
    fn of(kernel: &Descriptor<'_>, candidate: &Candidate) -> Option<Self> {
        let record = kernel.parameters.get(candidate.parameter as usize)?;
        let leaf = Leaf::of(candidate.parameter, record).filter(|leaf| leaf.kind == ParameterKind::Integer)?;
        Some(Watched { leaf, weight: candidate.weight, values: Counters::new() })
    }

    /// Counts a value. True if it repeats, and a variant for it may be worth it.
    fn repeats(&self, bits: u64) -> bool {
        let is_worth_it = self.weight > Candidate::LEAST || bits <= 1;
        is_worth_it && self.values.count(mix(0, bits), MOST) >= REPEATED
    }
}

/// A digest of a digest and a value.
fn mix(digest: u64, bits: u64) -> u64 {
    (digest.rotate_left(29) ^ bits ^ FACTOR).wrapping_mul(FACTOR)
}

/// The values that the arguments of a kernel's launches had.
#[derive(Debug)]
pub(super) struct Watch {
    watched: Box<[Watched]>,
    /// Values that earlier processes had code for, which was faster.
    expected: Box<[Guard]>,
    tuples: Counters<TUPLES>,
    /// Variants that were made.
    made: AtomicU32,
    /// A variant is being made, or none is to be made any more.
    is_closed: AtomicBool,
}

impl Watch {
    /// Observes the candidates of a kernel; `None` if there are none. `expected` gives the values
    /// for which a variant is made at their first launch.
    pub(super) fn of(
        kernel: &Descriptor<'_>,
        candidates: &[Candidate],
        expected: impl FnOnce() -> Vec<Guard>,
    ) -> Option<Self> {
        let watched: Box<[_]> =
            candidates.iter().take(Candidate::MOST).filter_map(|candidate| Watched::of(kernel, candidate)).collect();
        (!watched.is_empty()).then(|| Watch {
            watched,
            expected: expected().into(),
            tuples: Counters::new(),
            made: AtomicU32::new(0),
            is_closed: AtomicBool::new(false),
        })
    }

    /// Notes a launch after `earlier` others. Returns the values that a variant is to be made for;
    /// then nothing is observed until [`Watch::opens`].
    #[inline]
    pub(super) fn note(&self, earlier: u64, block: &[u8]) -> Option<Guard> {
        let is_observed = earlier < ALL || earlier.is_multiple_of(STEP);
        if !is_observed || self.is_closed.load(Ordering::Relaxed) { None } else { self.observe(block) }
    }

    #[inline(never)]
    fn observe(&self, block: &[u8]) -> Option<Guard> {
        if let Some(expected) = self.expected.iter().find(|guard| guard.holds(block)) {
            let is_first = !self.is_closed.swap(true, Ordering::Relaxed);
            return is_first.then(|| expected.clone());
        }
        let (mut digest, mut repeated) = (0, 0u32);
        for (index, watched) in (0u32..).zip(&self.watched) {
            let bits = watched.leaf.bits(block);
            if watched.repeats(bits) {
                digest = mix(digest ^ u64::from(index), bits);
                repeated |= 1 << index;
            }
        }
        if repeated == 0 || !self.is_enough(digest) || self.is_closed.swap(true, Ordering::Relaxed) {
            return None;
        }
        let of_repeated = (0u32..).zip(&self.watched).filter(|(index, _)| repeated >> index & 1 != 0);
        Some(Guard::of(of_repeated.map(|(_, watched)| watched.leaf), block))
    }

    /// Counts a launch with a combination of values. True if there were enough of them.
    fn is_enough(&self, digest: u64) -> bool {
        let enough = ENOUGH << self.made.load(Ordering::Relaxed).min(DOUBLINGS);
        self.tuples.count(digest, enough) >= enough
    }

    /// Observes again, because no variant is to be made for these values.
    pub(super) fn goes_on(&self) {
        self.is_closed.store(false, Ordering::Relaxed);
    }

    /// Observes again, after a variant was made. Those that were expected make later ones no rarer.
    pub(super) fn opens(&self, guard: &Guard) {
        if !self.expected.contains(guard) {
            self.made.fetch_add(1, Ordering::Relaxed);
        }
        self.tuples.forget();
        self.is_closed.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi;

    /// Observes two arguments of four bytes; the first has this weight.
    fn watch(weight: u32) -> Watch {
        expecting(weight, Vec::new)
    }

    fn expecting(weight: u32, expected: impl FnOnce() -> Vec<Guard>) -> Watch {
        let record = |index: u32| abi::Parameter { byte_offset: index * 4, byte_size: 4, original_index: 0, kind: 1 };
        let kernel = Descriptor {
            symbol: "k",
            parameters: &[record(0), record(1)],
            container: std::ptr::null(),
            image: None,
            block_size: 8,
            ir_hash: None,
            requirements: abi::KernelRequirements::default(),
            aspects: 0,
        };
        let candidates = [Candidate { parameter: 0, weight }, Candidate { parameter: 1, weight: 16 }];
        Watch::of(&kernel, &candidates, expected).expect("candidates")
    }

    fn block(first: u32, second: u32) -> [u8; 8] {
        let mut block = [0; 8];
        block[..4].copy_from_slice(&first.to_le_bytes());
        block[4..].copy_from_slice(&second.to_le_bytes());
        block
    }

    /// The first guard that launches ask for, and their number.
    fn first(watch: &Watch, launches: u64, values: impl Fn(u64) -> (u32, u32)) -> Option<(u64, String)> {
        (0..launches).find_map(|launch| {
            let (first, second) = values(launch);
            Some((launch, watch.note(launch, &block(first, second))?.to_string()))
        })
    }

    #[test]
    fn values_that_repeat_are_asked_for_once() {
        let watch = watch(16);
        let both = "argument 0 is 7, argument 1 is 9".to_owned();
        assert_eq!(first(&watch, 100, |_| (7, 9)), Some((REPEATED + ENOUGH - 2, both.clone())));
        assert_eq!(first(&watch, 1000, |_| (7, 9)), None, "until it is made");
        let made = Guard::of(watch.watched.iter().map(|watched| watched.leaf), &block(7, 9));
        watch.opens(&made);
        assert_eq!(first(&watch, 100, |_| (7, 9)), Some((2 * ENOUGH - 1, both)), "twice as many launches");
    }

    #[test]
    fn arguments_that_change_are_left_out() {
        let guard = |watch: &Watch, values: fn(u64) -> (u32, u32)| first(watch, 200, values).map(|(_, guard)| guard);
        assert_eq!(guard(&watch(16), |launch| (launch as u32, 9)).as_deref(), Some("argument 1 is 9"));
        assert_eq!(guard(&watch(16), |launch| (launch as u32, launch as u32 / 2)), None);
        let alternating = guard(&watch(16), |launch| (launch as u32 % 2, 9));
        assert_eq!(alternating.as_deref(), Some("argument 0 is 0, argument 1 is 9"));
    }

    #[test]
    fn of_strides_only_0_and_1_are_worth_a_variant() {
        let guard = |value| first(&watch(Candidate::LEAST), 200, |_| (value, 9)).map(|(_, guard)| guard);
        assert_eq!(guard(1).as_deref(), Some("argument 0 is 1, argument 1 is 9"));
        assert_eq!(guard(2).as_deref(), Some("argument 1 is 9"));
    }

    #[test]
    fn values_of_a_new_phase_take_the_places_of_old_ones() {
        let watch = watch(16);
        let values = |launch: u64| if launch < 200 { (launch as u32 % 7, launch as u32 % 5) } else { (3, 3) };
        let (launch, guard) = first(&watch, ALL, values).expect("a guard");
        assert!((200..ALL).contains(&launch), "{launch}");
        assert_eq!(guard, "argument 0 is 3, argument 1 is 3");
    }

    #[test]
    fn later_one_launch_of_some_is_observed() {
        let watch = watch(16);
        let asked = (ALL..).take(100 * STEP as usize).find(|launch| watch.note(*launch, &block(1, 2)).is_some());
        assert_eq!(asked, Some(ALL + (REPEATED + ENOUGH - 2) * STEP));
    }

    #[test]
    fn values_that_are_expected_are_asked_for_at_the_first_launch() {
        let leaves = watch(16).watched.iter().map(|watched| watched.leaf).collect::<Vec<_>>();
        let expected = Guard::of(leaves.into_iter(), &block(7, 9));
        let watch = expecting(16, || vec![expected.clone()]);
        assert_eq!(watch.note(0, &block(7, 8)), None);
        assert_eq!(watch.note(1, &block(7, 9)), Some(expected.clone()));
        assert_eq!(watch.note(2, &block(7, 9)), None, "until it is made");
        watch.opens(&expected);
        assert_eq!(first(&watch, 100, |_| (7, 8)).map(|(launch, _)| launch), Some(REPEATED + ENOUGH - 3));
    }
}
