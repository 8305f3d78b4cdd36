//! Options of the driver.
//!
//! In: the choices of a program or its environment. Out: plain values. *Invariant:* the default is
//! the installed loader with its own defaults.

use std::path::PathBuf;

/// Options of the Level Zero driver.
#[derive(Debug, Clone, Default)]
pub struct LevelZeroOptions {
    /// Path of the Level Zero loader, to use instead of the installed `libze_loader.so.1`.
    pub library: Option<PathBuf>,
    /// Value of `ZE_AFFINITY_MASK`. Drivers read the variable themselves; here it only makes a
    /// reason for missing devices more precise.
    pub affinity_mask: Option<String>,
}
