//! `examples/cmake`, built by CMake outside the tree against the installation under test, and run.
//!
//! Both ways of `SinterConfig.cmake`: the project's own C++ compiler with kernels compiled beside it, and sinter-cc for all.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The installation under test: `SINTER_DIST`, else `dist/` of the workspace.
fn installation() -> PathBuf {
    env::var_os("SINTER_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from)
}

fn cmake(arguments: &[&str]) -> Output {
    Command::new("cmake").args(arguments).output().unwrap()
}

fn is_missing() -> bool {
    let missing = Command::new("cmake").arg("--version").output().is_err();
    if missing {
        println!("skipped: cmake is not installed");
    }
    missing
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Configures a copy of the example in `folder`.
fn configure(folder: &Path, options: &[String]) -> Output {
    let source = folder.join("source");
    fs::create_dir_all(&source).unwrap();
    for entry in fs::read_dir(workspace().join("examples/cmake")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, source.join(path.file_name().unwrap())).unwrap();
    }
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", installation().display());
    let (source, build) = (source.display().to_string(), folder.join("build").display().to_string());
    let mut arguments = vec!["-S", &source, "-B", &build, &prefix];
    arguments.extend(options.iter().map(String::as_str));
    cmake(&arguments)
}

fn build(folder: &Path) -> String {
    let built = cmake(&["--build", &folder.join("build").display().to_string()]);
    assert!(built.status.success(), "{}", text(&built));
    text(&built)
}

fn runs(folder: &Path) {
    let mut program = Command::new(folder.join("build/saxpy"));
    // The runtime warns of variables that start like its own and are none.
    program.env_remove("SINTER_DIST").env("SINTER_CACHE_DIR", folder.join("cache"));
    let output = program.output().unwrap();
    assert!(output.status.success() && text(&output).trim_end().ends_with(": 5"), "{}", text(&output));
}

#[test]
fn kernels_are_compiled_beside_files_of_another_compiler() {
    if is_missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let configured = configure(folder.path(), &["-DCMAKE_CXX_COMPILER=c++".to_owned()]);
    assert!(configured.status.success(), "{}", text(&configured));
    assert!(build(folder.path()).contains("Building kernels of saxpy.cpp"));
    runs(folder.path());
    assert!(!build(folder.path()).contains("Building"), "nothing changed");
    let header = folder.path().join("source/saxpy.hpp");
    fs::write(&header, fs::read_to_string(&header).unwrap() + "// changed\n").unwrap();
    assert!(build(folder.path()).contains("Building kernels of saxpy.cpp"), "a header of the kernels changed");
}

#[test]
fn sinter_cc_compiles_a_whole_project() {
    if is_missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let compiler = format!("-DCMAKE_CXX_COMPILER={}", installation().join("bin/sinter-cc").display());
    let configured = configure(folder.path(), &[compiler]);
    assert!(configured.status.success(), "{}", text(&configured));
    assert!(build(folder.path()).contains("CXX object"));
    runs(folder.path());
}

/// A project of another compiler: its flags in `CMAKE_CXX_FLAGS`, in checks and on targets.
const FOREIGN: &str = r#"cmake_minimum_required(VERSION 3.20)
project(foreign LANGUAGES CXX)
include(CheckCXXCompilerFlag)
foreach(FLAG -fsycl -fsycl-targets=spir64 -fsycl-unnamed-lambda --acpp-targets=generic)
  string(MAKE_C_IDENTIFIER "HAS${FLAG}" NAME)
  check_cxx_compiler_flag(${FLAG} ${NAME})
  if(NOT ${NAME})
    message(FATAL_ERROR "${FLAG} is not taken")
  endif()
endforeach()
check_cxx_compiler_flag(-fsycl-no-such-flag HAS_NO_SUCH_FLAG)
if(HAS_NO_SUCH_FLAG)
  message(FATAL_ERROR "a flag that nobody has is taken")
endif()
add_executable(program ${PROGRAM})
target_include_directories(program PRIVATE ${INCLUDE})
target_compile_options(program PRIVATE -fsycl -fsycl-targets=spir64_gen "SHELL:-Xs '-device pvc'")
target_link_options(program PRIVATE -fsycl -fsycl-targets=spir64_gen "SHELL:-Xs '-device pvc'")
"#;

#[test]
fn a_project_of_another_compiler_builds_with_its_flags() {
    if is_missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    fs::create_dir_all(&source).unwrap();
    fs::write(source.join("CMakeLists.txt"), FOREIGN).unwrap();
    let programs = workspace().join("tests/programs");
    let set = |name: &str, value: &dyn std::fmt::Display| format!("-D{name}={value}");
    let output = cmake(&[
        "-S",
        &source.display().to_string(),
        "-B",
        &folder.path().join("build").display().to_string(),
        &set("CMAKE_CXX_COMPILER", &installation().join("bin/sinter-cc").display()),
        "-DCMAKE_CXX_FLAGS=-fsycl -fsycl-device-code-split=per_kernel",
        &set("PROGRAM", &programs.join("local/tiled_matrix_product.cpp").display()),
        &set("INCLUDE", &programs.display()),
    ]);
    assert!(output.status.success(), "{}", text(&output));
    build(folder.path());
    let mut program = Command::new(folder.path().join("build/program"));
    program.env_remove("SINTER_DIST").env("SINTER_CACHE_DIR", folder.path().join("cache"));
    let output = program.output().unwrap();
    assert!(output.status.success() && text(&output).contains("PASS"), "{}", text(&output));
}

#[test]
fn an_incomplete_installation_is_named() {
    if is_missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("sinter/lib/cmake/Sinter");
    fs::create_dir_all(&package).unwrap();
    fs::copy(workspace().join("runtime/cmake/SinterConfig.cmake"), package.join("SinterConfig.cmake")).unwrap();
    let source = folder.path().join("project");
    fs::create_dir_all(&source).unwrap();
    let text_of_project = "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\nfind_package(Sinter REQUIRED)\n";
    fs::write(source.join("CMakeLists.txt"), text_of_project).unwrap();
    let prefix = format!("-DSinter_DIR={}", package.display());
    let (source, build) = (source.display().to_string(), folder.path().join("build").display().to_string());
    let output = cmake(&["-S", &source, "-B", &build, &prefix]);
    let message = text(&output);
    assert!(!output.status.success() && message.contains("sinter-cc") && message.contains("unpack"), "{message}");
}
