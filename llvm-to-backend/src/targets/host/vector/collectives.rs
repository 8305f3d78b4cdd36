//! Links the part of a row in the collectives of a group.
//!
//! In: a kernel that calls functions `__sinter_row_*`, and the work-items that a call of the kernel
//! runs. Out: the same with the library's functions for rows of so many lanes. *Invariant:* in a
//! row they are inlined, since its lanes run them together; for single work-items they may stay
//! functions.

use super::{math::prepare, width::Calls};
use crate::{
    context::Context,
    device_library::DeviceLibrary,
    failure::{Failure, Outcome},
    targets::host::builtins::{ROW_IS_ALIGNED, ROW_IS_FULL, is_of_row},
};
use sinter_kernels::slices;
use sinter_llvm::{Module, ir::Value};

const INLINE: &str = "always-inline,globaldce";

/// Instructions that all inlined functions may have together where a row need not be. In a row they
/// grow tenfold.
pub(super) const MOST: usize = 10_000;
/// Calls of single work-items that are inlined.
const MOST_CALLS: usize = 64;

/// `UWTableKind::Async` (llvm/Support/CodeGen.h).
const UNWIND_TABLE_ASYNC: u64 = 2;

/// Links the functions that the kernel calls, and inlines them. Returns the instructions that the
/// kernel has more.
pub(super) fn link<'s>(cx: &Context<'s, '_>, module: &Module<'s>, kernel: Value<'s>, calls: Calls) -> Outcome<usize> {
    let is_called = |function: &Value<'s>| is_of_row(&function.name()) && function.is_used();
    let wanted: Vec<String> = module.functions().into_iter().filter(is_called).map(Value::name).collect();
    if wanted.is_empty() {
        return Ok(0);
    }
    let library = slices::host_rows(calls.lanes).ok_or_else(|| Failure::internal("no library for these rows"))?;
    for part in DeviceLibrary::Slices(library).parts(&wanted) {
        let part = cx.session.lazy_bitcode(&part)?;
        part.copy_target(module);
        module.link_needed(part)?;
    }
    answer(module, ROW_IS_ALIGNED, calls.aligned);
    answer(module, ROW_IS_FULL, calls.full);
    let function = |name: &String| module.function(name).filter(|function| !function.is_declaration());
    let functions: Vec<Value<'s>> = wanted.iter().filter_map(function).collect();
    if functions.len() < wanted.len() {
        return Err(Failure::internal("a function of rows was not linked"));
    }
    let calls_of_all: usize = functions.iter().map(|function| function.users().len()).sum();
    for function in functions {
        prepare(kernel, function);
        if calls.lanes == 1 && calls_of_all > MOST_CALLS {
            function.remove_attribute("alwaysinline");
            function.add_attribute("nounwind", 0);
            function.add_attribute("uwtable", UNWIND_TABLE_ASYNC);
        }
    }
    let before = kernel.instructions().len();
    module.run_passes(INLINE, Some(cx.machine))?;
    // Of an operation that is a literal, only the code for that is inlined.
    Ok(kernel.instructions().len().saturating_sub(before))
}

/// Replaces the calls of a query.
fn answer(module: &Module<'_>, query: &str, answer: bool) {
    let Some(function) = module.function(query) else { return };
    for call in function.users() {
        call.ty().constant(answer.into()).into_iter().for_each(|literal| call.replace_uses(literal));
        call.erase();
    }
}
