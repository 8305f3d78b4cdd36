//! Which code a launch waits for.
//!
//! In: the setting, and what is to be translated. Out: a decision. *Invariant:* quick code and full
//! code of a kernel have different keys, and no cache returns one for the other.
#![forbid(unsafe_code)]

use super::translation::Translation;
use sinter_core::OptLevel;

/// What a launch does whose code is in no cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JitMode {
    /// It waits for full code.
    #[default]
    Sync,
    /// It waits for quick code; full code follows in the background.
    Fallback,
    /// It fails: nothing is compiled.
    Require,
}

impl Translation {
    /// True if the translator may have quick code for the kernel. On other targets the time goes
    /// into the driver's assembler, which a quick translation does not make faster.
    pub(super) fn has_quick_code(&self) -> bool {
        self.target.runs_in_process() && self.config.opt_level == OptLevel::O3
    }
}
