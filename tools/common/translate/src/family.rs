//! What a tool adds to the others: its targets, and what it writes.

use clap::Args;
use sinter_core::{Image, Target, TranslateRequest};
use sinter_tool_common::ToolError;
use sinter_translate::{Product, Step};

/// The targets of one kind, with the flags that are theirs alone: `--target`, `--emit` and what else there is.
pub trait Family: Args {
    /// The name of the tool.
    const TOOL: &'static str;
    /// The first word of the targets, as [`Target::family`] gives it.
    const NAME: &'static str;
    /// A sentence for the help.
    const ABOUT: &'static str;
    /// Command lines for the help, one a line, without the name of the tool. They run as tests.
    const EXAMPLES: &'static [&'static str];

    /// What to generate code for.
    fn target(&self) -> Result<Target, ToolError>;

    /// Device functions of the target's vendor.
    fn libraries(&self) -> Result<Vec<Image>, ToolError> {
        Ok(Vec::new())
    }

    /// The step whose IR [`Family::write`] wants; `None` for finished code.
    fn last_step(&self) -> Option<Step>;

    /// IR as people are to read it.
    fn ir(&self, text: String) -> String {
        text
    }

    /// What is written, from the IR after that step or the finished code.
    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError>;
}
