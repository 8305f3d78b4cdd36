//! Parses the containers of an input.

use sinter_core::container::Container;
use sinter_tool_common::{Input, ToolError};

/// A parsed container with its bytes.
pub(crate) struct Source<'a> {
    /// All bytes of the container.
    pub(crate) bytes: &'a [u8],
    /// Parsed form of the bytes.
    pub(crate) container: Container<'a>,
}

/// Parses every container of the input, in order. An input without containers is rejected.
pub(crate) fn sources(input: &Input) -> Result<Vec<Source<'_>>, ToolError> {
    let found = input.containers();
    if found.is_empty() {
        let remedy = "compile it with sinter-cc, or give the file that it was linked into";
        return Err(ToolError::rejected(format!("{}: holds no container; {remedy}", input.name)));
    }
    found.into_iter().enumerate().map(|(index, bytes)| source(input, index, bytes)).collect()
}

fn source<'a>(input: &Input, index: usize, bytes: &'a [u8]) -> Result<Source<'a>, ToolError> {
    let rejected = |error| ToolError::rejected(format!("{}: container {index}: {error}", input.name));
    Ok(Source { bytes, container: Container::parse(bytes).map_err(rejected)? })
}
