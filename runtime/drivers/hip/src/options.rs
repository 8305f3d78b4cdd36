//! Options of the driver.
//!
//! In: the choices of a program or its environment. Out: plain values. *Invariant:* the default is
//! the installed library with its own defaults.

use std::path::PathBuf;

/// Options of the HIP driver.
#[derive(Debug, Clone, Default)]
pub struct HipOptions {
    /// Path of AMD's HIP library, to use instead of the installed `libamdhip64.so`.
    pub library: Option<PathBuf>,
    /// Folders of ROCm installations from the environment. They are searched before the default
    /// one.
    pub installations: Vec<PathBuf>,
    /// The environment setting that hides GPUs from HIP, such as `HIP_VISIBLE_DEVICES=1`. HIP reads
    /// it itself; here it only makes a reason for missing devices more precise.
    pub visible_devices: Option<String>,
}
