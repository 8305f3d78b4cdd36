//! Makes a module legal for the emitter.

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_core::SpirvTarget;

pub(super) fn legalise<S>(_: &Context<'_, '_>, _: &SpirvTarget, _: &DeviceModule<'_, S>) -> Outcome<()> {
    Ok(())
}
