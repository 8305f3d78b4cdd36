//! A small language of kernels with barriers, with its generators, interpreter and emitters.
//!
//! A kernel of the [`language`] is free of data races by construction: [`synchronize`] inserts the
//! necessary barriers. [`interpret`] is the oracle; [`llvm`] emits a kernel as device IR, which
//! [`execute`] translates and runs, and of which [`cases`] makes a case for any device; [`cpp`]
//! writes it as SYCL beside a plain loop nest. Kernels come from [`generate`] (random) and
//! [`systematic`] (the corpus).

pub(crate) mod cases;
pub(crate) mod cpp;
pub(crate) mod cpp_expression;
pub(crate) mod cpp_reference;
pub(crate) mod execute;
pub(crate) mod generate;
#[path = "../shared/host_cpu.rs"]
mod host_cpu;
pub(crate) mod interpret;
pub(crate) mod language;
pub(crate) mod llvm;
pub(crate) mod llvm_expression;
pub(crate) mod synchronize;
pub(crate) mod systematic;
