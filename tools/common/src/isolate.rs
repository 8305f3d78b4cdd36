//! Runs work on possibly damaged input in a child process.
//!
//! LLVM's reader trusts bitcode: damage that it overlooks may crash the process, in the reader or
//! in a later pass. In: the name of an input without a digest, and the work on it. Out: the result
//! of the work, whose process exits as the tool would, or an error that says that the input is
//! damaged.
//! *Invariant:* no signal ends the tool itself.

use crate::exit::ToolError;
use sinter_signals::{Ended, hand_over};

/// Runs `work` on the input `name` in a child process, which prints its own messages and output.
pub fn isolated(name: &str, work: impl FnOnce() -> Result<(), ToolError>) -> Result<(), ToolError> {
    match hand_over() {
        // In the child; or here, unprotected, if `fork` failed.
        Ok(None) | Err(_) => work(),
        Ok(Some(Ended::Exit(0))) => Ok(()),
        Ok(Some(Ended::Exit(status))) => Err(ToolError::Reported(status)),
        Ok(Some(ended)) => Err(ToolError::rejected(message(name, ended))),
    }
}

fn message(name: &str, ended: Ended) -> String {
    match ended {
        Ended::Signal(signal) if ended.is_crash() => {
            format!("{name}: the bitcode is damaged: LLVM ended over it with signal {signal}; make the file again")
        }
        Ended::Signal(signal) => format!("{name}: the process that translated it was ended by signal {signal}"),
        Ended::Exit(status) => format!("{name}: the process that translated it ended with status {status}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_damage_and_any_other_signal_is_named() {
        assert!(message("k.bc", Ended::Signal(11)).contains("k.bc: the bitcode is damaged"));
        assert!(message("k.bc", Ended::Signal(9)).contains("ended by signal 9"));
    }
}
