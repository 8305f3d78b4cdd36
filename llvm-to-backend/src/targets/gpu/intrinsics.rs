//! The intrinsics that a code generator selects.
//!
//! *Invariant:* a name that is not in the dialect's list is an error with its place, because
//! instruction selection would abort the translator.

use super::dialect::Dialect;
use crate::{
    backend::first_use, context::Context, device_module::DeviceModule, failure::Outcome, passes::library_calls::POWER,
};
use sinter_llvm::ir::Value;

/// Removes `llvm.stacksave` and `llvm.stackrestore`, which have no effect without dynamic allocas.
/// [`super::check`] refuses those.
pub(crate) fn drop_stack_marks<S>(m: &DeviceModule<'_, S>) {
    let marks = |name: &str| {
        let functions = m.module.functions().into_iter().filter(|f| f.name().starts_with(name));
        functions.flat_map(|f| f.users().into_iter().filter(move |user| user.callee() == Some(f))).collect::<Vec<_>>()
    };
    marks("llvm.stackrestore").into_iter().for_each(Value::erase);
    for mark in marks("llvm.stacksave") {
        mark.ty().constant(0).into_iter().for_each(|null| mark.replace_uses(null));
        mark.erase();
    }
}

pub(crate) fn check<S>(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let unknown =
        |f: &Value<'_>| f.is_declaration() && f.is_used() && f.is_intrinsic() && !is_selected(dialect, &f.name());
    match m.module.functions().into_iter().find(unknown) {
        Some(function) => {
            let what = format!("the intrinsic `{}`", function.name());
            let hint =
                format!("{} has no instruction for it; write it as C++, or use a device builtin", dialect.machine);
            Err(cx.unsupported(what, first_use(function), &hint).into())
        }
        None => Ok(()),
    }
}

pub(crate) fn is_selected(dialect: &Dialect, name: &str) -> bool {
    let Some(name) = name.strip_prefix("llvm.") else { return false };
    let is = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    // Lowered after the optimiser, for all targets.
    if is(POWER) {
        return true;
    }
    let unselected = dialect.unselected.iter().any(|start| name.starts_with(start));
    !unselected
        && (dialect.intrinsics.iter().copied().flatten().any(|prefix| is(prefix))
            || dialect.operations.iter().any(|operation| is(operation.name)))
}
