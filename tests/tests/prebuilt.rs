//! Builds a Rust program outside the tree as `docs/install.md` says, with the runtime of the
//! installation.
//!
//! The program is the example of `examples/rust` with another dependency. *Invariant:* cargo uses
//! neither the network nor results of earlier builds.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::projects::{Project, installation, run, text, workspace};
use std::{env, fs, process::Command, time::Instant};

/// Limit on the number of crates: those that the build scripts need for their errors, with a
/// margin.
const MAX_CRATES: usize = 12;

/// The example with the crate that links the installed runtime.
fn program() -> Project {
    let project = Project::new(&["examples/rust"]);
    let _ = fs::remove_file(project.source().join("Cargo.lock"));
    let path = |folder: &str| workspace().canonicalize().unwrap().join(folder).display().to_string();
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         sinter = {{ package = \"sinter-prebuilt\", path = \"{}\" }}\n\n[build-dependencies]\n\
         sinter-build = {{ path = \"{}\" }}\n",
        path("runtime/prebuilt"),
        path("tools/sinter-build")
    );
    fs::write(project.source().join("Cargo.toml"), manifest).unwrap();
    project
}

/// A cargo command for the project, without `SINTER_` settings of this run.
fn cargo(project: &Project, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SINTER_")) {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(project.source()).env("CARGO_NET_OFFLINE", "true");
    command.env("CARGO_TARGET_DIR", project.path("target"));
    command
}

#[test]
fn a_program_is_built_without_compiling_the_runtime() {
    let project = program();
    let start = Instant::now();
    let built = project.follow("## Rust");
    println!("built in {:.1} s", start.elapsed().as_secs_f64());
    let compiled: Vec<&str> = built.lines().filter(|line| line.contains("Compiling")).collect();
    assert!(compiled.len() <= MAX_CRATES && !built.contains("Compiling sinter v"), "{compiled:#?}");
    assert!(!built.contains("warning"), "{built}");
    let printed = project.run("source/target/release/outside");
    assert!(printed.ends_with("PASS\n"), "{printed}");
}

#[test]
fn the_crate_passes_its_own_tests_and_lints() {
    let project = program();
    let manifest = workspace().join("runtime/prebuilt/Cargo.toml").display().to_string();
    for arguments in [&["clippy", "--all-targets"][..], &["test", "--all-targets"]] {
        let mut command = cargo(&project, &[arguments, &["--manifest-path", &manifest]].concat());
        let output = run(command.env("SINTER_HOME", installation()));
        assert!(!output.contains("warning"), "{output}");
    }
}

#[test]
fn without_an_installation_the_build_says_what_to_set_and_where_to_get_it() {
    let project = program();
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&folders).filter(|folder| !folder.join("sinter-cc").exists());
    let mut command = cargo(&project, &["build"]);
    let output = command.env("PATH", env::join_paths(folders).unwrap()).output().unwrap();
    let message = text(&output);
    for part in ["SINTER_HOME is not set", "-x86_64.tar.xz", "cargo xtask build"] {
        assert!(!output.status.success() && message.contains(part), "{message}");
    }
}
