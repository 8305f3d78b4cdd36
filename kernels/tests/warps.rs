//! The collectives of NVIDIA's GPUs, run by threads of the CPU that exchange values as the work-items of a warp do.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use std::process::Command;
use support::{folder, run, source, tool};

fn exchange(name: &str, flags: &[&str]) {
    let program = folder(&format!("warps-{name}")).join("program");
    let mut compile = tool("clang++");
    // libgcc of Debian 12 has no conversions of half precision: the CPU must.
    compile.args(["-std=c++17", "-O1", "-march=native", "-pthread", "-fwrapv", "-Wno-unknown-attributes"]).args(flags);
    compile.arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
    compile.arg("-include").arg(source("tests/warps.hpp")).arg(source("tests/groups.cpp"));
    run(compile.arg(source("tests/warps.cpp")).arg("-o").arg(&program));
    run(&mut Command::new(program));
}

#[test]
fn work_items_of_new_gpus_exchange_values() {
    exchange("new", &["-DARCHITECTURE=900", "-DLARGE_GROUPS"]);
}

#[test]
fn work_items_of_old_gpus_exchange_values() {
    exchange("old", &["-DARCHITECTURE=700"]);
}
