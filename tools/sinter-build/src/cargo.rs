//! Communication with cargo: environment variables of a build script, and directives on stdout.
//!
//! *Invariant:* this is the only file that reads the environment or prints.

use crate::error::BuildError;
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Reads an environment variable; a change of it reruns the build script.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    println!("cargo:rerun-if-env-changed={name}");
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Folder for build results.
pub(crate) fn out_dir() -> Result<PathBuf, BuildError> {
    env::var_os("OUT_DIR").map(PathBuf::from).ok_or(BuildError::Variable("OUT_DIR"))
}

/// Adds the folder of an installation's libraries to the run path, by which the package's programs
/// find the translator.
pub(crate) fn use_libraries(libraries: &Path) {
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libraries.display());
}

/// Links the package with the runtime in this folder.
pub(crate) fn link_runtime(libraries: &Path) {
    println!("cargo:rustc-link-search=native={}", libraries.display());
    println!("cargo:rustc-link-lib=dylib=sinter");
}

/// Reruns the build script if one of these files changes.
pub(crate) fn depend_on(files: impl IntoIterator<Item = PathBuf>) {
    files.into_iter().for_each(|file| println!("cargo:rerun-if-changed={}", file.display()));
}

/// Links an archive with all its objects: no symbol refers to an object that only registers
/// kernels.
pub(crate) fn link(folder: &Path, name: &str) {
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static:+whole-archive,-bundle={name}");
    println!("cargo:rustc-link-lib=dylib=stdc++");
}
