//! Builds and runs CMake projects outside the tree, with the installation under test.
//!
//! Covers both uses of `SinterConfig.cmake`: the project's own C++ compiler with sinter-cc for its
//! files with kernels, and sinter-cc for all files.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use serde_json::Value;
use sinter_tests::projects::{Project, compilers, copy, installation, is_there, run, workspace};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const EXAMPLE: &str = "examples/cmake";

/// Configures the example.
fn example(compiler: &Path, options: &[&str]) -> Project {
    let project = Project::new(&[EXAMPLE]);
    project.configure(&installation(), compiler, options);
    project
}

fn runs(project: &Project) {
    let text = project.run("build/saxpy");
    assert!(text.trim_end().ends_with(": 5"), "{text}");
}

#[test]
fn kernels_are_compiled_beside_files_of_another_compiler() {
    if !is_there("cmake") {
        return;
    }
    let project = example(Path::new("c++"), &[]);
    let is_built =
        |text: &str, name: &str| text.contains(&format!("Building CXX object CMakeFiles/saxpy.dir/{name}.o"));
    let text = project.build(&[]);
    assert!(is_built(&text, "saxpy.cpp") && is_built(&text, "main.cpp"), "{text}");
    runs(&project);
    assert!(!project.build(&[]).contains("Building"), "nothing changed");
    let header = project.source().join("saxpy.hpp");
    fs::write(&header, fs::read_to_string(&header).unwrap() + "// changed\n").unwrap();
    assert!(is_built(&project.build(&[]), "saxpy.cpp"), "a header of the kernels changed");
}

#[test]
fn sinter_cc_compiles_a_whole_project() {
    if !is_there("cmake") {
        return;
    }
    let project = example(&installation().join("bin/sinter-cc"), &[]);
    assert!(project.build(&[]).contains("CXX object"));
    runs(&project);
}

/// A project for another compiler: its flags in `CMAKE_CXX_FLAGS`, in checks and on targets.
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
    if !is_there("cmake") {
        return;
    }
    let project = Project::new(&[]);
    fs::create_dir_all(project.source()).unwrap();
    fs::write(project.source().join("CMakeLists.txt"), FOREIGN).unwrap();
    let programs = workspace().join("tests/programs");
    let program = format!("-DPROGRAM={}", programs.join("local/tiled_matrix_product.cpp").display());
    let include = format!("-DINCLUDE={}", programs.display());
    let flags = "-DCMAKE_CXX_FLAGS=-fsycl -fsycl-device-code-split=per_kernel";
    project.configure(&installation(), &installation().join("bin/sinter-cc"), &[flags, &program, &include]);
    project.build(&[]);
    assert!(project.run("build/program").contains("PASS"));
}

#[test]
fn an_incomplete_installation_is_named() {
    if !is_there("cmake") {
        return;
    }
    let project = Project::new(&[]);
    let package = project.path("sinter/lib/cmake/Sinter");
    fs::create_dir_all(&package).unwrap();
    fs::create_dir_all(project.source()).unwrap();
    fs::copy(workspace().join("runtime/cmake/SinterConfig.cmake"), package.join("SinterConfig.cmake")).unwrap();
    let text = "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\nfind_package(Sinter REQUIRED)\n";
    fs::write(project.source().join("CMakeLists.txt"), text).unwrap();
    let (success, message) = project.try_configure(&project.path("sinter"), Path::new("c++"), &[]);
    assert!(!success && message.contains("sinter-cc") && message.contains("unpack"), "{message}");
}

#[test]
fn a_file_may_be_named_twice_and_belong_to_two_targets() {
    if !is_there("cmake") {
        return;
    }
    let project = Project::new(&["tests/cmake/twice"]);
    project.configure(&installation(), Path::new("c++"), &[]);
    project.build(&[]);
    assert_eq!(project.run("build/with"), "answer: 42\n");
    assert_eq!(project.run("build/without"), "answer: 7\n", "the other target has no kernels");
}

/// Precompiled headers, link-time optimisation, unity files, a launcher, and warnings that clang
/// does not know.
#[test]
fn what_belongs_to_another_compiler_stays_out_of_kernels() {
    if !is_there("cmake") {
        return;
    }
    let project = Project::new(&[EXAMPLE, "tests/cmake/other_compiler"]);
    let prefixes = format!("{0};{0}/share/sinter/cmake/compat", installation().display());
    project.configure(Path::new(&prefixes), Path::new("c++"), &[]);
    project.build(&[]);
    runs(&project);
    assert!(project.run("build/whole").contains(": 5"));
}

