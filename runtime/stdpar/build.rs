//! Link flags of `libsinter_stdpar.so`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Programs record this name instead of the path they were linked with.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsinter_stdpar.so");
    // Blocks outlive every handle of the library.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
