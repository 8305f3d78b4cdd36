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
mod emission;
mod failure;
mod fingerprint;
mod inspection;
mod passes;
mod step_observer;
mod steps;
mod targets;
mod translate;
mod translator;

pub use backend::Format;
pub use emission::emit;
pub use fingerprint::FINGERPRINT;
pub use inspection::{ImageError, Kernels, assemble, functions, has_debug_info, kernels, variables};
#[doc(hidden)]
pub use sinter_llvm::memory::allocation_failed;
pub use steps::{Step, UnknownStep};
#[doc(hidden)]
pub use targets::spirv::legalised;
pub use targets::{
    check_target, native_target,
    spirv::{FriendlyError, friendly},
};
pub use translator::{LinkedTranslator, Product, inspect};
