//! Writes results to stdout and to files.
//!
//! *Invariant:* a file is written under a temporary name in its folder and renamed, so that it is
//! complete or absent. A reader that closes the pipe early is not a failure.

use crate::exit::ToolError;
use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// Writes to stdout.
pub fn print(bytes: &[u8]) -> Result<(), ToolError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(ToolError::rejected(format!("stdout: {error}"))),
        _ => Ok(()),
    }
}

/// Writes a file, or stdout where `path` is `-`.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ToolError> {
    if path == Path::new("-") {
        return print(bytes);
    }
    // A device or pipe, such as /dev/null, cannot be replaced by a rename.
    let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let result = if special { fs::write(path, bytes) } else { replace(path, bytes) };
    result.map_err(|error| ToolError::rejected(format!("cannot write {}: {}", path.display(), reason(path, &error))))
}

/// Names the folder if it is missing: the system's error is the same for a missing folder and a
/// missing file.
fn reason(path: &Path, error: &io::Error) -> String {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        Some(folder) if error.kind() == ErrorKind::NotFound => format!("there is no folder {}", folder.display()),
        _ => error.to_string(),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_name(path);
    let result = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        // Best effort: the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    result
}

fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
