//! The kernel and its target, shared by all parts of the legaliser.

use crate::{context::Context, device_module::DeviceModule};
use sinter_core::SpirvTarget;

/// The kernel, and the target that it is legalised for.
pub(super) struct Legaliser<'l, 's, 'r, S> {
    pub(super) cx: &'l Context<'s, 'r>,
    pub(super) target: &'l SpirvTarget,
    pub(super) m: &'l DeviceModule<'s, S>,
}
