//! Link flags of `libsinter_translate.so`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A symbol that is missing is found here, not when the library is opened.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    // Keeps LLVM's 450 static constructors together, as GNU ld does by itself: opening the library touches fewer pages.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,keep-text-section-prefix");
}
