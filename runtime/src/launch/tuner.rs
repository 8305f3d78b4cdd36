//! Chooses the work-group sizes of launches that leave them open, by measurement.
//!
//! In: such launches of a kernel. Out: a work-group size for each, and the code that runs it while
//! sizes are compared. *Invariant:* without a choice of an earlier process, and unless sizes are to
//! be compared, the size is the usual one. Ranges of similar size share a choice.
#![forbid(unsafe_code)]

use super::{
    contest::{Contest, Turn, Way, Winner},
    trial::Timed,
};
use crate::{
    cache::DiskCache,
    code::wisdom::{Choice, RangeClass, Subject, Wisdom},
    forks::ForkSafe,
    statistics::VariantRecord,
};
use sinter_core::{OptLevel, names::readable};
use sinter_driver::Kernel;
use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

/// Code whose work-group size is chosen.
pub(super) trait Tunable: Sized {
    fn kernel(&self) -> &dyn Kernel;
    fn record(&self) -> &VariantRecord;
    /// The same code, each of whose runs is timed.
    fn timed(&self) -> Option<Timed<Self>>;
}

/// A work-group size that is compared with others.
pub(super) struct Tried<C> {
    group: [u32; 3],
    code: C,
}

/// The work-group size of ranges of similar size.
enum Range<C> {
    /// `None` is the usual one.
    Settled(Option<[u32; 3]>),
    Tries(Contest<Tried<C>>),
}

type Ranges<C> = Vec<(RangeClass, Arc<Range<C>>)>;

/// The course of a launch.
pub(super) enum Plan<'t, C> {
    /// It runs in groups of this size.
    Settled([u32; 3]),
    /// It runs in groups of this size; a later launch may run in others.
    Usual([u32; 3]),
    /// It runs this code in groups of this size.
    Tries(&'t C, [u32; 3]),
}

/// Options for work-group sizes that launches leave open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TuningOptions {
    /// True if sizes are compared on launches.
    pub compares: bool,
    /// The file of choices; `None` means the disk cache, which is read only if sizes are compared.
    pub file: Option<PathBuf>,
}

/// Shared by the tuners of all kernels.
pub(super) struct Tuning {
    pub(super) wisdom: Wisdom,
    compares: bool,
    keep: Box<dyn Fn() + Send + Sync>,
}

impl Tuning {
    /// `keep` is called when a choice was made, to have it kept.
    pub(super) fn new(options: TuningOptions, cache: &Arc<DiskCache>, keep: Box<dyn Fn() + Send + Sync>) -> Self {
        let TuningOptions { compares, file } = options;
        let cache = (compares && cache.is_read()).then_some(cache);
        Tuning { wisdom: Wisdom::new(file, cache), compares, keep }
    }
}

/// Chooses work-group sizes for one kernel.
pub(super) struct Tuner<C> {
    tuning: Arc<Tuning>,
    ranges: ForkSafe<RwLock<Ranges<C>>>,
}

impl<C: Tunable> Tuner<C> {
    /// A tuner for a kernel whose work-group size launches leave open; `None` if there is nothing
    /// to choose by.
    pub(super) fn new(tuning: &Arc<Tuning>) -> Option<Self> {
        let is_needed = tuning.compares || !tuning.wisdom.is_nowhere();
        is_needed.then(|| Tuner { tuning: Arc::clone(tuning), ranges: ForkSafe::default() })
    }

    /// One for other code of the kernel.
    pub(super) fn anew(&self) -> Self {
        Tuner { tuning: Arc::clone(&self.tuning), ranges: ForkSafe::default() }
    }

