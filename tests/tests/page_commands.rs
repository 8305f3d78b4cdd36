//! Follows the commands of `README.md` and `CONTRIBUTING.md`.
//!
//! *Invariant:* programs, commands and names of files are those of the pages. Outputs are compared
//! in the parts that do not depend on the machine.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::projects::{Project, installation, run, text, workspace};
use std::{env, fs, process::Command};

/// The program that `CONTRIBUTING.md` debugs, completed around the kernel on the page.
const FAILING: &str = "#include <sycl/sycl.hpp>
#include <cstdio>
#include <cstdlib>

int main() {
  sycl::queue queue;
  int *values = sycl::malloc_shared<int>(1024, queue);
  try {
    queue.parallel_for<class fill>(sycl::range<1>(1024), [=](sycl::id<1> i) { KERNEL; }).wait();
  } catch (const sycl::exception &error) {
    std::puts(error.what());
    return 1;
  }
}
";
const KERNEL: &str = "values[i] = std::rand()";

fn page(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap()
}

/// A project with one file, if there is an installation.
fn project(file: &str, content: &str) -> Option<Project> {
    if !installation().join("bin/sinter-cc").exists() {
        println!("skipped: there is no installation in dist; run `cargo xtask build`");
        return None;
    }
    let project = Project::new(&[]);
    fs::create_dir_all(project.source()).unwrap();
    fs::write(project.source().join(file), content).unwrap();
    Some(project)
}

/// A command of a page, without the settings of the test run and the library path by which cargo
/// would give it the runtime of the build folder.
fn shell(project: &Project, command: &str) -> Command {
    let mut shell = Command::new("sh");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SINTER_")) {
        shell.env_remove(name);
    }
    shell.env_remove("LD_LIBRARY_PATH");
    let command = command.replace("dist/", &format!("{}/", installation().display()));
    shell.args(["-e", "-c", &command]).current_dir(project.source()).env("SINTER_CACHE_DIR", project.path("cache"));
    shell
}

/// The first block of C++ in a page.
fn program(page: &str) -> &str {
    page.split("```cpp\n").nth(1).and_then(|rest| rest.split_once("```")).map(|(block, _)| block).unwrap()
}

#[test]
fn the_program_of_the_readme_prints_what_stands_there() {
    let page = page("README.md");
    let Some(project) = project("saxpy.cpp", program(&page)) else { return };
    let commands = page.lines().filter_map(|line| line.strip_prefix("    $ "));
    let output: String = commands.map(|command| run(&mut shell(&project, command))).collect();
    assert!(output.starts_with("5 on "), "{output}");
    assert!(output.contains("main::$_0\n1 entries"), "{output}");
}

/// Runs a command that must fail; returns its output.
fn fail(project: &Project, command: &str) -> String {
    let output = shell(project, command).output().unwrap();
    assert!(!output.status.success(), "{command}");
    text(&output)
}

#[test]
fn a_launch_that_fails_is_debugged_as_contributors_are_told() {
    let page = page("CONTRIBUTING.md");
    assert!(page.contains(&format!("`{KERNEL}`")), "the page has another kernel");
    let Some(project) = project("fail.cpp", &FAILING.replace("KERNEL", KERNEL)) else { return };
    let error = fail(&project, "dist/bin/sinter-cc -g -O2 fail.cpp -o fail && SINTER_VISIBILITY_MASK=host ./fail");
    assert!(error.contains("cannot translate kernel `main::fill`") && error.contains("(step check)"), "{error}");
    let replay = error.lines().find_map(|line| line.strip_prefix("replay with: ")).expect("a request");
    let replayed = fail(&project, &format!("dist/bin/{replay} --dump steps"));
    assert!(replayed.contains("`rand`"), "{replayed}");
    let folder = fs::read_dir(project.source().join("steps")).unwrap().next().unwrap().unwrap().path();
    let listed = page.lines().filter(|line| line.starts_with("    0"));
    let listed: Vec<&str> = listed.flat_map(str::split_whitespace).collect();
    let missing: Vec<_> = listed.iter().filter(|name| !folder.join(name).exists()).collect();
    assert!(listed.len() > 10 && missing.is_empty(), "{missing:?} of {listed:?}");
    let last = listed.iter().filter(|name| name.ends_with(".ll")).max().unwrap();
    assert!(fs::read_to_string(folder.join(last)).unwrap().contains("@rand("), "{last}");
}
