//! Answers queries of device builtins about the device.
//!
//! In: calls of `__sinter_spirv_has_*`, `__sinter_spirv_sub_group_size`,
//! `__sinter_spirv_is_shader` and `__sinter_spirv_flat_*`. Out: constants, without the code that
//! they make unreachable. *Invariant:* no query remains. Runs at every optimisation level, since
//! unreachable code may use features that the device lacks.

use super::builtins::PREFIX;
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_core::{SpirvEnvironment, SpirvFeature, SpirvTarget};

const HAS: &str = "has_";
/// The sub-group size that the kernel requires; 0 for none.
const SUB_GROUP_SIZE: &str = "sub_group_size";
/// 1 in a shader for Vulkan.
const IS_SHADER: &str = "is_shader";
/// The work-group size along an axis, if such groups are launched as rows along x; else 0.
const FLAT: [&str; 3] = ["flat_x", "flat_y", "flat_z"];
/// Removes code that the answers make unreachable.
const FOLD: &str = "function(early-cse<>,instsimplify,simplifycfg),globaldce";

pub(super) fn answer<S>(cx: &Context<'_, '_>, target: &SpirvTarget, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let mut answered = false;
    for function in m.module.functions() {
        let name = function.name();
        let Some(query) = name.strip_prefix(PREFIX) else { continue };
        let answer = match query.strip_prefix(HAS) {
            Some(feature) => find(feature).map(|feature| u64::from(target.has(feature)))?,
            None if query == SUB_GROUP_SIZE => cx.config().sub_group_size.unwrap_or_default().into(),
            None if query == IS_SHADER => u64::from(target.environment == SpirvEnvironment::Vulkan),
            None => match FLAT.iter().position(|flat| *flat == query) {
                Some(axis) => cx.config().flat_group(cx.target()).map_or(0, |sizes| sizes[axis]).into(),
                None => continue,
            },
        };
        for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
            call.ty().constant(answer).into_iter().for_each(|answer| call.replace_uses(answer));
            call.erase();
            answered = true;
        }
    }
    if answered {
        m.module.run_passes(FOLD, None)?;
    }
    Ok(())
}

fn find(name: &str) -> Outcome<SpirvFeature> {
    let known = SpirvFeature::all().find(|feature| feature.name().replace('-', "_") == name);
    known.ok_or_else(|| Failure::internal(format!("a builtin asks for the feature `{name}`, which is not known")))
}
