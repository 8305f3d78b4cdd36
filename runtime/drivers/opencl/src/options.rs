//! Options of the driver.
//!
//! In: the choices of a program or its environment. Out: plain values. *Invariant:* the default is
//! the installed library with its own defaults.

use std::path::PathBuf;

/// Options of the OpenCL driver.
#[derive(Debug, Clone, Default)]
pub struct OpenClOptions {
    /// Path of the OpenCL library, to use instead of the installed `libOpenCL.so.1`.
    pub library: Option<PathBuf>,
    /// Value of `OCL_ICD_VENDORS`. The library reads the variable itself; here it only makes a
    /// reason for missing devices more precise.
    pub vendors: Option<String>,
    /// True to use CPUs as devices. The host driver also runs kernels on the CPU.
    pub cpus: bool,
    /// True to ignore `cl_intel_unified_shared_memory`, to test shared virtual memory.
    pub without_usm: bool,
}
