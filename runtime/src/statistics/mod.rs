//! Counters of the process, and a record of each loaded kernel variant.
//!
//! *Invariant:* a hit updates exactly one counter, that of its variant; sums are computed on
//! demand.
#![forbid(unsafe_code)]

pub mod page;
pub mod report;
mod summary;

use crate::{abi, forks::ForkSafe};
use sinter_core::OptLevel;
use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Failures that are kept for the report.
const MOST_FAILURES: usize = 64;

/// Origin of the machine code of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Translated in this process.
    Translated,
    /// Read from the disk cache.
    Disk,
    /// Read from a read-only cache.
    System,
    /// Already in this process, for another descriptor of the same kernel.
    Memory,
}

impl Source {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Source::Translated => "translated",
            Source::Disk => "disk",
            Source::System => "system",
            Source::Memory => "memory",
        }
    }
}

/// Use of the code of a kernel that is made ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A launch waits for it.
    Launch,
    /// It replaces quick code.
    Upgrade,
    /// It is for values that launches repeat.
    Values,
    /// A launch may need it.
    Ahead,
}

impl Reason {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Launch => "first launch",
            Reason::Upgrade => "upgrade",
            Reason::Values => "values",
            Reason::Ahead => "ahead",
        }
    }
}

/// Code of a kernel that a device has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    /// Optimisation level of the code.
    pub level: OptLevel,
    /// Origin of the code.
    pub source: Source,
    /// Time in the translator.
    pub translate: Duration,
    /// Time in the assembler of the device's driver.
    pub assemble: Duration,
    /// Time in which the driver loaded it.
    pub load: Duration,
}

/// A kernel for one device and some of its launches.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Symbol of the kernel.
    pub kernel: String,
    /// Name of the device.
    pub device: String,
    /// Description of the values and shape that it is specialised on.
    pub description: String,
}

/// Result of a comparison of code for values of arguments with code for all values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The time of code for values, in times of code for all values. NaN if it is not known.
    pub ratio: f64,
    /// Launches with these values run it.
    pub is_kept: bool,
}

impl Verdict {
    /// Code for values that takes more than this part of the time is not worth its guard.
    const WORTH: f64 = 0.97;

    /// The verdict about the times of both codes.
    pub fn of(special: u64, general: u64) -> Self {
        let ratio = special as f64 / general as f64;
        Verdict { ratio, is_kept: ratio <= Self::WORTH }
    }
}

/// Loaded code of a variant.
#[derive(Debug)]
pub struct VariantRecord {
    /// The variant.
    pub variant: Variant,
    /// Optimisation level of the code.
    pub level: OptLevel,
    /// Use that the code was made for.
    pub reason: Reason,
    /// Time at which the work for it began, from the start of the runtime.
    pub begun: Duration,
    /// Origin of its code.
    pub source: Source,
    /// Time spent in the translator.
    pub translate: Duration,
    /// Time that the device's driver spent assembling.
    pub assemble: Duration,
    /// Time spent loading it on the device.
    pub load: Duration,
    /// Number of launches submitted.
    pub launches: AtomicU64,
    /// For code for values of arguments, once it was compared.
    pub verdict: Arc<OnceLock<Verdict>>,
    pub(crate) choices: ForkSafe<Mutex<Vec<String>>>,
}

impl VariantRecord {
    /// Adds a choice that was measured.
    pub fn remark(&self, choice: String) {
        self.choices.with(|choices| choices.lock().unwrap_or_else(PoisonError::into_inner).push(choice));
    }

