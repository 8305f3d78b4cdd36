//! Compiles the C++ shim and links lld's ELF driver.
//!
//! `llvm-config` comes from `LLVM_SYS_191_PREFIX` (see `.cargo/config.toml`), the variable that llvm-sys reads too.

use std::{env, path::PathBuf, process::Command};

const SHIM: [&str; 2] = ["shim/stage1.cpp", "shim/translate.cpp"];
const PACKAGES: &str =
    "llvm-19-dev libpolly-19-dev clang-19 liblld-19-dev lld-19 libomp-19-dev libzstd-dev zlib1g-dev libxml2-dev cmake";

fn llvm_config(argument: &str) -> String {
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let tool = PathBuf::from(prefix).join("bin/llvm-config");
    let output = Command::new(&tool).arg(argument).output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => panic!(
            "cannot run {}; on Debian: apt-get install {PACKAGES}\nor set LLVM_SYS_191_PREFIX to an LLVM 19",
            tool.display()
        ),
    }
}

/// Hands LLVM's version to `src/version.rs`, which compares it with the library found at run time.
fn export_version() {
    let version = llvm_config("--version");
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    for name in ["MAJOR", "MINOR", "PATCH"] {
        println!("cargo:rustc-env=SINTER_LLVM_{name}={}", parts.next().unwrap_or("0"));
    }
}

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    export_version();
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").include(llvm_config("--includedir")).warnings(false);
    build.flag("-fno-rtti").flag("-fno-exceptions").flag("-fasynchronous-unwind-tables");
    for file in SHIM {
        println!("cargo:rerun-if-changed={file}");
        build.file(file);
    }
    build.compile("sinter_llvm_shim");
    println!("cargo:rustc-link-search=native={}", llvm_config("--libdir"));
    for library in ["lldELF", "lldCommon"] {
        println!("cargo:rustc-link-lib=static={library}");
    }
    // lld compresses and decompresses sections itself.
    for library in ["z", "zstd"] {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
}
