//! Lowers one kernel of a container to the machine code of one target.
//!
//! In: a [`TranslateRequest`](sinter_core::TranslateRequest). Out: a [`CodeObject`](sinter_core::CodeObject), or a
//! [`TranslateError`](sinter_core::TranslateError) that names stage, kernel and target.
//! *Invariant:* the result depends on the request alone, and no request ends the process.
#![forbid(unsafe_code)]

mod backend;
mod call_graph;
mod cfg;
mod context;
mod device_library;
mod device_module;
mod dump;
mod failure;
mod fingerprint;
mod growth;
mod image;
mod passes;
mod step;
mod steps;
mod targets;
mod translate;
mod translator;

pub use fingerprint::FINGERPRINT;
pub use image::{
    Format, ImageError, Kernels, assemble, check_target, emit, functions, has_debug_info, kernels, native_target,
    variables,
};
#[doc(hidden)]
pub use sinter_llvm::memory::allocation_failed;
pub use step::{Step, UnknownStep};
#[doc(hidden)]
pub use targets::spirv::legalised;
pub use targets::spirv::{FriendlyError, friendly};
pub use translator::{LinkedTranslator, Product, inspect};
