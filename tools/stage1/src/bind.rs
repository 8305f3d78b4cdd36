//! Connects host code to the kernel descriptors.
//!
//! In: `__sinter_bind_kernel(&entry, slot)`. Out: `*slot = &descriptor`. *Invariant:* no such call is left.

use crate::{
    descriptors::Descriptor,
    error::{Cause, Reporter, Stage1Error},
};
use sinter_llvm::{
    demangle,
    inkwell::{builder::BuilderError, module::Module, values::FunctionValue},
    stage1::{
        call::{Call, calls},
        diagnose::Place,
        name, surgery,
    },
};

const BIND: &str = "__sinter_bind_kernel";

pub(crate) fn replace_calls<'ctx>(
    module: &Module<'ctx>,
    descriptors: &[Descriptor<'ctx>],
    reporter: &mut Reporter<'_>,
) -> Result<(), Stage1Error> {
    let Some(bind) = module.get_function(BIND) else { return Ok(()) };
    let is_bind = |call: &Call<'_>| call.function() == Some(bind);
    for function in module.get_functions() {
        for call in calls(function).iter().filter(|call| is_bind(call)) {
            match descriptor_of(call, descriptors) {
                Some(descriptor) => store(module, call, descriptor)?,
                None => report(function, call, reporter),
            }
        }
    }
    Ok(())
}

fn descriptor_of<'d, 'ctx>(call: &Call<'ctx>, descriptors: &'d [Descriptor<'ctx>]) -> Option<&'d Descriptor<'ctx>> {
    let entry = surgery::named_function(surgery::argument(call.instruction, 0)?)?;
    let symbol = name(entry);
    descriptors.iter().find(|descriptor| descriptor.symbol == symbol)
}

fn store<'ctx>(module: &Module<'ctx>, call: &Call<'ctx>, descriptor: &Descriptor<'ctx>) -> Result<(), BuilderError> {
    let Some(slot) = surgery::argument(call.instruction, 1) else { return Ok(()) };
    let builder = module.get_context().create_builder();
    builder.position_before(&call.instruction);
    builder.build_store(slot, descriptor.address)?;
    surgery::erase_call(call.instruction);
    Ok(())
}

fn report(function: FunctionValue<'_>, call: &Call<'_>, reporter: &mut Reporter<'_>) {
    let function = demangle(&name(function));
    reporter.report(Place::Instruction(call.instruction), &Cause::Bind { function });
}
