//! Adds what the kernel imports from other images.
//!
//! In: a module whose imports are declarations. Out: the same with their definitions, builtins declared with
//! their own types, and nothing but the kernel visible from outside or thrown. *Invariant:* only what the kernel refers to is added, whatever the order of the images.

use crate::{
    context::Context,
    device_module::{Complete, DeviceModule, Parsed},
    failure::{Failure, Outcome},
    passes::{
        exceptions::drop_exceptions,
        images::{bad_bitcode, check_layout, normalise, read_image},
        signatures,
    },
};
use sinter_core::TranslateCause;
use sinter_llvm::{LlvmError, Module, ir::Value};
use std::collections::BTreeSet;

pub(crate) fn imports<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Parsed>) -> Outcome<DeviceModule<'s, Complete>> {
    let strong = strong_definitions(cx)?;
    drop_overridden(&m.module, &strong);
    while !cx.request.imports.is_empty() {
        let before = undefined_names(&m);
        link_all(cx, &m, &strong)?;
        if undefined_names(&m) == before {
            break;
        }
    }
    signatures::check(cx, &m)?;
    hide_all_but_kernel(&m);
    drop_exceptions(&m)?;
    Ok(m.advance())
}

/// Names that imports define strongly. Weak definitions of them elsewhere do not count, as for a
/// linker of host code.
fn strong_definitions(cx: &Context<'_, '_>) -> Outcome<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for image in &cx.request.imports {
        let import = read_image(cx.session, image)?;
        let strong = |f: &Value<'_>| !f.is_declaration() && f.is_visible() && !f.may_be_overridden();
        names.extend(import.functions().into_iter().filter(strong).map(Value::name));
    }
    Ok(names)
}

/// Drops the bodies of weak definitions that a strong one replaces.
fn drop_overridden(module: &Module<'_>, strong: &BTreeSet<String>) {
    let weak = module.functions().into_iter().filter(|function| function.may_be_overridden());
    weak.filter(|function| strong.contains(&function.name())).for_each(Value::drop_body);
}

fn link_all<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Parsed>, strong: &BTreeSet<String>) -> Outcome<()> {
    for image in &cx.request.imports {
        let import = read_image(cx.session, image)?;
        check_layout(cx, &import)?;
        drop_overridden(&import, strong);
        import.copy_target(&m.module);
        m.module.link_needed(import).map_err(import_failed)?;
    }
    m.module.verify().map_err(bad_bitcode)?;
    normalise(&m.module);
    Ok(())
}

fn import_failed(error: LlvmError) -> Failure {
    match error {
        LlvmError::Diagnostic { message } => TranslateCause::Import { message }.into(),
        other => other.into(),
    }
}

fn undefined_names(m: &DeviceModule<'_, Parsed>) -> Vec<String> {
    let globals = m.module.globals().into_iter().filter(|global| global.is_declaration());
    m.undefined().into_iter().chain(globals).map(Value::name).collect()
}

/// Nothing is linked from images after this, so that whole-program passes may work.
fn hide_all_but_kernel(m: &DeviceModule<'_, Parsed>) {
    let globals = m.module.globals().into_iter().filter(|global| !global.is_declaration());
    let functions = m.defined().into_iter().filter(|function| *function != m.kernel);
    globals.chain(functions).for_each(Value::make_internal);
}
