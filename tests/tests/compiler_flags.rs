//! Runs command lines that were written for icpx and acpp.
//!
//! Each flag has its test in `tools/sinter-cc/src/foreign/tests.rs`; here whole command lines
//! compile, link and run programs with local memory over nd-ranges. *Invariant:* each test has its
//! own folder and cache.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::devices;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

const PROGRAMS: [&str; 2] = ["local/tiled_matrix_product.cpp", "nd_ranges/two_dimensions.cpp"];

const ICPX: &[&str] = &[
    "-fsycl",
    "-fsycl-targets=spir64_gen,nvptx64-nvidia-cuda",
    "-Xsycl-target-backend=spir64_gen",
    "-device pvc",
    "-Xsycl-target-backend",
    "--offload-arch=sm_80",
    "-Xs",
    "-options -ze-opt-large-register-file",
    "-fsycl-device-code-split=per_kernel",
    "-fsycl-unnamed-lambda",
    "-fno-sycl-id-queries-fit-in-int",
    "-fsycl-max-parallel-link-jobs=4",
    "-fno-sycl-rdc",
    "-Wno-sycl-strict",
    "-fp-model=precise",
    "-O3",
    "-Werror",
];

const ACPP: &[&str] = &[
    "--acpp-targets=omp.accelerated;cuda:sm_70,sm_80;generic",
    "--acpp-use-accelerated-cpu",
    "--acpp-gpu-arch=sm_80",
    "--hipsycl-platform=cuda",
    "--acpp-explicit-multipass",
    "--acpp-clang=/usr/bin/clang++",
    "--acpp-save-temps",
    "-O3",
    "-ffast-math",
    "-Werror",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn program(name: &str) -> PathBuf {
    workspace().join("tests/programs").join(name)
}

fn sinter_cc(folder: &TempDir, arguments: &[&str]) -> Output {
    let dist = env::var_os("SINTER_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from);
    let mut command = Command::new(dist.join("bin/sinter-cc"));
    command.current_dir(folder.path()).arg("-I").arg(workspace().join("tests/programs")).args(arguments);
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs sinter-cc, which must succeed, and returns its messages.
fn done(folder: &TempDir, arguments: &[&str]) -> String {
    let output = sinter_cc(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    text(&output)
}

fn passes(folder: &TempDir, name: &str) {
    let mut command = Command::new(folder.path().join(name));
    devices::settle(&mut command);
    let output = command.env("SINTER_CACHE_DIR", folder.path().join("cache")).output().unwrap();
    assert!(output.status.success() && text(&output).contains("PASS"), "{}", text(&output));
}

/// Compiles and links with `flags`, in one command and in two, and runs the programs.
fn builds_and_runs(flags: &[&str]) {
    for name in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let source = program(name).display().to_string();
        let said = done(&folder, &[flags, &[&source, "-o", "at_once"]].concat());
        assert_eq!(said.lines().count(), 1, "{said}");
        passes(&folder, "at_once");
        done(&folder, &[flags, &["-c", &source, "-o", "p.o"]].concat());
        done(&folder, &[flags, &["p.o", "-o", "in_two"]].concat());
        passes(&folder, "in_two");
    }
}

#[test]
fn a_command_line_for_icpx_works() {
    builds_and_runs(ICPX);
}

#[test]
fn a_command_line_for_acpp_works() {
    builds_and_runs(ACPP);
}

#[test]
fn what_is_not_needed_is_said_once_for_several_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.cpp", "b.cpp"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let line = ["-fsycl", "-fsycl-targets=spir64", "-c", "a.cpp", "b.cpp"];
    assert_eq!(done(&folder, &line).matches("-fsycl-targets=spir64").count(), 1);
    assert_eq!(done(&folder, &[&line[..], &["--sinter-no-note"]].concat()), "");
    assert_eq!(done(&folder, &["-fsycl", "-c", "a.cpp"]), "");
}

#[test]
fn flags_in_response_files_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let source = program(PROGRAMS[0]).display().to_string();
    fs::write(folder.path().join("flags.rsp"), "-fsycl -Xs '-device pvc' -O1").unwrap();
    done(&folder, &["@flags.rsp", &source, "-o", "program"]);
    passes(&folder, "program");
}

#[test]
fn what_cannot_be_done_is_refused_before_clang_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.cpp"), "int main() {}\n").unwrap();
    let advice = [("--acpp-pcuda", "-x cuda"), ("-fsycl-device-only", "--sinter-emit-hcf")];
    for (flag, advice) in advice {
        let output = sinter_cc(&folder, &[flag, "a.cpp", "-o", "a"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output).contains(advice), "{}", text(&output));
        assert!(!folder.path().join("a").exists());
    }
}

#[test]
fn a_program_without_kernels_may_be_left_to_clang() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#ifdef __SINTER__\n#error\n#endif\n#include <cstdio>\nint main() { std::puts(\"PASS\"); }\n";
    fs::write(folder.path().join("a.cpp"), source).unwrap();
    done(&folder, &["-fsycl", "-fno-sycl", "a.cpp", "-o", "a"]);
    passes(&folder, "a");
}
