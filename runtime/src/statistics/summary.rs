//! The kernels of a report.
//!
//! In: the variant records and the times of runs. Out: a summary for each kernel and device, those
//! that took longest first. *Invariant:* times are those of the runs that were timed; a kernel
//! without any has no times, never zeros.
#![forbid(unsafe_code)]

use super::{Statistics, VariantRecord, Verdict};
use crate::trace::totals::{Total, Totals};
use sinter_core::{OptLevel, names::readable};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
};

/// A kernel on a device.
pub(super) struct KernelSummary {
    /// Readable name.
    pub(super) kernel: String,
    pub(super) device: String,
    pub(super) launches: u64,
    pub(super) times: Option<Total>,
    /// Oldest first.
    pub(super) variants: Vec<Arc<VariantRecord>>,
}

/// Word for an optimisation level.
pub(super) fn tier(level: OptLevel) -> &'static str {
    match level {
        OptLevel::O0 => "O0",
        OptLevel::O1 => "quick",
        OptLevel::O3 => "full",
    }
}

/// The description of a variant; for code for values with its time, in times of code for all.
pub(super) fn description(record: &VariantRecord) -> String {
    let text =
        std::iter::once(record.variant.description.clone()).chain(record.choices()).collect::<Vec<_>>().join(", ");
    match record.verdict.get() {
        Some(Verdict { ratio, .. }) if ratio.is_nan() => format!("{text} (not timed)"),
        Some(Verdict { ratio, is_kept: true }) => format!("{text} ({ratio:.2} of general)"),
        Some(Verdict { ratio, is_kept: false }) => format!("{text} ({ratio:.2} of general, dropped)"),
        None => text,
    }
}

/// Launches of a variant so far.
pub(super) fn launches(record: &VariantRecord) -> u64 {
    record.launches.load(Ordering::Relaxed)
}

/// All kernels with code.
pub(super) fn kernels(statistics: &Statistics, totals: Option<&Totals>) -> Vec<KernelSummary> {
    let mut known: BTreeMap<(String, String), KernelSummary> = BTreeMap::new();
    for record in statistics.variants() {
        let key = (readable(&record.variant.kernel), record.variant.device.clone());
        let summary = known.entry(key).or_insert_with_key(|(kernel, device)| KernelSummary {
            kernel: kernel.clone(),
            device: device.clone(),
            launches: 0,
            times: None,
            variants: Vec::new(),
        });
        summary.launches += launches(&record);
        summary.variants.push(record);
    }
    for ((kernel, device), total) in totals.map(Totals::sorted).unwrap_or_default() {
        if let Some(summary) = known.get_mut(&(String::from(&*kernel), String::from(&*device))) {
            summary.times = Some(total);
        }
    }
    let mut all: Vec<_> = known.into_values().collect();
    all.sort_by_key(|one| Reverse((one.times.map_or(0, |total| total.sum), one.launches)));
    all
}
