//! Options of the driver.
//!
//! In: what a program or its environment chose. Out: plain values. *Invariant:* the default is the
//! installed driver as it is.

use std::path::PathBuf;

/// Choices about the driver.
#[derive(Debug, Clone, Default)]
pub struct LevelZeroOptions {
    /// The Level Zero loader, where it is not the installed `libze_loader.so.1`.
    pub library: Option<PathBuf>,
    /// The value of `ZE_AFFINITY_MASK`, which drivers read themselves. Here it only makes a reason
    /// more exact.
    pub affinity_mask: Option<String>,
}