    /// The choices that were measured, oldest first.
    pub fn choices(&self) -> Vec<String> {
        self.choices.with(|choices| choices.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The record as the outcome of a compilation.
    pub fn made(&self) -> Made {
        let VariantRecord { level, source, translate, assemble, load, .. } = *self;
        Made { level, source, translate, assemble, load }
    }
}

/// An attempt to make code that failed.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The variant.
    pub variant: Variant,
    /// Use that the code was wanted for.
    pub reason: Reason,
    /// Time at which it failed, from the start of the runtime.
    pub ended: Duration,
    /// Message of the error.
    pub message: String,
}

/// Counters of one runtime.
#[derive(Debug)]
pub struct Statistics {
    start: Instant,
    failures: ForkSafe<Mutex<Vec<Failure>>>,
    variants: ForkSafe<Mutex<Vec<Arc<VariantRecord>>>>,
    /// Successful translations.
    pub translated: AtomicU64,
    /// Code objects read from the disk cache and from read-only caches.
    pub disk_hits: AtomicU64,
    /// The part of `disk_hits` that came from read-only caches.
    pub system_hits: AtomicU64,
    /// First launches, which had to search for their kernel.
    pub misses: AtomicU64,
    /// Nanoseconds spent in the translator.
    pub translate_nanoseconds: AtomicU64,
    /// Nanoseconds that drivers spent assembling.
    pub assemble_nanoseconds: AtomicU64,
    /// Nanoseconds spent loading code on devices.
    pub load_nanoseconds: AtomicU64,
    /// Quarantined entries and failed reads or writes.
    pub cache_errors: AtomicU64,
}

/// Adds one. Relaxed suffices, because counters do not order other memory accesses.
pub fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Adds a duration to a counter of nanoseconds.
pub fn add(counter: &AtomicU64, duration: Duration) {
    counter.fetch_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

impl Default for Statistics {
    fn default() -> Self {
        Statistics {
            start: Instant::now(),
            failures: ForkSafe::default(),
            variants: ForkSafe::default(),
            translated: AtomicU64::default(),
            disk_hits: AtomicU64::default(),
            system_hits: AtomicU64::default(),
            misses: AtomicU64::default(),
            translate_nanoseconds: AtomicU64::default(),
            assemble_nanoseconds: AtomicU64::default(),
            load_nanoseconds: AtomicU64::default(),
            cache_errors: AtomicU64::default(),
        }
    }
}

impl Statistics {
    /// Time since the runtime started.
    pub fn age(&self) -> Duration {
        self.start.elapsed()
    }

    /// Keeps a failure for the report, if there were not too many.
    pub fn fail(&self, variant: &Variant, reason: Reason, message: String) {
        let failure = Failure { variant: variant.clone(), reason, ended: self.age(), message };
        self.failures.with(|failures| {
            let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
            if failures.len() < MOST_FAILURES {
                failures.push(failure);
            }
        });
    }

    /// The failures that were kept, oldest first.
    pub fn failures(&self) -> Vec<Failure> {
        self.failures.with(|failures| failures.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Stores the record of a variant for the report.
    pub fn record(&self, record: VariantRecord) -> Arc<VariantRecord> {
        let record = Arc::new(record);
        self.with_variants(|variants| variants.push(Arc::clone(&record)));
        record
    }

    /// All variants loaded so far, oldest first.
    pub fn variants(&self) -> Vec<Arc<VariantRecord>> {
        self.with_variants(|variants| variants.clone())
    }

    fn with_variants<R>(&self, work: impl FnOnce(&mut Vec<Arc<VariantRecord>>) -> R) -> R {
        self.variants.with(|variants| work(&mut variants.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Values for the C interface.
    pub fn snapshot(&self) -> abi::WholeStatistics {
        let assemble_nanoseconds = self.assemble_nanoseconds.load(Ordering::Relaxed);
        abi::WholeStatistics { statistics: self.first_part(), times: abi::StatisticsTimes { assemble_nanoseconds } }
    }

    fn first_part(&self) -> abi::Statistics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let launches = self.variants().iter().map(|variant| get(&variant.launches)).sum::<u64>();
        abi::Statistics {
            struct_size: size_of::<abi::WholeStatistics>() as u32,
            reserved: 0,
            launches,
            translated: get(&self.translated),
            disk_hits: get(&self.disk_hits),
            memory_hits: launches.saturating_sub(get(&self.misses)),
            translate_nanoseconds: get(&self.translate_nanoseconds),
            load_nanoseconds: get(&self.load_nanoseconds),
            cache_errors: get(&self.cache_errors),
        }
    }
}
