//! The collectives of GPUs, run by threads of the CPU that exchange values as the work-items of a
//! warp or a wave do.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use std::process::Command;
use support::{folder, run, source, tool};

/// `kind` is what a sub-group is called there.
fn exchange(kind: &str, name: &str, flags: &[&str]) {
    exchange_between(kind, &[kind], name, flags);
}

/// `sources` are what the threads run.
fn exchange_between(kind: &str, sources: &[&str], name: &str, flags: &[&str]) {
    let program = folder(&format!("{kind}-{name}")).join("program");
    let mut compile = tool("clang++");
    // libgcc of Debian 12 has no conversions of half precision: the CPU must.
    compile.args(["-std=c++17", "-O1", "-march=native", "-pthread", "-fwrapv", "-Wno-unknown-attributes"]).args(flags);
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

/// Two generations and both widths: from gfx10 on the halves of a wide wave exchange by themselves,
/// and before gfx11 there is no instruction between them.
#[test]
fn work_items_of_waves_exchange_values() {
    exchange("waves", "gfx9", &["-DWAVE=64", "-DISA=9010", "-DLARGE_GROUPS"]);
    exchange("waves", "gfx10", &["-DWAVE=32", "-DISA=10300"]);
    exchange("waves", "gfx10-wide", &["-DWAVE=64", "-DISA=10300"]);
    exchange("waves", "gfx11-wide", &["-DWAVE=64", "-DISA=11000"]);
}

/// The features that decide how work-items exchange values.
const FEATURES: [&str; 6] = ["SUB_GROUPS", "VOTE", "ARITHMETIC", "SHUFFLE", "RELATIVE", "UNIFORM"];

/// From no sub-groups at all to all instructions; the sizes of sub-groups are those of CPUs and
/// GPUs.
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
