//! The only crate that calls LLVM and lld.
//!
//! In: inkwell values and plain Rust values. Out: the same. Everything that needs `unsafe`, the C++
//! shim or an LLVM version number is here. *Invariant:* no other crate on the compiler side
//! contains `unsafe` or depends on llvm-sys.

pub use inkwell;

pub mod kernel_hash;
pub mod stage1;

mod access;
mod arithmetic;
pub mod blocks;
mod bundle;
mod constant;
mod error;
mod float;
pub mod function;
mod global;
mod guard;
pub mod insert;
pub mod ir;
mod layout;
mod linker;
mod machine;
pub mod memory;
mod module;
pub mod operation;
pub mod place;
mod range;
mod session;
mod signature;
mod space;
mod text;
pub mod types;
mod unroll;
mod vector;
mod version;

pub use error::LlvmError;
pub use guard::poisoned;
pub use linker::link_shared;
pub use machine::{Emit, Level, Machine, host_cpu, host_features, host_triple};
pub use module::Module;
pub use session::Session;
pub use unroll::{Unroll, allow_unrolling};
pub use version::{BUILD_VERSION, newer_producer, runtime_version};
