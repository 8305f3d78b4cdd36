//! Settings of a runtime as typed values.
#![forbid(unsafe_code)]

use super::visibility::VisibilityMask;
use crate::{
    code::{tiers::JitMode, variant::LineTables},
    vendor::families::{COUNT, Choice},
};
use sinter_core::{Approximations, FloatMode, OptLevel, Rows, SubGroupSize};
use sinter_driver_host::CpuLevel;
use std::{path::PathBuf, time::Duration};

/// The highest level of the CUDA driver's assembler (`CU_JIT_OPTIMIZATION_LEVEL`).
pub(super) const MAX_JIT_LEVEL: u8 = 4;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Use of the disk cache.
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

/// Verbosity of the log on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum DebugLevel {
    /// No log.
    Off,
    /// Errors: a call fails.
    Error,
    /// Warnings for the user.
    #[default]
    Warn,
    /// Events once per kernel.
    Info,
    /// Events once per step.
    Debug,
    /// All events.
    Trace,
}

/// Destination of the report at exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportTarget {
    /// Standard error.
    Stderr,
    /// A file with a table as text, which is replaced.
    File(PathBuf),
    /// A page in HTML, which is replaced.
    Page(PathBuf),
}

/// A device for the parallel algorithms of ISO C++.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StdparDevice {
    /// The one with this index.
    Index(u32),
    /// The first of this driver.
    Driver(String),
}

/// Settings of the parallel algorithms of ISO C++.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StdparOptions {
    /// Where they run; `None` means the first device that shares memory with the program.
    pub device: Option<StdparDevice>,
    /// True if devices get shared memory even where they reach all memory.
    pub only_shared: bool,
    /// True if pointers that lie in memory lead to memory that the device reaches.
    pub trusts_pointers: bool,
    /// Work-items that share a part of a range; `None` means the device's usual number.
    pub group_size: Option<u32>,
}

/// Settings of one runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tunables {
    /// Folder of the disk cache; `None` means the default.
    pub cache_dir: Option<PathBuf>,
    /// Folders of read-only caches, in search order.
    pub cache_dirs: Vec<PathBuf>,
    /// Use of the disk cache.
    pub cache: CacheMode,
    /// Size limit of the disk cache in bytes.
    pub cache_size: u64,
    /// Time since the last use after which an entry is removed from the disk cache.
    pub cache_age: Duration,
    /// Time to wait for another process that compiles the same kernel and shows no activity.
    pub cache_wait: Duration,
    /// True if long compilations are announced.
    pub progress: bool,
    /// Devices to use, in order; `None` means all.
    pub visibility: Option<VisibilityMask>,
    /// Verbosity of the log.
    pub debug_level: DebugLevel,
    /// Folder for the IR after each step of every translation.
    pub dump: Option<PathBuf>,
    /// Path of the translator library; `None` means search.
    pub translator: Option<PathBuf>,
    /// Destination of the report at exit; `None` means no report.
    pub report: Option<ReportTarget>,
    /// File of the trace; `None` means no trace.
    pub trace: Option<PathBuf>,
    /// Library of a tool that takes ranges of threads; `None` means none.
    pub ranges: Option<PathBuf>,
    /// Threads of the host driver; `None` means one per CPU.
    pub threads: Option<usize>,
    /// True if each of these threads stays on one CPU.
    pub pinned_threads: bool,
    /// Optimisation level of translations.
    pub opt_level: OptLevel,
    /// Treatment of launches whose code is in no cache.
    pub jit_mode: JitMode,
    /// Kernels that are prepared before their first launch, at most.
    pub jit_ahead: usize,
    /// Variants of a kernel for values that its launches repeat, at most.
    pub jit_specialize: usize,
    /// True if work-group sizes that launches leave open are compared.
    pub autotune: bool,
    /// File of choices that were measured; `None` means the disk cache.
    pub wisdom: Option<PathBuf>,
    /// Permitted floating-point transformations.
    pub float_mode: FloatMode,
    /// Floating-point operations that may be less accurate.
    pub approximations: Approximations,
    /// Vector code on host CPUs.
    pub rows: Rows,
    /// Sub-group size on host CPUs of kernels that require none.
    pub default_sub_group_size: SubGroupSize,
    /// Choice of vendor libraries, by [`FamilyIndex`](crate::vendor::families::FamilyIndex).
    pub libraries: [Choice; COUNT],
    /// Line tables in the code of kernels.
    pub line_tables: LineTables,
    /// True if kernels may be compiled for pointers to different allocations.
    pub separate_allocations: bool,
    /// True if a CPU uses the host's copy of a buffer.
    pub shared_buffers: bool,
    /// Instruction set level for host code; `None` means that of this CPU.
    pub host_level: Option<CpuLevel>,
    /// True if names of host functions are written for `perf`.
    pub perf_map: bool,
    /// Optimisation level of the CUDA driver's assembler; `None` means its default.
    pub jit_level: Option<u8>,
    /// True if Vulkan's validation layer checks the calls of its driver.
    pub vulkan_validation: bool,
    /// Parallel algorithms of ISO C++.
    pub stdpar: StdparOptions,
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
            trace: None,
            ranges: None,
            threads: None,
            pinned_threads: false,
            opt_level: OptLevel::O3,
            jit_mode: JitMode::default(),
            jit_ahead: 16,
            jit_specialize: 0,
            autotune: false,
            wisdom: None,
            rows: Rows::default(),
            default_sub_group_size: SubGroupSize::default(),
            float_mode: FloatMode::AsCompiled,
            approximations: Approximations::default(),
            libraries: Default::default(),
            line_tables: LineTables::default(),
            separate_allocations: true,
            shared_buffers: true,
            perf_map: false,
            host_level: None,
            jit_level: None,
            vulkan_validation: false,
            stdpar: StdparOptions::default(),
        }
    }
}
