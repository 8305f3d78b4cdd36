//! Checks containers.
//!
//! Reading the input has already checked the digests of the blobs and the bounds of every record;
//! the rest is [`Container::verify`](sinter_core::container::Container::verify).

use crate::source::sources;
use sinter_core::container::Verified;
use sinter_tool_common::{Input, ToolError, print};

/// Checks every container of the input and prints a summary.
pub(crate) fn verify(input: &Input) -> Result<(), ToolError> {
    for (index, source) in sources(input)?.iter().enumerate() {
        let rejected = |error| ToolError::rejected(format!("{}: container {index}: {error}", input.name));
        print(report(index, source.container.verify().map_err(rejected)?).as_bytes())?;
    }
    Ok(())
}

fn report(index: usize, verified: Verified) -> String {
    let Verified { object_id, images, kernels } = verified;
    let id = if object_id { "object id is the content's" } else { "foreign object id, not checked" };
    format!("container {index}: good ({id}; images: {images}, kernels: {kernels})\n")
}
