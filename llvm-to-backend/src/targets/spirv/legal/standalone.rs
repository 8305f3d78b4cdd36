//! Runs the legaliser alone, for tests.
//!
//! In: IR text with kernels. Out: legal IR, which a test can run beside the original.

use super::legalise;
use crate::{
    call_graph::CallGraph,
    context::Context,
    device_module::{DeviceModule, Facts, Parsed},
    failure::Failure,
};
use sinter_core::{Image, KernelConfig, SpirvTarget, Target, TranslateCause, TranslateRequest};
use sinter_llvm::{Machine, Session};

/// The target machine of the backend.
const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// Legalises a module for a target. Types are laid out as on the machine that runs the translator.
#[doc(hidden)]
pub fn legalised(text: &str, kernel: &str, target: &SpirvTarget) -> Result<String, TranslateCause> {
    run(text, kernel, target).map_err(|failure| failure.cause)
}

fn run(text: &str, kernel: &str, target: &SpirvTarget) -> Result<String, Failure> {
    let session = Session::new()?;
    let machine = Machine::new(TRIPLE, "sm_70", "+ptx70", false)?;
    let config = KernelConfig::generic(kernel);
    let image = Image { hash: None, bytes: Vec::new().into() };
    let request =
        TranslateRequest { image, imports: vec![], libraries: vec![], target: Target::Spirv(target.clone()), config };
    let module = session.parse(text.as_bytes())?;
    module.set_target(TRIPLE, &machine);
    let kernel = module.function(kernel).ok_or_else(|| Failure::internal("no such kernel"))?;
    let facts = Facts { calls: CallGraph::default(), ..Facts::default() };
    let m: DeviceModule<'_, Parsed> = DeviceModule::new(module, kernel, facts);
    legalise(&Context { session: &session, machine: &machine, request: &request }, target, &m)?;
    m.module.verify()?;
    Ok(m.module.text())
}
