//! Compiles the shim, which replaces functions of the C library, and sets the link flags of
//! `libsinter_translate.so`.
//!
//! With LLVM linked in, the functions that first translations run are put together: the system then
//! maps them with a third of the page faults. `first_functions.txt` lists them as hashes, because
//! their names have 1.4 MB; `cargo xtask first-functions` renews it. A function that is missing in
//! the list, or has another name, only lies elsewhere.

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const SHIM: [&str; 2] = ["shim/memory.c", "shim/no_destructors.c"];
/// With LLVM linked in, the library relocates itself.
const RELOCATE: &str = "shim/relocate.c";
/// Flags of the linker for that: the addresses to relocate in a table of their own, the function
/// that reads it, and the pages to relocate at the start of a huge page.
const RELOCATE_FLAGS: [&str; 5] = [
    "--pack-dyn-relocs=relr",
    "--use-android-relr-tags",
    "-init=sinter_relocate",
    "-z,separate-loadable-segments",
    "-z,max-page-size=0x200000",
];
/// Functions of the C library that are wrapped by `shim/memory.c`.
const WRAPPED: [&str; 7] = ["malloc", "free", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup"];
/// Hashes of functions, a line each; an empty line begins another group.
const FIRST: &str = "first_functions.txt";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={FIRST}");
    let has_llvm = env::var_os("CARGO_FEATURE_STATIC_LLVM").is_some();
    let shim: Vec<&str> = SHIM.into_iter().chain(has_llvm.then_some(RELOCATE)).collect();
    for file in &shim {
        println!("cargo::rerun-if-changed={file}");
    }
    // Whole, because other libraries define the same symbols.
    cc::Build::new().files(&shim).link_lib_modifier("+whole-archive").compile("sinter_shim");
    for function in WRAPPED {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--wrap={function}");
    }
    // Missing symbols are link errors instead of load errors.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    // Keeps LLVM's 450 static constructors together, as GNU ld does by default: loading the library
    // touches fewer pages.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,keep-text-section-prefix");
    if has_llvm {
        for flag in RELOCATE_FLAGS {
            println!("cargo::rustc-cdylib-link-arg=-Wl,{flag}");
        }
        put_first_functions_together();
    }
}

/// Passes the names of the listed functions to the linker, in the order of the archives.
fn put_first_functions_together() {
    let list = fs::read_to_string(FIRST).unwrap_or_else(|error| panic!("cannot read {FIRST}: {error}"));
    let groups: Vec<&str> = list.split("\n\n").collect();
    let lines = groups.iter().enumerate().flat_map(|(group, lines)| lines.lines().map(move |line| (line, group)));
    let group_of: HashMap<u32, usize> =
        lines.filter_map(|(line, group)| Some((u32::from_str_radix(line, 16).ok()?, group))).collect();
    let names = names();
    let mut texts = vec![String::new(); groups.len()];
    for name in names.lines() {
        if let Some(group) = group_of.get(&hash(name)) {
            texts[*group] += &format!("{name}\n");
        }
    }
    let file = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("order.txt");
    fs::write(&file, texts.concat()).unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
    println!("cargo::rustc-cdylib-link-arg=-Wl,--symbol-ordering-file={}", file.display());
    println!("cargo::rustc-cdylib-link-arg=-Wl,--no-warn-symbol-ordering");
}

/// The names of all functions in LLVM's archives.
fn names() -> String {
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let prefix = Path::new(&prefix);
    let files = fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_archive = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "a");
    let mut archives: Vec<PathBuf> = files.filter(is_archive).collect();
    archives.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libLLVM")));
    archives.sort();
    let mut nm = Command::new(prefix.join("bin/llvm-nm"));
    nm.args(["--just-symbol-name", "--defined-only", "--quiet"]).args(archives);
    match nm.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => panic!("cannot run llvm-nm in {}", prefix.display()),
    }
}

/// FNV-1a, as in `xtask/src/first_functions.rs`.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
