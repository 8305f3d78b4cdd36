//! Compiles the C++ shim and links lld's ELF driver; with the feature `static-llvm`, also links
//! LLVM statically.
//!
//! `llvm-config` comes from `LLVM_SYS_191_PREFIX` (see `.cargo/config.toml`), the variable that
//! llvm-sys reads too. *Invariant:* a static build needs no C++ or LLVM library at run time: LLVM,
//! lld, zlib, zstd and libstdc++ are linked in.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const SHIM: [&str; 7] = [
    "shim/closure.cpp",
    "shim/emit.cpp",
    "shim/link.cpp",
    "shim/passes.cpp",
    "shim/stage1.cpp",
    "shim/translate.cpp",
    "shim/vector.cpp",
];
const LLD: [&str; 2] = ["lldELF", "lldCommon"];
/// LLVM functions by which lld reads and writes files, and their replacements in `shim/link.cpp`.
const RENAMED: [(&str, &str); 2] = [
    ("_ZN4llvm12MemoryBuffer7getFileERKNS_5TwineEbbbSt8optionalINS_5AlignEE", "sinter_lld_read"),
    ("_ZN4llvm16FileOutputBuffer6createENS_9StringRefEmj", "sinter_lld_create"),
];
const PACKAGES: &str = "llvm-19-dev libpolly-19-dev clang-19 libclang-19-dev liblld-19-dev lld-19 libomp-19-dev libclc-19 libzstd-dev zlib1g-dev libxml2-dev cmake";
/// LLVM's names of the targets in a static build: those of the existing and the planned backends.
const TARGETS: [&str; 3] = ["X86", "NVPTX", "AMDGPU"];
/// LLVM components used beside the targets; `lto` and `option` are for lld.
const COMPONENTS: [&str; 7] = ["passes", "lto", "option", "linker", "irreader", "bitreader", "bitwriter"];
/// Suffixes of the functions that register LLVM's targets, after `LLVMInitialize<target>`.
const REGISTRATIONS: [&str; 6] = ["TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser", "Disassembler"];

fn llvm_config(arguments: &[&str]) -> String {
    run(llvm_tool("llvm-config").args(arguments))
}

fn llvm_tool(name: &str) -> Command {
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    Command::new(PathBuf::from(prefix).join("bin").join(name))
}

/// Runs an LLVM tool; returns its standard output.
fn run(command: &mut Command) -> String {
    match command.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => panic!(
            "cannot run {command:?}; on Debian: apt-get install {PACKAGES}\nor set LLVM_SYS_191_PREFIX to an LLVM 19"
        ),
    }
}

/// Passes LLVM's version to `src/version.rs`, which compares it with the library loaded at run
/// time.
fn export_version() {
    let version = llvm_config(&["--version"]);
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    for name in ["MAJOR", "MINOR", "PATCH"] {
        println!("cargo:rustc-env=SINTER_LLVM_{name}={}", parts.next().unwrap_or("0"));
    }
}

/// Empty registration functions for all other targets. lld's driver registers every target that
/// LLVM was built with (`InitializeAllTargets` in its `initLLVM`), which would link all of them.
fn absent_targets() -> String {
    let built = llvm_config(&["--targets-built"]);
    let absent = built.split_whitespace().filter(|target| !TARGETS.contains(target));
    let functions =
        absent.flat_map(|target| REGISTRATIONS.map(|what| format!("void LLVMInitialize{target}{what}(void) {{}}\n")));
    functions.collect()
}

/// Replacement for the newest C library function in use, which arrived with glibc 2.36: libstdc++
/// calls it for `random_device`, lld for a kind of build ID that we do not request. With it, glibc
/// 2.34 is enough.
const ARC4RANDOM: &str = "#include <stdlib.h>
#include <unistd.h>
unsigned arc4random(void) {
  unsigned value;
  if (getentropy(&value, sizeof value) != 0)
    abort();
  return value;
}
";

/// Polly is an extension whose passes LLVM's link-time optimiser requests. lld contains that
/// optimiser but gets finished code only, so this is never called. The Polly library would add 2.4
/// MB, and options to register at each load.
const NO_POLLY: &str = "void _Z18getPollyPluginInfov(void) { abort(); }\n";
const POLLY: &str = "Polly";

/// Compiles the functions that a static build needs beside the archives.
fn compile_substitutes() {
    let file = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("substitutes.c");
    let text = ARC4RANDOM.to_owned() + NO_POLLY + &absent_targets();
    fs::write(&file, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
    cc::Build::new().file(file).warnings(false).compile("sinter_substitutes");
}

fn compile_shim() {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").include(llvm_config(&["--includedir"])).warnings(false);
    build.flag("-fno-rtti").flag("-fno-exceptions").flag("-fasynchronous-unwind-tables");
    if is_static() {
        build.cpp_link_stdlib(None);
    }
    for file in SHIM {
        println!("cargo:rerun-if-changed={file}");
        build.file(file);
    }
    build.compile("sinter_llvm_shim");
}

fn is_static() -> bool {
    env::var_os("CARGO_FEATURE_STATIC_LLVM").is_some()
}

/// Links an archive into the final artefact. It is not bundled into the rlib, which would then
/// contain all of LLVM.
fn archive(name: &str) {
    println!("cargo:rustc-link-lib=static:-bundle={name}");
}

/// Links lld's archives, with the functions in `RENAMED` renamed.
fn link_lld() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo:rustc-link-search=native={}", folder.display());
    for name in LLD {
        let original = Path::new(&llvm_config(&["--libdir"])).join(format!("lib{name}.a"));
        let ours = format!("sinter_{name}");
        let renames = RENAMED.map(|(from, to)| format!("--redefine-sym={from}={to}"));
        run(llvm_tool("llvm-objcopy").args(renames).arg(original).arg(folder.join(format!("lib{ours}.a"))));
        println!("cargo:rustc-link-lib=static:-bundle={ours}");
    }
}

fn link_llvm_in() {
    let targets = TARGETS.map(str::to_lowercase);
    let components: Vec<&str> = targets.iter().map(String::as_str).chain(COMPONENTS).collect();
    let libraries = llvm_config(&[&["--link-static", "--libs"], &components[..]].concat());
    let names = libraries.split_whitespace().filter_map(|flag| flag.strip_prefix("-l"));
    names.filter(|name| !name.starts_with(POLLY)).for_each(archive);
    for name in ["z", "zstd", "stdc++"] {
        println!("cargo:rustc-link-search=native={}", folder_of(&format!("lib{name}.a")).display());
        archive(name);
    }
}

/// Folder in which the C++ compiler finds a library.
fn folder_of(library: &str) -> PathBuf {
    let compiler = cc::Build::new().cpp(true).get_compiler();
    let output = compiler.to_command().arg(format!("-print-file-name={library}")).output();
    let path = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    match Path::new(&path).parent() {
        // The compiler echoes the bare name of a library that it does not find.
        Some(folder) if folder.is_absolute() => folder.to_owned(),
        _ => panic!("{library} was not found; on Debian: apt-get install {PACKAGES} g++"),
    }
}

fn link_llvm_dynamically() {
    // lld compresses and decompresses sections itself.
    for library in ["z", "zstd"] {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
}

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    export_version();
    compile_shim();
    println!("cargo:rustc-link-search=native={}", llvm_config(&["--libdir"]));
    link_lld();
    if is_static() {
        link_llvm_in();
        compile_substitutes();
    } else {
        link_llvm_dynamically();
    }
}
