//! Link flags of `libsinter.so`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Programs record this name instead of the path they were linked with.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsinter.so");
    // Threads of the drivers and thread-local destructors may run after the last handle is closed.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
