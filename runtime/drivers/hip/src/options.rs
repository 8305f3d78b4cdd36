//! Options of the driver.
//!
//! In: what a program or its environment chose. Out: plain values. *Invariant:* the default is the
//! installed driver as it is.

use std::path::PathBuf;

/// Choices about the driver.
#[derive(Debug, Clone, Default)]
pub struct HipOptions {
    /// AMD's HIP library, where it is not the installed `libamdhip64.so`.
    pub library: Option<PathBuf>,
    /// Folders of ROCm installations that the environment names, which are looked into before the
    /// usual one.
    pub installations: Vec<PathBuf>,
    /// The setting of the environment that hides GPUs from HIP, which reads it itself, such as
    /// `HIP_VISIBLE_DEVICES=1`. Here it only makes a reason more exact.
    pub visible_devices: Option<String>,
}
