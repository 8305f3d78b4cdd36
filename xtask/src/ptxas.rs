//! Finds NVIDIA's assembler, with which the tests check generated PTX.
//!
//! In: `SINTER_PTXAS`, `PATH` or the network. Out: the path of a ptxas; otherwise the reason for
//! its absence, and the tests report what they skip.
//! *Invariant:* it stays in the target folder and is never shipped, since it is under NVIDIA's
//! licence.

use crate::{shell, wheel::Wheel};
use anyhow::{Context, Result};
use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The PyPI package with the assembler and libdevice of CUDA 12.9.
const PACKAGE: Wheel = Wheel {
    address: "https://files.pythonhosted.org/packages/25/48/b54a06168a2190572a312bfe4ce443687773eb61367ced31e064953dd2f7/\
        nvidia_cuda_nvcc_cu12-12.9.86-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
    sha256: "5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0",
};
/// Environment variable that passes the path to the tests.
pub(crate) const VARIABLE: &str = "SINTER_PTXAS";
/// Path of the assembler in the package; libdevice is in `nvvm/libdevice` beside its folder.
const PROGRAM: &str = "nvidia/cuda_nvcc/bin/ptxas";

/// Path of the assembler, which is fetched if needed.
pub(crate) fn find() -> Option<PathBuf> {
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let in_path =
        env::split_paths(&env::var_os("PATH").unwrap_or_default()).map(|folder| folder.join("ptxas")).collect();
    let fetched = folder().join(PROGRAM);
    let known: Vec<PathBuf> = [named.into_iter().collect(), in_path, vec![fetched.clone()]].concat();
    if let Some(found) = known.into_iter().find(|path| path.is_file()) {
        return Some(found);
    }
    match fetch(&fetched) {
        Ok(()) => Some(fetched),
        Err(error) => {
            eprintln!("xtask: no ptxas, so PTX is not assembled in the tests: {error:#}; set {VARIABLE} to one");
            None
        }
    }
}

fn folder() -> PathBuf {
    shell::target_folder().join("ptxas")
}

fn fetch(program: &Path) -> Result<()> {
    let folder = folder();
    shell::fresh_folder(&folder)?;
    PACKAGE.fetch(&folder)?;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("the package has no {PROGRAM}"))
}
