//! The kernel and its target, as every part of the legaliser sees them.

use crate::{context::Context, device_module::DeviceModule};
use sinter_core::SpirvTarget;

/// The kernel, and what it is made legal for.
pub(super) struct Legaliser<'l, 's, 'r, S> {
    pub(super) cx: &'l Context<'s, 'r>,
    pub(super) target: &'l SpirvTarget,
    pub(super) m: &'l DeviceModule<'s, S>,
}
