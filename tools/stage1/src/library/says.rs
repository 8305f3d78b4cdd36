//! The functions that say that an algorithm is left to the C++ library.
//!
//! In: a text. Out: a function that gives it to the runtime when it is called for the first time.
//! *Invariant:* a program that is linked without the runtime does nothing there, and a call costs a
//! load after the first one.

use crate::bind;
use sinter_llvm::inkwell::{
    AddressSpace, AtomicOrdering, IntPredicate,
    attributes::{Attribute, AttributeLoc},
    builder::BuilderError,
    context::ContextRef,
    module::{Linkage, Module},
    values::{BasicValue, FunctionValue, GlobalValue, InstructionValue, IntValue},
};

/// The function of the runtime; see `sinter/stdpar.h`.
const REPORT: &str = "sinter_stdpar_report";
const SAYS: &str = "sinter.stdpar.says";
const SAID: &str = "sinter.stdpar.said";

/// True if the module has such functions.
pub(super) fn is_made(module: &Module<'_>) -> bool {
    module.get_function(SAYS).is_some()
}

/// A function that says `text`, once.
pub(super) fn of<'ctx>(module: &Module<'ctx>, text: &str) -> Result<FunctionValue<'ctx>, BuilderError> {
    let (context, report) = (module.get_context(), report(module));
    let says = module.add_function(SAYS, context.void_type().fn_type(&[], false), Some(Linkage::Internal));
    for attribute in ["cold", "noinline", "nounwind"] {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        says.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
    }
    let [entry, check, first, end] = [(); 4].map(|()| context.append_basic_block(says, ""));
    let (builder, said) = (context.create_builder(), said(module, context));
    builder.position_at_end(entry);
    let null = report.as_global_value().as_pointer_value().get_type().const_null();
    let is_missing =
        builder.build_int_compare(IntPredicate::EQ, report.as_global_value().as_pointer_value(), null, "")?;
    builder.build_conditional_branch(is_missing, end, check)?;

    builder.position_at_end(check);
    let old = builder.build_load(context.i8_type(), said.as_pointer_value(), "")?;
    order(old.as_instruction_value());
    let is_new = builder.build_int_compare(IntPredicate::EQ, old.into_int_value(), byte(context, 0), "")?;
    builder.build_conditional_branch(is_new, first, end)?;

    builder.position_at_end(first);
    order(Some(builder.build_store(said.as_pointer_value(), byte(context, 1))?));
    builder.build_call(report, &[bind::string(module, text.as_bytes()).into()], "")?;
    builder.build_unconditional_branch(end)?;

    builder.position_at_end(end);
    builder.build_return(None)?;
    Ok(says)
}

/// Several threads may be the first one: each of them says the text, and the runtime logs it once.
fn order(access: Option<InstructionValue<'_>>) {
    if let Some(access) = access {
        // Loads and stores take this order.
        let _ = access.set_atomic_ordering(AtomicOrdering::Monotonic);
    }
}

fn byte(context: ContextRef<'_>, value: u64) -> IntValue<'_> {
    context.i8_type().const_int(value, false)
}

fn said<'ctx>(module: &Module<'ctx>, context: ContextRef<'ctx>) -> GlobalValue<'ctx> {
    let said = module.add_global(context.i8_type(), None, SAID);
    said.set_initializer(&byte(context, 0));
    said.set_linkage(Linkage::Internal);
    said
}

fn report<'ctx>(module: &Module<'ctx>) -> FunctionValue<'ctx> {
    let context = module.get_context();
    let ty = context.void_type().fn_type(&[context.ptr_type(AddressSpace::default()).into()], false);
    let known = module.get_function(REPORT);
    known.unwrap_or_else(|| module.add_function(REPORT, ty, Some(Linkage::ExternalWeak)))
}
