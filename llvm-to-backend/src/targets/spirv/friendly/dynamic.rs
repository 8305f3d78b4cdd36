//! Makes dynamic local memory a parameter.
//!
//! In: a kernel that uses the array of dynamic local memory. Out: a kernel with a pointer to it
//! after its other parameters, as the emitter declares it. *Invariant:* a kernel that uses none
//! stays unchanged.

use super::{super::local_memory::is_dynamic_array, error::FriendlyError};
use crate::targets::local_memory::LINE;
use sinter_core::names::readable;
use sinter_llvm::{
    Module,
    function::{KernelConvention, Parameter},
    ir::Value,
};

/// Attributes of pointer parameters.
const ATTRIBUTES: [&str; 7] = ["noalias", "readonly", "writeonly", "readnone", "nocapture", "align", "dereferenceable"];

pub(super) fn pass<'s>(module: &Module<'s>, kernel: Value<'s>) -> Result<Value<'s>, FriendlyError> {
    let Some(array) = module.globals().into_iter().find(|global| is_dynamic_array(*global)) else { return Ok(kernel) };
    if !array.is_used() {
        array.delete_global();
        return Ok(kernel);
    }
    let elsewhere = array.users().into_iter().map(Value::function).find(|function| *function != kernel);
    if let Some(function) = elsewhere {
        return Err(FriendlyError::Elsewhere { function: readable(&function.name()) });
    }
    let new = with_parameter(module, kernel, array);
    array.delete_global();
    Ok(new)
}

fn with_parameter<'s>(module: &Module<'s>, kernel: Value<'s>, array: Value<'s>) -> Value<'s> {
    let known = (0u32..).zip(kernel.parameters()).map(|(index, parameter)| Parameter {
        ty: parameter.ty(),
        in_memory: kernel.by_value_type(index).map(|ty| (ty, kernel.parameter_alignment(index).unwrap_or(1))),
    });
    let added = Parameter { ty: array.ty(), in_memory: None };
    let parameters: Vec<Parameter<'s>> = known.chain([added]).collect();
    let new = kernel.rebuilt(module, KernelConvention::Spirv, &parameters);
    for ((index, old), own) in (0u32..).zip(kernel.parameters()).zip(new.parameters()) {
        old.replace_uses(own);
        kernel.copy_parameter_attributes(index, new, index, &ATTRIBUTES);
    }
    if let Some((index, own)) = (0u32..).zip(new.parameters()).last() {
        new.add_parameter_alignment(index, LINE as u32);
        array.replace_uses(own);
    }
    kernel.delete();
    new
}
