//! Options of the driver.
//!
//! In: what a program or its environment chose. Out: plain values. *Invariant:* the default is the
//! installed driver as it is.

use std::path::PathBuf;

/// Choices about the driver.
#[derive(Debug, Clone, Default)]
pub struct OpenClOptions {
    /// The library of OpenCL, where it is not the installed `libOpenCL.so.1`.
    pub library: Option<PathBuf>,
    /// The value of `OCL_ICD_VENDORS`, which the library reads itself. Here it only makes a reason
    /// more exact.
    pub vendors: Option<String>,
    /// Whether CPUs are devices, which the driver for the host runs kernels on as well.
    pub cpus: bool,
    /// Whether devices are used as if they had no `cl_intel_unified_shared_memory`, to see how
    /// others work.
    pub without_usm: bool,
}