#[test]
fn flags_of_a_configuration_reach_kernels() {
    if !is_there("cmake") {
        return;
    }
    for (configuration, answer) in [("Debug", "answer: 1\n"), ("Release", "answer: 2\n")] {
        let project = Project::new(&["tests/cmake/configurations"]);
        let option = format!("-DCMAKE_BUILD_TYPE={configuration}");
        project.configure(&installation(), Path::new("c++"), &[&option]);
        project.build(&[]);
        assert_eq!(project.run("build/answer"), answer);
    }
}

#[test]
fn flags_of_each_configuration_reach_kernels_in_one_build_folder() {
    if !is_there("cmake") || !is_there("ninja") {
        return;
    }
    let project = Project::new(&["tests/cmake/configurations"]);
    project.configure(&installation(), Path::new("c++"), &["-GNinja Multi-Config"]);
    project.build(&["--config", "Debug"]);
    project.build(&["--config", "Release"]);
    assert_eq!(project.run("build/Debug/answer"), "answer: 1\n");
    assert_eq!(project.run("build/Release/answer"), "answer: 2\n");
}

/// The command that compiles a file, split into words, from the project's `compile_commands.json`.
fn command_of(project: &Project, name: &str) -> Vec<String> {
    let text = fs::read_to_string(project.build_folder().join("compile_commands.json")).unwrap();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
    let is_entry = |entry: &&Value| entry["file"].as_str().is_some_and(|file| file.ends_with(&format!("/{name}")));
    let entry = entries.iter().find(is_entry).expect("an entry for the file");
    entry["command"].as_str().unwrap().split(' ').map(str::to_owned).collect()
}

/// A file of a configured project means the same to clang alone, without our driver, and to clangd.
fn tools_understand(project: &Project, name: &str) {
    let words = command_of(project, name);
    let ours = words[1..].iter().find(|word| word.contains("plugin") || word.starts_with("--sinter"));
    assert_eq!(ours, None, "{words:?}");
    run(Command::new("clang++-19").args(&words[1..]).arg("-fsyntax-only").current_dir(project.build_folder()));
    if let Some(clangd) = ["clangd", "clangd-19"].into_iter().find(|name| is_there(name)) {
        let database = format!("--compile-commands-dir={}", project.build_folder().display());
        let file = format!("--check={}", project.source().join(name).display());
        run(Command::new(clangd).arg(database).arg(file).env("XDG_CACHE_HOME", project.path("cache")));
    }
}

#[test]
fn tools_that_read_the_flags_of_kernels_understand_them() {
    if !is_there("cmake") {
        return;
    }
    let option = "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
    for compiler in compilers() {
        tools_understand(&example(&compiler, &[option]), "saxpy.cpp");
        let foreign = Project::new(&["examples/cmake", "tests/cmake/adaptivecpp"]);
        foreign.configure(&installation().join("share/sinter/cmake/compat"), &compiler, &[option]);
        ["main.cpp", "whole.cpp"].iter().for_each(|name| tools_understand(&foreign, name));
    }
}

/// A copy of the parts of the installation that the package needs. The test may remove it.
fn copy_of_installation(project: &Project) -> PathBuf {
    let to = project.path("sinter");
    for folder in ["include", "lib/cmake"] {
        copy(&installation().join(folder), &to.join(folder));
    }
    fs::create_dir(to.join("bin")).unwrap();
    for file in ["bin/sinter-cc", "lib/libsinter.so", "lib/libsinter_translate.so", "lib/libsinter_stage1.so"] {
        fs::copy(installation().join(file), to.join(file)).unwrap();
    }
    to
}

#[test]
fn an_installed_program_runs_without_the_installation() {
    if !is_there("cmake") {
        return;
    }
    for compiler in ["c++", "sinter-cc"] {
        let project = Project::new(&["tests/cmake/twice", "tests/cmake/installed"]);
        let sinter = copy_of_installation(&project);
        let compiler = if compiler == "c++" { PathBuf::from(compiler) } else { sinter.join("bin").join(compiler) };
        project.configure(&sinter, &compiler, &[]);
        project.build(&[]);
        let prefix = project.path("prefix");
        run(Command::new("cmake").arg("--install").arg(project.build_folder()).arg("--prefix").arg(&prefix));
        fs::remove_dir_all(&sinter).unwrap();
        fs::remove_dir_all(project.build_folder()).unwrap();
        fs::rename(&prefix, project.path("moved")).unwrap();
        assert_eq!(project.run("moved/bin/program"), "answer: 42\n");
    }
}
