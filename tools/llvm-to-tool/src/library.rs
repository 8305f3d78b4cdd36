//! Reads the vendor libraries of GPUs.

use sinter_core::Image;
use sinter_tool_common::ToolError;
use sinter_translate::functions;
use std::{fs, path::Path};

/// Reads a vendor library known as `known`, whose functions start with `prefix`. A file without
/// such functions is rejected here; otherwise only kernels that call one would fail, without the
/// name of the file.
pub(crate) fn read_library(path: &Path, known: &str, prefix: &str) -> Result<Image, ToolError> {
    let reject = |reason: String| ToolError::rejected(format!("--library: {reason}"));
    let bytes = fs::read(path).map_err(|error| reject(format!("cannot read {}: {error}", path.display())))?;
    let functions = functions(&bytes).map_err(|error| reject(format!("{} is not bitcode: {error}", path.display())))?;
    if functions.iter().any(|name| name.starts_with(prefix)) {
        return Ok(Image { hash: None, bytes: bytes.into() });
    }
    let none = format!("{} is not {known}: it defines no function that starts with `{prefix}`", path.display());
    Err(reject(none))
}
