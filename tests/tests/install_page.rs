//! The commands of `docs/install.md`, run as they stand there.
//!
//! In: the indented lines under a heading. Out: programs that they built, run. *Invariant:* nothing of a command is changed
//! but the folder of the archive, which becomes the installation under test.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod cmake_support;

use cmake_support::{Project, installation, is_there, run, workspace};
use std::{fs, process::Command};

/// Where the page says that the archive was unpacked.
const ARCHIVE: &str = concat!("/path/to/sinter-", env!("CARGO_PKG_VERSION"), "-x86_64");

/// The commands under a heading, up to the next.
fn commands(heading: &str) -> String {
    let page = fs::read_to_string(workspace().join("docs/install.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n{heading}\n")).expect("the heading");
    let section = section.split("\n#").next().unwrap_or_default();
    let lines: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert!(section.contains(ARCHIVE) && !lines.is_empty(), "{heading} has no commands");
    lines.join("\n").replace(ARCHIVE, &installation().display().to_string())
}

/// Runs the commands under a heading in the project's sources.
fn follow(project: &Project, heading: &str) {
    run(Command::new("sh").args(["-e", "-c", &commands(heading)]).current_dir(project.source()));
}

#[test]
fn cmake() {
    if is_there("cmake") {
        let project = Project::new(&["examples/cmake"]);
        follow(&project, "## CMake");
        assert!(project.run("source/build/saxpy").contains(": 5"));
    }
}

#[test]
fn cmake_for_projects_of_other_implementations() {
    if is_there("cmake") {
        let project = Project::new(&["examples/cmake", "tests/cmake/adaptivecpp"]);
        follow(&project, "### Projects for other SYCL implementations");
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
        follow(&project, "## pkg-config");
        project.run("source/program");
    }
}
