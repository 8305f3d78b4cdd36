//! Runs the commands of `docs/install.md` as written. `prebuilt.rs` has those for Rust.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::projects::{Project, is_there};
use std::fs;

#[test]
fn cmake() {
    if is_there("cmake") {
        let project = Project::new(&["examples/cmake"]);
        project.follow("## CMake");
        assert!(project.run("source/build/saxpy").contains(": 5"));
    }
}

#[test]
fn cmake_for_projects_of_other_implementations() {
    if is_there("cmake") {
        let project = Project::new(&["examples/cmake", "tests/cmake/adaptivecpp"]);
        project.follow("### Projects for other SYCL implementations");
        assert!(project.run("source/build/saxpy").contains(": 5"));
    }
}

#[test]
fn pkg_config() {
    if is_there("pkg-config") {
        let project = Project::new(&[]);
        fs::create_dir_all(project.source()).unwrap();
        let program =
            "#include <sinter/sinter.h>\nint main(void) { return sinter_abi_version() != SINTER_ABI_VERSION; }\n";
        fs::write(project.source().join("program.c"), program).unwrap();
        project.follow("## pkg-config");
        project.run("source/program");
    }
}
