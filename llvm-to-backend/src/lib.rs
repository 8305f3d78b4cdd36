//! Lowers one kernel of a container to the machine code of one target.
//!
//! In: a [`TranslateRequest`](sinter_core::TranslateRequest). Out: a [`CodeObject`](sinter_core::CodeObject), or a
//! [`TranslateError`](sinter_core::TranslateError) that names stage, kernel and target.
//! *Invariant:* the result depends on the request alone, and no request ends the process.
#![forbid(unsafe_code)]

mod amdgcn;
mod backend;
mod call_graph;
mod cfg;
mod context;
mod device_module;
mod failure;
mod gpu;
mod growth;
mod host;
mod image;
mod legal;
mod library;
mod local_memory;
mod ptx;
mod spirv;
mod step;
mod steps;
mod translate;
mod translator;
mod trap_cause;
mod watch;

pub use image::{
    Format, ImageError, Kernels, assemble, check_target, emit, functions, has_debug_info, kernels, native_target,
    variables,
};
#[doc(hidden)]
pub use sinter_llvm::memory::allocation_failed;
#[doc(hidden)]
pub use spirv::legalised;
pub use spirv::{FriendlyError, friendly};
pub use step::{Step, UnknownStep};
pub use translator::{FINGERPRINT, LinkedTranslator, Product, inspect};
