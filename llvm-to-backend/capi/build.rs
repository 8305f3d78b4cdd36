//! Compiles what takes the place of a function of the C library, and sets the link flags of `libsinter_translate.so`.

const NO_DESTRUCTORS: &str = "shim/no_destructors.c";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={NO_DESTRUCTORS}");
    // Whole, because the C library has a definition too.
    cc::Build::new().file(NO_DESTRUCTORS).link_lib_modifier("+whole-archive").compile("sinter_no_destructors");
    // A symbol that is missing is found here, not when the library is opened.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    // Keeps LLVM's 450 static constructors together, as GNU ld does by itself: opening the library touches fewer pages.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,keep-text-section-prefix");
}
