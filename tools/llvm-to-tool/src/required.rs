//! Compares the sizes that a kernel requires with those on the command line.
//!
//! *Invariant:* no code is made for a launch that the runtime would reject.

use sinter_core::{KernelConfig, Target, container::Required, names::readable, shape::LARGEST_GROUP};
use sinter_tool_common::ToolError;

/// Applies the required sizes if the command line gives none.
pub(crate) fn apply(required: Required, target: &Target, config: &mut KernelConfig) -> Result<(), ToolError> {
    let format_size = |size: [u32; 3]| size.map(|size| size.to_string()).join(",");
    let groups = [required.group_size, config.group_size].map(|size| size.map(format_size));
    agree(&config.entry, "--group-size", groups)?;
    config.group_size = config.group_size.or(required.group_size);
    check_group(target, config)?;
    let sub_groups = [required.sub_group_size, config.sub_group_size].map(|size| size.map(|size| size.to_string()));
    agree(&config.entry, "--sub-group-size", sub_groups)?;
    config.sub_group_size = config.sub_group_size.or(required.sub_group_size);
    check_sub_groups(required.sub_group_size.is_some(), target, config)
}

/// Rejects a work-group size that no device of the target runs. The translator checks the lower
/// limits of some targets. The host forms its own groups, which may be larger.
fn check_group(target: &Target, config: &KernelConfig) -> Result<(), ToolError> {
    let size = config.group_size.unwrap_or([1; 3]);
    let items = size.iter().fold(1, |items: u64, size| items.saturating_mul(u64::from(*size)));
    if items <= LARGEST_GROUP {
        return Ok(());
    }
    let (size, family) = (size.map(|size| size.to_string()).join(","), target.family());
    let limit = format!("at most {LARGEST_GROUP} work-items on {family} devices");
    Err(ToolError::rejected(format!("--group-size {size} has {items} work-items; a work-group has {limit}")))
}

/// Rejects a size that differs from the required one.
fn agree(kernel: &str, flag: &str, sizes: [Option<String>; 2]) -> Result<(), ToolError> {
    match sizes {
        [Some(required), Some(given)] if required != given => {
            let reason = format!("kernel `{}` requires {flag} {required}, and {given} is given", readable(kernel));
            Err(ToolError::rejected(reason))
        }
        _ => Ok(()),
    }
}

/// Rejects a size that the target does not have. The kernel requires it, or else the command line.
fn check_sub_groups(is_required: bool, target: &Target, config: &KernelConfig) -> Result<(), ToolError> {
    match (config.sub_group_size, target.sub_group_size()) {
        (Some(size), Some(has)) if !target.makes_sub_groups_of(size) => {
            let (kernel, advice) = (readable(&config.entry), advice(size, target));
            let others = (0..8).map(|power| 1 << power).filter(|size| target.makes_sub_groups_of(*size));
            let others: String = others.filter(|size| *size != has).map(|size| format!(", {size}")).collect();
            let reason = format!("sub-groups of {size}, those of {target} have {has}{others}{advice}");
            Err(if is_required {
                ToolError::rejected(format!("kernel `{kernel}` requires {reason}"))
            } else {
                ToolError::usage(format!("--sub-group-size asks for {reason}"))
            })
        }
        _ => Ok(()),
    }
}

/// Suggests the target with the required sub-group size, if the device supports it.
fn advice(size: u32, target: &Target) -> String {
    let other = target.with_sub_groups_of(size);
    other.map(|other| format!("; pass --target {}", other.name())).unwrap_or_default()
}
