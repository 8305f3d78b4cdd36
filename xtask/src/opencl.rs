//! Installs Intel's OpenCL runtime for CPUs, on which the tests run SPIR-V without a GPU that
//! supports it.
//!
//! In: `SINTER_OPENCL_RUNTIME`, a folder, or the target folder; with `cargo xtask opencl` the
//! network. Out: the environment in which OpenCL finds the runtime, or none if it was not fetched:
//! the tests then report what they skip.
//! *Invariant:* it is fetched only on request, since it is large, and it is never shipped, since it
//! is under Intel's licence.

use crate::{shell, wheel::Wheel};
use anyhow::{Context, Result, ensure};
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Environment variable with another folder.
const VARIABLE: &str = "SINTER_OPENCL_RUNTIME";
/// The runtime, the libraries it links, and oneTBB for its threads: 275 MB.
const WHEELS: [Wheel; 3] = [
    Wheel {
        address: "https://files.pythonhosted.org/packages/b9/ae/f011c86c610c631624d7caec75020d307080ddb0815d286b597b17e4e6e2/\
            intel_opencl_rt-2026.2.0-py2.py3-none-manylinux_2_28_x86_64.whl",
        sha256: "6b6215a420598b4999ee01caca6d5cbe106aa4155c46c52377619c5aafce9f67",
    },
    Wheel {
        address: "https://files.pythonhosted.org/packages/7a/60/c9232e85f37a7f9e40d800679341b27eae240e4992221b861e0f3882d109/\
            intel_cmplr_lib_rt-2026.2.0-py2.py3-none-manylinux_2_28_x86_64.whl",
        sha256: "9f713083073a820d2496a6da8e8d4f3482aba6640f74521d25ea48dcebe72748",
    },
    Wheel {
        address: "https://files.pythonhosted.org/packages/59/fd/8ca476c7b2513b1e64e08d3f5404c8ed19b34d0213000b5e23b3a91676c2/\
            tbb-2023.2.0-py2.py3-none-manylinux_2_28_x86_64.whl",
        sha256: "7d80615b6e970f11671fa05b6eaa9483ac864fbfe525ac280271a78b37870b7c",
    },
];
/// The runtime library, as passed to the OpenCL loader.
const LIBRARY: &str = "libintelocl.so";
/// Folder of the files that register platforms with the loader.
const VENDORS: &str = "vendors";

fn folder() -> PathBuf {
    env::var_os(VARIABLE).map_or_else(|| shell::target_folder().join("opencl"), |named| shell::root().join(named))
}

/// Fetches the runtime unless it is present.
pub(crate) fn fetch() -> Result<()> {
    let folder = folder();
    if is_there(&folder) {
        explain(&folder);
        return Ok(());
    }
    // The folder may belong to the user: only our own subfolders are emptied.
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let unpacked = folder.join("unpacked");
    for wheel in &WHEELS {
        shell::fresh_folder(&unpacked)?;
        wheel.fetch(&unpacked)?;
        take(&unpacked, &folder)?;
    }
    fs::remove_dir_all(&unpacked)?;
    ensure!(folder.join(LIBRARY).is_file(), "the packages have no {LIBRARY}");
    link_copies(&folder)?;
    // The file that marks a complete runtime is written last.
    let vendors = folder.join(VENDORS);
    shell::fresh_folder(&vendors)?;
    let file = vendors.join("intel.icd");
    fs::write(&file, folder.join(LIBRARY).display().to_string())
        .with_context(|| format!("cannot write {}", file.display()))?;
    explain(&folder);
    Ok(())
}

/// Prints how to run programs on it.
fn explain(folder: &Path) {
    let (place, vendors) = (folder.display(), folder.join(VENDORS));
    println!("Intel's OpenCL for CPUs is in {place}; `cargo xtask test` uses it. To run programs there:");
    println!("  export LD_LIBRARY_PATH={place} OCL_ICD_VENDORS={} SINTER_VISIBILITY_MASK=opencl", vendors.display());
}

/// Wheels cannot contain symbolic links, so they have the largest libraries two or three times.
fn link_copies(folder: &Path) -> Result<()> {
    let mut files = shell::files(folder)?;
    files.sort();
    let mut kept: Vec<(u64, PathBuf)> = Vec::new();
    for path in files {
        let size = fs::metadata(&path)?.len();
        let same = kept.iter().find(|(other, kept)| *other == size && is_copy(kept, &path));
        let Some((_, original)) = same else {
            kept.push((size, path));
            continue;
        };
        fs::remove_file(&path)?;
        fs::hard_link(original, &path).with_context(|| format!("cannot link {}", path.display()))?;
    }
    Ok(())
}

fn is_copy(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

/// Moves the libraries of an unpacked wheel, `NAME.data/data/lib/*`, and the files beside them.
fn take(unpacked: &Path, folder: &Path) -> Result<()> {
    for path in shell::files(unpacked)? {
        let Some(name) = path.file_name() else { continue };
        if path.parent().is_some_and(|parent| parent.ends_with("data/lib")) {
            fs::rename(&path, folder.join(name)).with_context(|| format!("cannot move {}", path.display()))?;
        }
    }
    Ok(())
}

fn is_there(folder: &Path) -> bool {
    folder.join(VENDORS).join("intel.icd").is_file()
}

/// The environment in which OpenCL finds the runtime, if that was fetched; otherwise says what is
/// not tested.
pub(crate) fn environment() -> Option<[(&'static str, OsString); 2]> {
    let folder = folder();
    if !is_there(&folder) {
        eprintln!("xtask: no OpenCL for CPUs, so SPIR-V is not run in the tests; `cargo xtask opencl` fetches it");
        return None;
    }
    let others = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders =
        std::iter::once(folder.clone()).chain(env::split_paths(&others).filter(|path| !path.as_os_str().is_empty()));
    let path = env::join_paths(folders).ok()?;
    Some([("LD_LIBRARY_PATH", path), ("OCL_ICD_VENDORS", folder.join(VENDORS).into())])
}

/// Lets a command find the runtime. True if it was fetched.
pub(crate) fn offer(command: &mut Command) -> bool {
    let environment = environment();
    let found = environment.is_some();
    command.envs(environment.into_iter().flatten());
    found
}

/// Makes the programs of tests run only there (tests/src/devices.rs).
pub(crate) fn demand(command: &mut Command) {
    let folder = folder();
    command.env("SINTER_TEST_DEVICES", "opencl").env("OCL_ICD_VENDORS", folder.join(VENDORS));
    command.env("SINTER_TEST_LIBRARY_PATH", folder);
}
