//! Writes results.
//!
//! *Invariant:* an output file appears whole or not at all: it is written beside its final name and renamed.

use crate::exit::Failure;
use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};
use tempfile::NamedTempFile;

/// Writes to standard output; a closed pipe ends the tool with success.
pub fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref())?;
    Ok(out.flush()?)
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    // A temporary file is private; an output file is as readable as one made by a compiler.
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.persist(path)?;
    Ok(())
}

/// Writes `bytes` to `path`, or to standard output for `-`. A device file such as /dev/null is written in place.
pub fn write_output(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return print(bytes);
    }
    let in_place = fs::metadata(path).is_ok_and(|data| !data.is_file());
    let result = if in_place { fs::write(path, bytes) } else { write_whole(path, bytes) };
    result.map_err(|error| Failure::rejected(format!("{}: cannot be written: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("missing/out");
        assert!(write_output(&path, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("list").count(), 0);
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("out");
        write_output(&path, b"first, longer").expect("write");
        write_output(&path, b"second").expect("write");
        assert_eq!(fs::read(&path).expect("read"), b"second");
        assert_eq!(fs::read_dir(folder.path()).expect("list").count(), 1);
    }
}
