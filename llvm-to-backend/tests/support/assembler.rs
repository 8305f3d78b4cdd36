//! NVIDIA's assembler as a checker.
//!
//! In: PTX. Out: true if the assembler accepts it. *Invariant:* no files are left behind.

use sinter_core::CodeObject;
use std::{env, fs, path::PathBuf, process::Command};

pub(crate) fn assembler() -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut found = env::split_paths(&folders).map(|folder| folder.join("ptxas"));
    env::var_os("SINTER_PTXAS").map(PathBuf::from).or_else(|| found.find(|path| path.is_file()))
}

pub(crate) fn assembled(code: &CodeObject, sm: u32, assembler: &PathBuf) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("folder");
    let input = folder.path().join("k.ptx");
    fs::write(&input, &code.bytes).expect("write");
    let output = folder.path().join("k.cubin");
    let result =
        Command::new(assembler).args(["-O1", &format!("-arch=sm_{sm}")]).arg(input).arg("-o").arg(output).output();
    let result = result.map_err(|error| error.to_string())?;
    if result.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&result.stderr).into_owned()) }
}
