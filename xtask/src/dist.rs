//! Builds the project and installs it into a folder.
//!
//! In: the workspace. Out: `dist/`, or another folder, with bin, lib, include and share.
//! *Invariant:* a file there is replaced only if it changed, and by a rename, so that a program
//! that runs from there keeps its libraries.

use crate::{setup, shell};
use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Installed packages that translate: they are linked statically with LLVM. A program that uses
/// LLVM itself then shares none with the translator, and the translator controls the parts of LLVM
/// that run while a process exits.
pub(crate) const TRANSLATING: [&str; 2] = ["sinter-translate-capi", "llvm-to-tool"];
const LINKED_IN: &str = "static-llvm";
/// The other installed packages.
pub(crate) const OTHERS: [&str; 7] =
    ["sinter", "sinter-stdpar", "sinter-stage1-plugin", "sinter-cc", "sinter-hcf", "sinter-info", "sinter-cache"];
/// Programs: name in the build folder, name in the installation.
const BINARIES: [(&str, &str); 5] = [
    ("sinter-cc", "sinter-cc"),
    ("sinter-hcf", "sinter-hcf"),
    ("sinter-info", "sinter-info"),
    ("sinter-cache", "sinter-cache"),
    ("llvm-to-tool", "llvm-to-host-tool"),
];
/// Links: name, target. The tool selects its family by the name it is called by, so LLVM is
/// installed once; the compiler takes the flags of the compiler whose name it has. The folders
/// `cuda` and `rocm` are for build systems that want an installation of NVIDIA's or AMD's.
const LINKS: [(&str, &str); 14] = [
    ("bin/hipcc", "sinter-cc"),
    ("bin/llvm-to-amdgpu-tool", "llvm-to-host-tool"),
    ("bin/llvm-to-ptx-tool", "llvm-to-host-tool"),
    ("bin/llvm-to-spirv-tool", "llvm-to-host-tool"),
    ("bin/nvcc", "sinter-cc"),
    ("share/sinter/cuda/bin/nvcc", "../../../../bin/sinter-cc"),
    ("share/sinter/cuda/include", "../../../include/cuda"),
    ("share/sinter/cuda/lib64/libcuda.so", "../../../../lib/libsinter.so"),
    ("share/sinter/cuda/lib64/libcudart.so", "../../../../lib/libsinter.so"),
    ("share/sinter/cuda/lib64/libcudart_static.so", "../../../../lib/libsinter.so"),
    ("share/sinter/cuda/lib64/libsinter.so", "../../../../lib/libsinter.so"),
    ("share/sinter/rocm/bin/hipcc", "../../../../bin/sinter-cc"),
    ("share/sinter/rocm/include", "../../../include"),
    ("share/sinter/rocm/lib", "../../../lib"),
];
const LIBRARIES: [&str; 5] =
    ["libsinter.so", "libsinter.a", "libsinter_stdpar.so", "libsinter_translate.so", "libsinter_stage1.so"];
/// The version of the workspace.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Folders that are copied as a whole: source, destination.
const FOLDERS: [(&str, &str); 10] = [
    ("runtime/cmake/compat", "share/sinter/cmake/compat"),
    ("runtime/include/CL", "include/CL"),
    ("runtime/include/sinter", "include/sinter"),
    ("runtime/include/sycl", "include/sycl"),
    ("runtime/include/stdpar", "include/stdpar"),
    ("runtime/include/hip", "include/hip"),
    ("runtime/include/cuda", "include/cuda"),
    ("kernels/samples", "share/sinter/samples"),
    ("examples/cmake", "share/sinter/examples/cmake"),
    ("docs", "share/sinter/docs"),
];
/// Folders with results of builds.
const BUILT: [&str; 2] = ["target", "build"];
const DOCUMENTS: [(&str, &str); 8] = [
    ("runtime/cmake/SinterConfig.cmake", "lib/cmake/Sinter/SinterConfig.cmake"),
    ("runtime/cmake/SinterInstall.cmake", "lib/cmake/Sinter/SinterInstall.cmake"),
    ("runtime/cmake/SinterKernels.cmake", "lib/cmake/Sinter/SinterKernels.cmake"),
    ("runtime/cmake/launch.sh", "lib/cmake/Sinter/launch.sh"),
    ("docs/archive.md", "share/sinter/README.md"),
    ("LICENSE-MIT", "share/sinter/licences/LICENSE-MIT"),
    ("LICENSE-APACHE", "share/sinter/licences/LICENSE-APACHE"),
    ("NOTICE", "share/sinter/licences/NOTICE"),
];

/// Files in which `@VERSION@` is replaced: template, destination.
const TEMPLATES: [(&str, &str); 2] = [
    ("runtime/cmake/SinterConfigVersion.cmake.in", "lib/cmake/Sinter/SinterConfigVersion.cmake"),
    ("runtime/pkgconfig/sinter.pc.in", "lib/pkgconfig/sinter.pc"),
];

