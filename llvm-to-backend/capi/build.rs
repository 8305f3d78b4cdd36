//! Compiles the shim, which replaces functions of the C library, and sets the link flags of
//! `libsinter_translate.so`.

const SHIM: [&str; 2] = ["shim/memory.c", "shim/no_destructors.c"];
/// Functions of the C library that are wrapped by `shim/memory.c`.
const WRAPPED: [&str; 6] = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for file in SHIM {
        println!("cargo::rerun-if-changed={file}");
    }
    // Whole, because other libraries define the same symbols.
    cc::Build::new().files(SHIM).link_lib_modifier("+whole-archive").compile("sinter_shim");
    for function in WRAPPED {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--wrap={function}");
    }
    // Missing symbols are link errors instead of load errors.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    // Keeps LLVM's 450 static constructors together, as GNU ld does by default: loading the library
    // touches fewer pages.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,keep-text-section-prefix");
}
