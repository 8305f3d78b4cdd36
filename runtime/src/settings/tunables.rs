//! The settings of a runtime, as values.
#![forbid(unsafe_code)]

use super::visibility::VisibilityMask;
use crate::{
    code::variant::LineTables,
    vendor::families::{COUNT, Choice},
};
use sinter_core::{Approximations, FloatMode, OptLevel};
use sinter_driver_host::CpuLevel;
use std::{path::PathBuf, time::Duration};

/// The highest level of the CUDA driver's assembler (`CU_JIT_OPTIMIZATION_LEVEL`).
pub(super) const MAX_JIT_LEVEL: u8 = 4;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Whether the disk cache is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CacheMode {
    /// Read and written.
    #[default]
    On,
    /// Neither read nor written.
    Off,
    /// Read only.
    ReadOnly,
}

/// How much is logged to standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum DebugLevel {
    /// Nothing.
    Off,
    /// What makes a call fail.
    Error,
    /// What the user should know.
    #[default]
    Warn,
    /// What happens once per kernel.
    Info,
    /// What happens once per step.
    Debug,
    /// Everything.
    Trace,
}

/// Where the report at exit goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportTarget {
    /// To standard error.
    Stderr,
    /// Into a file, which is replaced.
    File(PathBuf),
}

/// The settings of one runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tunables {
    /// Folder of the disk cache, where one was asked for.
    pub cache_dir: Option<PathBuf>,
    /// Folders of caches that are only read, in the order in which they are searched.
    pub cache_dirs: Vec<PathBuf>,
    /// Whether the disk cache is used.
    pub cache: CacheMode,
    /// Size limit of the disk cache in bytes.
    pub cache_size: u64,
    /// Time after which what was not used is removed from the disk cache.
    pub cache_age: Duration,
    /// Time to wait for a sign of life of another process that compiles the same kernel.
    pub cache_wait: Duration,
    /// Whether a compilation that takes long is announced.
    pub progress: bool,
    /// Devices to use, in order; `None` means all.
    pub visibility: Option<VisibilityMask>,
    /// How much is logged.
    pub debug_level: DebugLevel,
    /// Folder that receives the steps of every translation.
    pub dump: Option<PathBuf>,
    /// The translator library, where a path was given.
    pub translator: Option<PathBuf>,
    /// Where the report at exit goes.
    pub report: Option<ReportTarget>,
    /// Threads of the host driver; `None` means one per CPU.
    pub threads: Option<usize>,
    /// Optimisation level of translations.
    pub opt_level: OptLevel,
    /// Freedom with floating-point operations.
    pub float_mode: FloatMode,
    /// Floating-point operations that may be less accurate.
    pub approximations: Approximations,
    /// Which device functions of each vendor are used, by [`FamilyIndex`](crate::vendor::families::FamilyIndex).
    pub libraries: [Choice; COUNT],
    /// Where code says which source line it comes from.
    pub line_tables: LineTables,
    /// Compile kernels for pointers that lead to different allocations.
    pub separate_allocations: bool,
    /// Level of the CPU that code for the host is made for; `None` means the CPU at hand.
    pub host_level: Option<CpuLevel>,
    /// Whether `perf` is told the names of functions of the host CPU.
    pub perf_map: bool,
    /// Optimisation level of the CUDA driver's assembler; `None` means the driver's own.
    pub jit_level: Option<u8>,
}

impl Default for Tunables {
    fn default() -> Self {
        Tunables {
            cache_dir: None,
            cache_dirs: Vec::new(),
            cache: CacheMode::On,
            cache_size: 1 << 30,
            cache_age: 90 * DAY,
            cache_wait: Duration::from_secs(10),
            progress: true,
            visibility: None,
            debug_level: DebugLevel::Warn,
            dump: None,
            translator: None,
            report: None,
            threads: None,
            opt_level: OptLevel::O3,
            float_mode: FloatMode::AsCompiled,
            approximations: Approximations::default(),
            libraries: Default::default(),
            line_tables: LineTables::default(),
            separate_allocations: true,
            perf_map: false,
            host_level: None,
            jit_level: None,
        }
    }
}
