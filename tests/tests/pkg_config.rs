//! Builds programs that find Sinter through pkg-config.
//!
//! *Invariant:* the file has no path of the machine on which it was made: a copy of the tree
//! elsewhere works as well.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::projects::{Project, copy, installation, is_there, run};
use std::{fs, path::Path, process::Command};

const PROGRAM: &str = "#include <sinter/sinter.h>
#include <stdio.h>
int main(void) {
  uint32_t count = 0;
  if (sinter_device_count(&count) != SINTER_SUCCESS) return 1;
  printf(\"%s with %s\\n\", sinter_version(), count ? \"devices\" : \"no device\");
  return 0;
}
";

fn pkg_config(tree: &Path, arguments: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", tree.join("lib/pkgconfig")).args(arguments).arg("sinter");
    run(&mut command).split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_c_program_is_compiled_and_runs_with_the_flags_of_a_tree_that_was_moved() {
    if !is_there("pkg-config") {
        return;
    }
    let project = Project::new(&[]);
    let tree = project.path("elsewhere");
    for folder in ["include", "lib/pkgconfig"] {
        copy(&installation().join(folder), &tree.join(folder));
    }
    fs::copy(installation().join("lib/libsinter.so"), tree.join("lib/libsinter.so")).unwrap();
    let source = project.path("program.c");
    fs::write(&source, PROGRAM).unwrap();
    let flags = pkg_config(&tree, &["--cflags", "--libs"]);
    run(Command::new("cc").arg(&source).arg("-o").arg(project.path("program")).args(flags));
    let version = pkg_config(&tree, &["--modversion"]).concat();
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!(project.run("program"), format!("{version} with devices\n"));
}

#[test]
fn the_compiler_for_kernels_is_a_variable() {
    if !is_there("pkg-config") {
        return;
    }
    let compiler = pkg_config(&installation(), &["--variable=cxx"]).concat();
    assert!(Path::new(&compiler).is_file(), "{compiler}");
}
