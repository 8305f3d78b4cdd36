//! The context that is shared by all steps.

use sinter_core::{KernelConfig, OptLevel, Target, TranslateCause, TranslateRequest};
use sinter_llvm::{Machine, Session};

/// Input of every step: the request, the LLVM context and the machine to compile for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'s, 'r> {
    pub(crate) session: &'s Session,
    pub(crate) machine: &'r Machine,
    pub(crate) request: &'r TranslateRequest,
}

impl<'r> Context<'_, 'r> {
    pub(crate) fn config(&self) -> &'r KernelConfig {
        &self.request.config
    }

    pub(crate) fn target(&self) -> &'r Target {
        &self.request.target
    }

    /// False at `O0`. Quick code is made from optimised IR, except for the last optimiser.
    pub(crate) fn optimise(&self) -> bool {
        self.config().opt_level != OptLevel::O0
    }

    /// True if quick code is wanted, where it computes the same.
    pub(crate) fn is_quick(&self) -> bool {
        self.config().opt_level == OptLevel::O1
    }

    /// The level of code that is not quick.
    pub(crate) fn full_level(&self) -> OptLevel {
        if self.optimise() { OptLevel::O3 } else { OptLevel::O0 }
    }

    /// An error about a construct that the target cannot run.
    pub(crate) fn unsupported(&self, what: impl Into<String>, location: Option<String>, hint: &str) -> TranslateCause {
        let (what, target, hint) = (what.into(), self.target().to_string(), hint.to_owned());
        TranslateCause::Unsupported { what, target, location, hint }
    }

    /// An error for more local memory than a work-group can have.
    pub(crate) fn too_much_local_memory(&self, size: u64, limit: u64, location: Option<String>) -> TranslateCause {
        TranslateCause::LocalMemory { size, limit, target: self.target().to_string(), location }
    }
}
