//! Counters of the process, and a record of each kernel variant that was loaded.
//!
//! *Invariant:* a launch that hits touches exactly one counter, that of its own variant; every sum is made when it is
//! asked for.
#![forbid(unsafe_code)]

pub mod report;

use crate::abi;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Where the machine code of a variant came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Compiled in this process.
    Translated,
    /// The disk cache.
    Disk,
    /// A cache that is only read.
    System,
    /// Already in this process, for another descriptor of the same kernel.
    Memory,
}

impl Source {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Source::Translated => "translated",
            Source::Disk => "disk",
            Source::System => "system",
            Source::Memory => "memory",
        }
    }
}

/// One kernel, loaded for one device in one configuration.
#[derive(Debug)]
pub struct VariantRecord {
    /// Symbol of the kernel.
    pub kernel: String,
    /// Name of the device.
    pub device: String,
    /// What the variant is specialised on.
    pub variant: String,
    /// Where its code came from.
    pub source: Source,
    /// Time spent in the translator.
    pub translate: Duration,
    /// Time that the device's driver spent making machine code.
    pub assemble: Duration,
    /// Time spent publishing it.
    pub load: Duration,
    /// Launches submitted.
    pub launches: AtomicU64,
}

/// Counters of one runtime.
#[derive(Debug, Default)]
pub struct Statistics {
    variants: Mutex<Vec<Arc<VariantRecord>>>,
    /// Translations that succeeded.
    pub translated: AtomicU64,
    /// Codes read from the disk cache and from the caches that are only read.
    pub disk_hits: AtomicU64,
    /// Those of them that came from a cache that is only read.
    pub system_hits: AtomicU64,
    /// First launches, which had to look for their kernel.
    pub misses: AtomicU64,
    /// Nanoseconds in the translator.
    pub translate_nanoseconds: AtomicU64,
    /// Nanoseconds in which drivers made machine code.
    pub assemble_nanoseconds: AtomicU64,
    /// Nanoseconds publishing code.
    pub load_nanoseconds: AtomicU64,
    /// Entries quarantined and failed reads or writes.
    pub cache_errors: AtomicU64,
}

/// Adds one. Counters order nothing, so relaxed is enough.
pub fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Adds a duration to a counter of nanoseconds.
pub fn add(counter: &AtomicU64, duration: Duration) {
    counter.fetch_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

impl Statistics {
    /// Remembers a variant for the report.
    pub fn record(&self, record: VariantRecord) -> Arc<VariantRecord> {
        let record = Arc::new(record);
        self.variants.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&record));
        record
    }

    /// Every variant loaded so far, oldest first.
    pub fn variants(&self) -> Vec<Arc<VariantRecord>> {
        self.variants.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The counters as the C interface gives them.
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
