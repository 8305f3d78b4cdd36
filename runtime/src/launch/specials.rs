//! The variants of a kernel for values that its launches repeat.
//!
//! In: code with guards; later argument blocks. Out: the code for a launch's values, if there is
//! some. *Invariant:* there are at most as many as the settings say: the one that was used least
//! since the last change makes room. Code for all values stays.
#![forbid(unsafe_code)]

use super::{
    guard::Guard,
    trial::{Trial, Turn},
    watch::Watch,
};
use std::{fmt, sync::Arc};

/// A change of the variants.
pub(super) enum Wish {
    /// A variant for values that launches repeat.
    Make(Guard),
    /// The variant for values, because it gains; later processes have it made at once.
    Keep(Guard),
    /// No variant for values, because it does not gain.
    Drop(Guard),
}

/// Has the variants changed.
pub(super) type Ask = dyn Fn(Wish) + Send + Sync;

/// Code for the values of a guard.
#[derive(Debug)]
pub(super) struct Special<C> {
    pub(super) guard: Guard,
    pub(super) code: C,
    /// The comparison with code for all values, if the driver times kernels.
    pub(super) trial: Option<Trial<C>>,
}

/// The variants of a kernel, the most used first.
pub(super) struct Specials<C> {
    watch: Arc<Watch>,
    ask: Arc<Ask>,
    /// With the number of their launches at the last change.
    list: Vec<(Arc<Special<C>>, u64)>,
    /// Values whose variants did not gain.
    lost: Vec<Guard>,
}

impl<C> Clone for Specials<C> {
    fn clone(&self) -> Self {
        let Specials { watch, ask, list, lost } = self;
        Specials { watch: Arc::clone(watch), ask: Arc::clone(ask), list: list.clone(), lost: lost.clone() }
    }
}

impl<C> fmt::Debug for Specials<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.list.iter().map(|(special, _)| &special.guard)).finish()
    }
}

impl<C> Specials<C> {
    /// `lost` are values whose variants did not gain in earlier processes.
    pub(super) fn new(watch: Arc<Watch>, ask: Arc<Ask>, lost: Vec<Guard>) -> Self {
        Specials { watch, ask, list: Vec::new(), lost }
    }

    /// The code for a launch with the values in a block of the kernel's size, unless it is the code
    /// for all values.
    #[inline]
    pub(super) fn find(&self, block: &[u8]) -> Option<&C> {
        let (special, _) = self.list.iter().find(|(special, _)| special.guard.holds(block))?;
        match special.trial.as_ref().map(Trial::next) {
            None => Some(&special.code),
            Some(Turn::Runs(code)) => Some(code),
            Some(Turn::Over { is_kept, ends }) => {
                if ends {
                    let guard = special.guard.clone();
                    (self.ask)(if is_kept { Wish::Keep(guard) } else { Wish::Drop(guard) });
                }
                is_kept.then_some(&special.code)
            }
        }
    }

    /// Notes a launch of the code for all values, after `earlier` others.
    #[inline]
    pub(super) fn note(&self, earlier: u64, block: &[u8]) {
        match self.watch.note(earlier, block) {
            Some(guard) if self.lost.contains(&guard) => self.watch.goes_on(),
            Some(guard) => (self.ask)(Wish::Make(guard)),
            None => (),
        }
    }

    /// True if there is a variant for these values, or was one that did not gain.
    pub(super) fn knows(&self, guard: &Guard) -> bool {
        self.lost.contains(guard) || self.list.iter().any(|(special, _)| special.guard == *guard)
    }

    /// The same with a further variant, and `most` in all. `launches` of a variant so far.
    pub(super) fn with(&self, special: &Arc<Special<C>>, most: usize, launches: impl Fn(&C) -> u64) -> Self {
        let counted = |(special, before): &(Arc<Special<C>>, u64)| {
            let now = launches(&special.code);
            (Arc::clone(special), now, now.saturating_sub(*before))
        };
        let mut counted: Vec<_> = self.list.iter().map(counted).collect();
        counted.sort_by_key(|(_, _, recent)| std::cmp::Reverse(*recent));
        counted.truncate(most.saturating_sub(1));
        let mut list: Vec<_> = counted.into_iter().map(|(special, now, _)| (special, now)).collect();
        list.push((Arc::clone(special), 0));
        Specials { list, ..self.clone() }
    }