/// Sets up, builds in release mode, updates `dist/`.
pub(crate) fn build() -> Result<()> {
    setup::setup()?;
    compile(|| shell::cargo(BUILD))?;
    let changed = install(&shell::target_folder().join("release"), &shell::dist_folder())?;
    eprintln!("xtask: dist/ is up to date ({changed} files changed)");
    Ok(())
}

/// The command that [`compile`] completes.
pub(crate) const BUILD: &[&str] = &["build", "--release"];

/// Package of the tests. What is built with it has the features that `cargo test --workspace`
/// selects for crates in common, which then does not compile the runtime again.
const TESTS: &str = "sinter-tests";

/// Builds everything that is installed, with commands made by `cargo`.
pub(crate) fn compile(cargo: impl Fn() -> Command) -> Result<()> {
    shell::run(cargo().args(OTHERS.iter().chain(&[TESTS]).flat_map(|name| ["-p", name])))?;
    // A separate build: a feature applies to all packages of one build, and the plugin must use
    // clang's LLVM.
    let features = TRANSLATING.map(|name| format!("{name}/{LINKED_IN}")).join(",");
    shell::run(cargo().args(TRANSLATING.iter().flat_map(|name| ["-p", name])).args(["--features", &features]))
}

/// Installs the results in `built` and files of the workspace into `dist`. Returns the number of
/// changed files.
pub(crate) fn install(built: &Path, dist: &Path) -> Result<usize> {
    let root = shell::root();
    let mut changed = 0;
    for (from, to) in TEMPLATES {
        changed += usize::from(fill(&root.join(from), &dist.join(to))?);
    }
    for (from, to) in BINARIES {
        changed += usize::from(copy(&built.join(from), &dist.join("bin").join(to))?);
    }
    for (name, target) in LINKS {
        changed += usize::from(link(target, &dist.join(name))?);
    }
    for name in LIBRARIES {
        changed += usize::from(copy(&built.join(name), &dist.join("lib").join(name))?);
    }
    for (from, to) in DOCUMENTS {
        changed += usize::from(copy(&root.join(from), &dist.join(to))?);
    }
    for (from, to) in FOLDERS {
        changed += mirror(&root.join(from), &dist.join(to))?;
    }
    Ok(changed)
}

/// Writes a template with the version of the workspace. Returns true if the file changed.
fn fill(template: &Path, to: &Path) -> Result<bool> {
    let text = fs::read_to_string(template).with_context(|| format!("cannot read {}", template.display()))?;
    write(to, text.replace("@VERSION@", VERSION).as_bytes())
}

/// Makes `to` equal to `from`, recursively. Returns the number of changes.
fn mirror(from: &Path, to: &Path) -> Result<usize> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let (mut wanted, present) = (names(from)?, names(to)?);
    wanted.retain(|name| !BUILT.iter().any(|built| name == built));
    let mut changed = 0;
    for name in present.difference(&wanted) {
        remove(&to.join(name))?;
        changed += 1;
    }
    for name in &wanted {
        let (from, to) = (from.join(name), to.join(name));
        changed += if from.is_dir() { mirror(&from, &to)? } else { usize::from(copy(&from, &to)?) };
    }
    Ok(changed)
}

fn names(folder: &Path) -> Result<BTreeSet<OsString>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|entry| Ok(entry.with_context(|| format!("cannot read {}", folder.display()))?.file_name())).collect()
}

fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.with_context(|| format!("cannot remove {}", path.display()))
}

/// Makes `name` a link. True if it was not this one before.
fn link(target: &str, name: &Path) -> Result<bool> {
    if fs::read_link(name).is_ok_and(|present| present == Path::new(target)) {
        return Ok(false);
    }
    let folder = name.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let temporary = temporary_name(name);
    std::os::unix::fs::symlink(target, &temporary)
        .and_then(|()| fs::rename(&temporary, name))
        .with_context(|| format!("cannot write {}", name.display()))?;
    Ok(true)
}

/// Copies a file with its permissions if the contents differ. True if they did.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<bool> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|present| present == bytes) {
        return Ok(false);
    }
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let temporary = temporary_name(to);
    fs::copy(from, &temporary)
        .and_then(|_| fs::rename(&temporary, to))
        .with_context(|| format!("cannot write {}; is the disk full or the folder read-only?", to.display()))?;
    Ok(true)
}

/// Writes a file if its contents differ. True if they did.
pub(crate) fn write(to: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(to).is_ok_and(|present| present == bytes) {
        return Ok(false);
    }
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let temporary = temporary_name(to);
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, to))
        .with_context(|| format!("cannot write {}; is the disk full or the folder read-only?", to.display()))?;
    Ok(true)
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    name.into()
}
