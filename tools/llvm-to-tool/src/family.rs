//! The interface of one tool: its targets and its output forms.

use clap::Args;
use sinter_core::{Image, Target, TranslateRequest};
use sinter_tool_common::ToolError;
use sinter_translate::{Product, Step};

/// A family of targets, with the flags that only its tool has, such as `--target` and `--emit`.
pub(crate) trait Family: Args {
    /// Name of the tool.
    const TOOL: &'static str;
    /// First word of the targets, as in [`Target::family`].
    const NAME: &'static str;
    /// One sentence for `--help`.
    const ABOUT: &'static str;
    /// Command lines for `--help`, one a line, without the name of the tool. They run as tests.
    const EXAMPLES: &'static [&'static str];

    /// The target that the flags select.
    fn target(&self) -> Result<Target, ToolError>;

    /// Vendor libraries to link into the kernel.
    fn libraries(&self) -> Result<Vec<Image>, ToolError> {
        Ok(Vec::new())
    }

    /// The last step to run, whose IR [`Family::write`] takes; `None` for the code object.
    fn last_step(&self) -> Option<Step>;

    /// Edits IR before it is shown.
    fn ir(&self, text: String) -> String {
        text
    }

    /// Converts the IR after the last step, or the code object, to the output form.
    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError>;
}
