//! Projects that were written for other implementations of SYCL and HIP (`tests/cmake`), built
//! unchanged with Sinter.
//!
//! Most are built twice: with another compiler, where sinter-cc compiles the files with kernels,
//! and with sinter-cc. Right results prove that sinter-cc compiled the kernels: no other compiler
//! embeds them.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::projects::{Project, compilers, installation, is_there};
use std::path::PathBuf;

/// Builds the project and runs its programs.
fn builds_and_runs(name: &str, programs: &[&str]) {
    builds_with_and_runs(&["examples/cmake", &format!("tests/cmake/{name}")], &[], programs);
}

/// The same for a project that differs from another one in names alone: with a compiler of each
/// kind in turn.
fn is_also_built(name: &str, compiler: usize) {
    builds_by_and_runs(
        &compilers()[compiler..=compiler],
        &["examples/cmake", &format!("tests/cmake/{name}")],
        &[],
        &["saxpy"],
    );
}

fn builds_with_and_runs(folders: &[&str], options: &[&str], programs: &[&str]) {
    builds_by_and_runs(&compilers(), folders, options, programs);
}

fn builds_by_and_runs(compilers: &[PathBuf], folders: &[&str], options: &[&str], programs: &[&str]) {
    if !is_there("cmake") {
        return;
    }
    let name = folders.last().unwrap();
    for compiler in compilers {
        let project = Project::new(folders);
        project.configure(&installation().join("share/sinter/cmake/compat"), compiler, options);
        project.build(&[]);
        for program in programs {
            let text = project.run(&format!("build/{program}"));
            assert!(text.trim_end().ends_with(": 5"), "{name} with {}: {text}", compiler.display());
        }
    }
}

#[test]
fn adaptivecpp() {
    builds_and_runs("adaptivecpp", &["saxpy", "whole"]);
}

#[test]
fn hipsycl() {
    is_also_built("hipsycl", 0);
}

#[test]
fn opensycl() {
    is_also_built("opensycl", 1);
}

#[test]
fn intelsycl() {
    builds_and_runs("intelsycl", &["named", "whole", "saxpy"]);
}

#[test]
fn inteldpcpp() {
    is_also_built("inteldpcpp", 0);
}

#[test]
fn sycl() {
    is_also_built("sycl", 1);
}

#[test]
fn hip() {
    builds_and_runs("hip", &["hip_kernels", "hip_api", "cuda_api"]);
}

/// Builds a project with LANGUAGES CUDA or HIP, with both kinds of generators.
fn builds_in_its_language(name: &str, programs: &[&str]) {
    let toolchain = installation().join("share/sinter/cmake/compat/toolchain.cmake");
    let toolchain = format!("-DCMAKE_TOOLCHAIN_FILE={}", toolchain.display());
    let folders = [&*format!("tests/cmake/{name}")];
    builds_with_and_runs(&folders, &[&toolchain], programs);
    if is_there("ninja") {
        builds_with_and_runs(&folders, &[&toolchain, "-G", "Ninja"], programs);
    }
}

#[test]
fn language_cuda() {
    builds_in_its_language("language_cuda", &["linked_as_cxx", "linked_as_cuda"]);
}

#[test]
fn find_cuda() {
    let toolkit = format!("-DCUDA_TOOLKIT_ROOT_DIR={}", installation().join("share/sinter/cuda").display());
    builds_with_and_runs(&["tests/cmake/language_cuda", "tests/cmake/find_cuda"], &[&toolkit], &["program"]);
}

#[test]
fn language_hip() {
    builds_in_its_language("language_hip", &["kernels"]);
}
