//! What a tool says where the translator refuses.
//!
//! *Invariant:* the message names the input; a defect of the translator is ours, everything else is the input's.

use sinter_core::{TranslateCause, TranslateError, TranslateRequest};
use sinter_llvm::demangle;
use sinter_tool_common::{
    ToolError,
    name::{explained, meant},
};
use sinter_translate::{kernels, variables};

/// The message for an input, with more names than the translator knows: it looks at symbols, and people at readable names.
pub(crate) fn failure(input: &str, mut error: TranslateError, request: &TranslateRequest) -> ToolError {
    suggest(&mut error.cause, &request.image.bytes);
    let message = format!("{input}: {}", explained(error.to_string(), &error.kernel, demangle));
    match error.cause {
        TranslateCause::Internal { .. } | TranslateCause::Fatal { .. } => ToolError::Defect(message),
        _ => ToolError::Rejected(message),
    }
}

/// The message for an input whose kernel was translated and cannot be written.
pub(crate) fn unwritten(input: &str, error: ToolError, kernel: &str) -> ToolError {
    match error {
        ToolError::Rejected(reason) => {
            let named = format!("kernel `{kernel}`");
            let of_kernel = if reason.contains(&named) { String::new() } else { format!("{named}: ") };
            ToolError::Rejected(explained(format!("{input}: {of_kernel}{reason}"), kernel, demangle))
        }
        other => other,
    }
}

fn suggest(cause: &mut TranslateCause, image: &[u8]) {
    let (name, nearest, known) = match cause {
        TranslateCause::UnknownKernel { name, nearest } => (name, nearest, kernels(image)),
        TranslateCause::UnknownName { what, name, nearest } if what.contains("constant") => {
            (name, nearest, variables(image))
        }
        _ => return,
    };
    if let (None, Ok(known)) = (&nearest, known) {
        *nearest = meant(name, &known, demangle);
    }
}