    /// Calls `launch` with the course of a launch of `code` over `global`. `usual`: the usual
    /// work-group size.
    pub(super) fn plan<R>(
        &self,
        code: &C,
        global: [u64; 3],
        usual: [u32; 3],
        launch: impl FnOnce(Plan<'_, C>) -> R,
    ) -> R {
        let class = RangeClass::of(global);
        let range = self.known(class).unwrap_or_else(|| self.begin(code, class, global, usual));
        let contest = match &*range {
            Range::Settled(group) => return launch(Plan::Settled(group.unwrap_or(usual))),
            Range::Tries(contest) => contest,
        };
        match contest.next(|tried| tried.code.kernel().note_times()) {
            Turn::Usual => launch(Plan::Usual(usual)),
            Turn::Takes(0) => launch(Plan::Tries(&contest.ways[0].run.code, usual)),
            Turn::Takes(way) => launch(Plan::Tries(&contest.ways[way].run.code, contest.ways[way].run.group)),
            Turn::Over(ends) => {
                let choice = choice_of(contest);
                if ends {
                    self.settle(code, class, choice);
                }
                launch(Plan::Settled(choice.group.unwrap_or(usual)))
            }
        }
    }

    fn known(&self, class: RangeClass) -> Option<Arc<Range<C>>> {
        self.ranges.with(|ranges| {
            let ranges = ranges.read().unwrap_or_else(PoisonError::into_inner);
            ranges.iter().find(|(known, _)| *known == class).map(|(_, range)| Arc::clone(range))
        })
    }

    fn set(&self, class: RangeClass, range: Range<C>) -> Arc<Range<C>> {
        let range = Arc::new(range);
        self.ranges.with(|ranges| {
            let mut ranges = ranges.write().unwrap_or_else(PoisonError::into_inner);
            ranges.retain(|(known, _)| *known != class);
            ranges.push((class, Arc::clone(&range)));
        });
        range
    }

    /// The first launch of a class of ranges: the choice of an earlier process, or a comparison.
    fn begin(&self, code: &C, class: RangeClass, global: [u64; 3], usual: [u32; 3]) -> Arc<Range<C>> {
        let sizes = code.kernel().group_sizes(global);
        let Tuning { wisdom, compares, .. } = &*self.tuning;
        let range = match wisdom.choice(&subject(code.record(), class)) {
            Some(Choice { group, .. }) => Range::Settled(group.filter(|group| sizes.contains(group))),
            // Quick code says nothing of the full code that will replace it.
            None if *compares && code.record().level != OptLevel::O1 => self.compare(code, sizes, usual),
            None => Range::Settled(None),
        };
        self.set(class, range)
    }

    fn compare(&self, code: &C, sizes: Vec<[u32; 3]>, usual: [u32; 3]) -> Range<C> {
        let others = sizes.into_iter().filter(|group| *group != usual);
        let way = |group| {
            let timed = code.timed()?;
            Some(Way::new(Tried { group, code: timed.code }, timed.meter))
        };
        let ways: Option<Vec<_>> = std::iter::once(usual).chain(others).map(way).collect();
        ways.filter(|ways| ways.len() > 1).map_or(Range::Settled(None), |ways| Range::Tries(Contest::new(ways)))
    }

    /// Keeps the result of a comparison.
    fn settle(&self, code: &C, class: RangeClass, choice: Choice) {
        let subject = subject(code.record(), class);
        let found = format!("work-groups for ranges up to {class}: {choice}");
        tracing::debug!(kernel = readable(&subject.kernel), "{found}");
        self.set(class, Range::Settled(choice.group));
        code.record().remark(found);
        self.tuning.wisdom.note(subject, choice);
        (self.tuning.keep)();
    }
}

/// The choice after a comparison.
fn choice_of<C>(contest: &Contest<Tried<C>>) -> Choice {
    match contest.winner().flatten() {
        Some(Winner { way, ratio }) => Choice { group: Some(contest.ways[way].run.group), ratio },
        None => Choice { group: None, ratio: 1.0 },
    }
}

fn subject(record: &VariantRecord, range: RangeClass) -> Subject {
    let variant = record.variant.clone();
    Subject { device: variant.device, kernel: variant.kernel, launches: variant.description, range }
}
