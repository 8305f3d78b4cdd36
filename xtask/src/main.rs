//! The commands of the project.
//!
//! In: `cargo xtask COMMAND`. Out: a built, tested or demonstrated project, or an error with
//! advice. *Invariant:* this crate depends on no other crate of the workspace, since it installs
//! the packages that they need to build.
#![forbid(unsafe_code)]

mod bench;
mod check;
mod demo;
mod dist;
mod first_functions;
mod gpu_test;
mod isolate;
mod licences;
mod numerics;
mod opencl;
mod portable;
mod ptxas;
mod release;
mod reliability;
mod report;
mod setup;
mod shell;
mod suites;
mod vulkan;
mod wheel;

use anyhow::{Result, bail};
use std::{env, process::ExitCode};

/// A command: name, description, and function, which gets the remaining arguments.
type Command = (&'static str, &'static str, fn(&[String]) -> Result<()>);

const COMMANDS: &[Command] = &[
    ("setup", "install the Debian packages that are missing, or say which", |args| {
        none(args)?;
        setup::setup()
    }),
    ("build", "build everything in release mode and leave an install tree in dist/", |args| {
        none(args)?;
        dist::build()
    }),
    (
        "dist",
        "make the archive for machines without LLVM; --check also runs programs from it with a C library and nothing else",
        release::dist,
    ),
    ("test", "set up, build, run all tests; further arguments go to `cargo test`", check::test),
    ("check", "formatting, clippy, tests and documentation, as the continuous integration does", |args| {
        none(args)?;
        check::check()
    }),
    ("demo", "set up, build, compile the samples once, run them twice, show where each kernel came from", |args| {
        none(args)?;
        demo::demo()
    }),
    ("opencl", "fetch Intel's OpenCL for CPUs (275 MB), on which `test` then runs SPIR-V", |args| {
        none(args)?;
        opencl::fetch()
    }),
    (
        "bench",
        "set up, build, run a suite of measurements: cpu, cuda or opencl; with --dist, of the tree behind the archive",
        bench::bench,
    ),
    (
        "gpu-test",
        "make an archive of tests for a machine with a GPU; --run [SUITE] also runs it here, or says why it cannot",
        gpu_test::gpu_test,
    ),
    (
        "reliability",
        "repeat kills, damage, shortages and the like against dist/ and count failures: [--seconds N] [--only NAME,...] [--seed N]",
        reliability::reliability,
    ),
    (
        "numerics",
        "measure the errors of functions with dist/ and write docs/numerics.md: [--page] [--targets host,host-rows,host-code,opencl] [--count LOG2] ...",
        numerics::numerics,
    ),
    (
        "first-functions",
        "renew the list by which the translator's library is laid out, from callgrind's files: FILE...",
        first_functions::first_functions,
    ),
];

fn none(args: &[String]) -> Result<()> {
    match args.first() {
        None => Ok(()),
        Some(first) => bail!("unexpected argument `{first}`; this command takes none"),
    }
}

fn usage() -> String {
    let lines = COMMANDS.iter().map(|(name, help, _)| format!("  cargo xtask {name:<12}{help}\n"));
    "Commands:\n".to_owned() + &lines.collect::<String>()
}

fn run(args: &[String]) -> Result<ExitCode> {
    let Some((name, rest)) = args.split_first() else {
        print!("{}", usage());
        return Ok(ExitCode::SUCCESS);
    };
    if ["help", "-h", "--help"].contains(&name.as_str()) {
        print!("{}", usage());
        return Ok(ExitCode::SUCCESS);
    }
    let Some((_, _, command)) = COMMANDS.iter().find(|(known, ..)| known == name) else {
        eprint!("xtask: there is no command `{name}`.\n{}", usage());
        return Ok(ExitCode::from(2));
    };
    if rest.first().is_some_and(|first| first == "--help" || first == "-h") && name != "bench" && name != "test" {
        print!("{}", usage());
        return Ok(ExitCode::SUCCESS);
    }
    command(rest)?;
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(if error.is::<setup::Missing>() { 2 } else { 1 })
        }
    }
}
