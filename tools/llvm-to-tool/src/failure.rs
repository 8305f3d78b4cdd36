//! Error messages for failed translations.
//!
//! *Invariant:* the message names the input; only an internal error of the translator is reported
//! as a defect.

use sinter_core::{TranslateCause, TranslateError, names::readable};
use sinter_tool_common::ToolError;

/// The error for a failed translation: a defect for internal and fatal errors, otherwise a rejected
/// input.
pub(crate) fn failure(input: &str, error: &TranslateError) -> ToolError {
    let message = format!("{input}: {error}");
    match error.cause {
        TranslateCause::Internal { .. } | TranslateCause::Fatal { .. } => ToolError::Defect(message),
        _ => ToolError::Rejected(message),
    }
}

/// The message for an input whose kernel was translated but could not be written.
pub(crate) fn unwritten(input: &str, error: ToolError, kernel: &str) -> ToolError {
    match error {
        ToolError::Rejected(reason) => {
            let named = format!("kernel `{}`", readable(kernel));
            let of_kernel = if reason.contains(&named) { String::new() } else { format!("{named}: ") };
            ToolError::Rejected(format!("{input}: {of_kernel}{reason}"))
        }
        other => other,
    }
}