    /// The same without the variant for some values, which is not made again.
    pub(super) fn without(&self, guard: &Guard) -> Self {
        let mut changed = self.clone();
        changed.list.retain(|(special, _)| special.guard != *guard);
        if !changed.lost.contains(guard) {
            changed.lost.push(guard.clone());
        }
        changed
    }

    /// The same with each variant compared anew.
    pub(super) fn tried_again(&self, trial: impl Fn(&C) -> Option<Trial<C>>) -> Self
    where
        C: Clone,
    {
        let again = |(special, launches): &(Arc<Special<C>>, u64)| {
            let Special { guard, code, .. } = &**special;
            (Arc::new(Special { guard: guard.clone(), code: code.clone(), trial: trial(code) }), *launches)
        };
        Specials { list: self.list.iter().map(again).collect(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{abi, launch::leaf::Leaf, registry::descriptor::Descriptor};
    use sinter_core::Candidate;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn launches(code: &AtomicU64) -> u64 {
        code.load(Ordering::Relaxed)
    }

    const RECORD: abi::Parameter = abi::Parameter { byte_offset: 0, byte_size: 1, original_index: 0, kind: 1 };

    fn specials(asked: &Arc<AtomicU64>) -> Specials<AtomicU64> {
        let kernel = Descriptor {
            symbol: "k",
            parameters: &[RECORD],
            container: std::ptr::null(),
            image: None,
            block_size: 1,
            ir_hash: None,
            requirements: abi::KernelRequirements::default(),
            aspects: 0,
        };
        let watch = Watch::of(&kernel, &[Candidate { parameter: 0, weight: 16 }], Vec::new).expect("a candidate");
        let asked = Arc::clone(asked);
        let ask = move |wish| {
            assert!(matches!(wish, Wish::Make(guard) if guard.holds(&[5])));
            asked.fetch_add(1, Ordering::Relaxed);
        };
        Specials::new(Arc::new(watch), Arc::new(ask), Vec::new())
    }

    fn special(value: u8) -> Arc<Special<AtomicU64>> {
        let leaf = Leaf::of(0, &RECORD).expect("an integer");
        let guard = Guard::of(std::iter::once(leaf), &[value]);
        Arc::new(Special { guard, code: AtomicU64::new(0), trial: None })
    }

    #[test]
    fn values_that_repeat_are_asked_for() {
        let asked = Arc::default();
        let specials = specials(&asked);
        (0..100).for_each(|launch| specials.note(launch, &[5]));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn the_variant_that_was_used_least_makes_room() {
        let mut specials = specials(&Arc::default());
        for value in 0..3 {
            specials = specials.with(&special(value), 3, launches);
        }
        let run = |specials: &Specials<AtomicU64>, value, times| {
            specials.find(&[value]).expect("a variant").fetch_add(times, Ordering::Relaxed);
        };
        [(0, 100), (1, 5), (2, 20)].into_iter().for_each(|(value, times)| run(&specials, value, times));
        specials = specials.with(&special(3), 3, launches);
        assert!(specials.find(&[1]).is_none() && specials.find(&[0]).is_some() && specials.find(&[2]).is_some());
        [(0, 1), (2, 20), (3, 20)].into_iter().for_each(|(value, times)| run(&specials, value, times));
        specials = specials.with(&special(4), 3, launches);
        assert!(specials.find(&[0]).is_none(), "only the launches since the last change count");
        assert!(specials.knows(&special(4).guard) && specials.find(&[2]).is_some() && specials.find(&[3]).is_some());
    }

    #[test]
    fn values_that_did_not_gain_are_not_asked_for_again() {
        let asked = Arc::default();
        let specials = specials(&asked);
        let specials = specials.with(&special(5), 3, launches).without(&special(5).guard);
        assert!(specials.find(&[5]).is_none() && specials.knows(&special(5).guard));
        (0..1000).for_each(|launch| specials.note(launch, &[5]));
        assert_eq!(asked.load(Ordering::Relaxed), 0);
    }
}
