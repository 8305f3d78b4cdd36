//! What a kernel requires of its launches, against what the command line says of them.
//!
//! *Invariant:* code is made for no launch that the runtime would refuse.

use sinter_core::{AmdgcnTarget, KernelConfig, Target, amdgcn::Wave, container::Required};
use sinter_tool_common::ToolError;

/// Takes the required group size where none is given.
pub(crate) fn apply(required: Required, target: &Target, config: &mut KernelConfig) -> Result<(), ToolError> {
    let group_size = *config.group_size.get_or_insert(required.group_size.unwrap_or_default());
    match required.group_size {
        None if group_size == [0; 3] => config.group_size = None,
        Some(size) if size != group_size => {
            let spell = |size: [u32; 3]| size.map(|size| size.to_string()).join(",");
            let (kernel, size, given) = (&config.entry, spell(size), spell(group_size));
            let reason = format!("kernel `{kernel}` requires --group-size {size}, and {given} is given");
            return Err(ToolError::rejected(reason));
        }
        _ => {}
    }
    match (required.sub_group_size, target.sub_group_size()) {
        (Some(size), Some(has)) if size != has => {
            let (kernel, advice) = (&config.entry, advice(size, target));
            let reason =
                format!("kernel `{kernel}` requires sub-groups of {size}, those of {target} have {has}{advice}");
            Err(ToolError::rejected(reason))
        }
        _ => Ok(()),
    }
}

/// The same GPU with waves of another size, where it has them.
fn advice(size: u32, target: &Target) -> String {
    let wave = [Wave::Wave32, Wave::Wave64].into_iter().find(|wave| wave.size() == size);
    match (target, wave) {
        (Target::Amdgcn(gpu), Some(wave)) => {
            let other = AmdgcnTarget { wave, ..gpu.clone() }.to_string();
            let exists = other.parse::<AmdgcnTarget>().is_ok();
            if exists { format!("; pass --target {other}") } else { String::new() }
        }
        _ => String::new(),
    }
}
