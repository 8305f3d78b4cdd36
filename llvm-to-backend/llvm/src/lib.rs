//! The one crate that talks to LLVM and lld.
//!
//! In: inkwell values and plain Rust values. Out: the same. Everything that needs `unsafe`, the C++ shim or an
//! LLVM version number is here. *Invariant:* no other crate on the compiler side contains `unsafe` or depends on
//! llvm-sys.

pub use inkwell;
