//! The legaliser on its own, for tests.
//!
//! In: IR text with kernels. Out: legal IR with the layout of the machine that we run on, so that a test can run it beside the original.

use super::legalise;
use crate::{
    call_graph::CallGraph,
    context::Context,
    device_module::{DeviceModule, Facts, Generic},
    failure::Failure,
    native_target,
};
use sinter_core::{Image, KernelConfig, OptLevel, SpirvTarget, Target, TranslateCause, TranslateRequest};
use sinter_llvm::{Machine, Session};

/// Legalises a module for a target, as if the machine that we run on had its address spaces.
#[doc(hidden)]
pub fn legalised(text: &str, kernel: &str, target: &SpirvTarget) -> Result<String, TranslateCause> {
    run(text, kernel, target).map_err(|failure| failure.0)
}

fn run(text: &str, kernel: &str, target: &SpirvTarget) -> Result<String, Failure> {
    let (session, host) = (Session::new()?, native_target());
    let machine = Machine::new(&host.triple, &host.cpu, &host.features, false)?;
    let mut config = KernelConfig::generic(kernel);
    config.opt_level = OptLevel::O0;
    let image = Image { hash: None, bytes: Vec::new().into() };
    let request =
        TranslateRequest { image, imports: vec![], libraries: vec![], target: Target::Spirv(target.clone()), config };
    let module = session.parse(text.as_bytes())?;
    module.set_target(&host.triple, &machine);
    let kernel = module.function(kernel).ok_or_else(|| Failure::internal("no such kernel"))?;
    let facts = Facts { calls: CallGraph::default(), ..Facts::default() };
    let m: DeviceModule<'_, Generic> = DeviceModule::new(module, kernel, facts);
    legalise(&Context { session: &session, machine: &machine, request: &request }, target, &m)?;
    m.module.verify()?;
    Ok(m.module.text())
}
