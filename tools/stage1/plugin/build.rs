//! Compiles the C++ part of the plugin, which uses clang's parser.
//!
//! Clang's headers come from `LLVM_SYS_191_PREFIX`, like LLVM's; its functions are those of the
//! clang that loads the plugin. *Invariant:* the object file is linked as a whole, because its
//! static constructors register the attributes and the part for HIP.

use std::{env, path::PathBuf};

const SOURCES: [&str; 6] =
    ["attributes.cpp", "hip.cpp", "hip_macros.cpp", "hip_text.cpp", "hip_twins.cpp", "hip_variables.cpp"];
const HEADERS: [&str; 5] =
    ["hip_architecture.hpp", "hip_entry.hpp", "hip_launches.hpp", "hip_twins.hpp", "hip_variables.hpp"];

/// Include folder of clang.
fn headers() -> PathBuf {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let headers = PathBuf::from(prefix).join("include");
    if !headers.join("clang/Sema/ParsedAttr.h").is_file() {
        panic!("{} has no headers of clang; on Debian: apt-get install libclang-19-dev", headers.display());
    }
    headers
}

fn main() {
    SOURCES.iter().chain(&HEADERS).for_each(|source| println!("cargo:rerun-if-changed={source}"));
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").include(headers()).warnings(false);
    build.flag("-fno-rtti").flag("-fno-exceptions").link_lib_modifier("+whole-archive");
    build.files(SOURCES).compile("sinter_plugin");
}
