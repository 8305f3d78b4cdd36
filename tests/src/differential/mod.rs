//! A small language of kernels with barriers, with its generators, interpreter and emitters.
//!
//! A kernel of the [`language`] is free of data races by construction: [`synchronize`] inserts the
//! necessary barriers. [`interpret`] is the oracle; [`llvm`] emits a kernel as device IR, which
//! [`execute`] translates and runs, and of which [`cases`] makes a case for any device; [`cpp`]
//! writes it as SYCL beside a plain loop nest. Kernels come from [`generate`] and
//! [`generate_sub_groups`] (random) and [`systematic`] (the corpus).

pub mod cases;
pub mod cpp;
pub mod cpp_expression;
pub mod cpp_reference;
pub mod cpp_statement;
pub mod execute;
mod fences;
pub mod generate;
pub mod generate_sub_groups;
#[path = "../../shared/host_cpu.rs"]
mod host_cpu;
pub mod interpret;
pub mod language;
pub mod llvm;
pub mod llvm_expression;
mod llvm_group;
pub mod synchronize;
pub mod systematic;
