//! The collectives of GPUs, run by fibers that exchange values like the work-items of a warp
//! or a wave.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use std::process::Command;
use support::{folder, run, source, tool};

/// `kind` is the target's word for sub-groups.
fn exchange(kind: &str, name: &str, flags: &[&str]) {
    exchange_between(kind, &[kind], name, flags);
}

/// `sources` is the code that the fibers run.
fn exchange_between(kind: &str, sources: &[&str], name: &str, flags: &[&str]) {
    let program = folder(&format!("{kind}-{name}")).join("program");
    let mut compile = tool("clang++");
    // Debian 12's libgcc has no half precision conversions, so the CPU must have them.
    compile.args(["-std=c++17", "-O1", "-march=native", "-fwrapv", "-Wno-unknown-attributes"]).args(flags);
    compile.arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
    compile.arg("-include").arg(source(&format!("tests/{kind}.hpp"))).arg(source("tests/groups.cpp"));
    compile.args(sources.iter().map(|name| source(&format!("tests/{name}.cpp"))));
    run(compile.arg("-o").arg(&program));
    run(&mut Command::new(program));
}

#[test]
fn work_items_of_new_gpus_exchange_values() {
    exchange("warps", "new", &["-DARCHITECTURE=900", "-DLARGE_GROUPS"]);
}

#[test]
fn work_items_of_old_gpus_exchange_values() {
    exchange("warps", "old", &["-DARCHITECTURE=700"]);
}

/// Two generations and both wave sizes: from gfx10 on the halves of a wave of 64 exchange values
/// separately, and before gfx11 no instruction exchanges them between halves.
#[test]
fn work_items_of_waves_exchange_values() {
    exchange("waves", "gfx9", &["-DWAVE=64", "-DISA=9010", "-DLARGE_GROUPS"]);
    exchange("waves", "gfx10", &["-DWAVE=32", "-DISA=10300"]);
    exchange("waves", "gfx10-wide", &["-DWAVE=64", "-DISA=10300"]);
    exchange("waves", "gfx11-wide", &["-DWAVE=64", "-DISA=11000"]);
}

/// The features that determine how work-items exchange values.
const FEATURES: [&str; 6] = ["SUB_GROUPS", "VOTE", "ARITHMETIC", "SHUFFLE", "RELATIVE", "UNIFORM"];

/// From no sub-groups at all to all instructions; the sub-group sizes are those of CPUs and GPUs.
#[test]
fn work_items_of_devices_with_few_features_exchange_values() {
    for (width, features) in [
        ("1", &[][..]),
        ("8", &["SUB_GROUPS"]),
        ("16", &["SUB_GROUPS", "SHUFFLE", "VOTE"]),
        ("32", &["SUB_GROUPS", "ARITHMETIC", "RELATIVE", "UNIFORM"]),
        ("16", &FEATURES),
    ] {
        let mut flags = vec![format!("-DWIDTH={width}")];
        flags.extend(FEATURES.iter().map(|name| format!("-D{name}={}", u8::from(features.contains(name)))));
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        exchange_between("items", &["items", "item_groups"], &format!("{width}-{}", features.len()), &flags);
    }
}
