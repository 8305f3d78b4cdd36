//! Turns what clang and `plugin/hip.cpp` make of HIP into what the rest of stage 1 knows.
//!
//! In: a module that clang compiled as the host's half of HIP. Out: kernel entries as SYCL has
//! them, local memory in its address space, variables of devices as objects of device globals; and
//! at the end kernels' handles with their descriptors. *Invariant:* nothing of clang's registration
//! is left, and a module that is not of HIP is not changed.

mod device_pass;
mod functions;
mod handles;
mod managed;
mod marks;
mod registration;
mod shared;
#[cfg(test)]
mod testing;
mod twins;
mod variables;

pub(crate) use {
    device_pass::{adopt as adopt_device_pass, report_missing},
    managed::resolve as resolve_managed,
    shared::LOCAL_SPACE,
    twins::prefer as prefer_twins,
    variables::has_type,
};

use crate::descriptors::Descriptor;
use sinter_llvm::{
    inkwell::{builder::BuilderError, module::Module},
    stage1::annotation::{self, FunctionAnnotation},
};
use std::collections::HashSet;

/// Prefix of our annotations.
const PREFIX: &str = "sinter_hip_";

/// Findings in a module of HIP.
#[derive(Debug, Default)]
pub(crate) struct Hip {
    kernels: Vec<handles::Launchable>,
    functions: Vec<functions::OfDevices>,
    /// Variables of devices that this unit defines.
    pub(crate) variables: Vec<String>,
}

/// Prepares a module; `None` if it is not of HIP.
pub(crate) fn prepare(module: &Module<'_>) -> Result<Option<Hip>, BuilderError> {
    let functions = annotation::function_annotations(module);
    let mut variables = annotation::variable_annotations(module);
    variables.extend(marks::in_sections(module));
    // In a parse for devices a variable is in the kernel and in its entry.
    let mut known = HashSet::new();
    variables.retain(|(variable, text)| known.insert((marks::name_of(*variable), text.clone())));
    let is_registered = registration::remove(module);
    let has_shared = shared::any_dynamic(module);
    let is_annotated = functions.iter().any(is_ours) || variables.iter().any(|(_, text)| is_prefixed(text));
    if !is_registered && !has_shared && !is_annotated {
        return Ok(None);
    }
    let hip = Hip {
        kernels: handles::launchable(&functions),
        functions: functions::of_devices(&functions),
        variables: marks::defined(&variables),
    };
    annotation::remove_annotations(module, is_prefixed);
    shared::place(module, &variables);
    let managed = managed::find(module, &variables);
    managed::replace_loads(module, &managed)?;
    variables::wrap(module, &variables, &managed);
    Ok(Some(hip))
}

impl Hip {
    /// Marks the kernels in device code, which may rely on warps.
    pub(crate) fn mark_kernels(&self, device: &Module<'_>) {
        handles::mark(device, &self.kernels);
    }

    /// Gives the handles of kernels their descriptors, and removes device code from host code.
    pub(crate) fn finish<'ctx>(&self, module: &Module<'ctx>, descriptors: &[Descriptor<'ctx>]) {
        handles::complete(module, &self.kernels, descriptors);
        functions::remove(module, &self.functions);
    }
}

fn is_ours(annotation: &FunctionAnnotation<'_>) -> bool {
    is_prefixed(&annotation.text)
}

fn is_prefixed(text: &str) -> bool {
    text.starts_with(PREFIX)
}
