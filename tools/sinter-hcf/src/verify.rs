//! Checks containers.
//!
//! Reading the input has already checked the digests of the blobs and the bounds of every record; the rest is
//! [`Container::verify`](sinter_core::container::Container::verify).

use sinter_core::container::Verified;
use sinter_tool_common::{Failure, Input, print};

/// Checks every container of the input and says what was checked.
pub(crate) fn verify(input: &Input) -> Result<(), Failure> {
    for (index, container) in input.containers().map_err(Failure::rejected)?.iter().enumerate() {
        let rejected = |error| format!("{}: container {index}: {error}", input.path.display());
        let verified = container.verify().map_err(|error| Failure::rejected(rejected(error)))?;
        print(report(index, verified))?;
    }
    Ok(())
}

fn report(index: usize, verified: Verified) -> String {
    let Verified { object_id, images, kernels } = verified;
    let id = if object_id { "object id is the content's" } else { "foreign object id, not checked" };
    format!("container {index}: good ({id}; images: {images}, kernels: {kernels})\n")
}
