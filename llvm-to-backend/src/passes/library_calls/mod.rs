//! Replaces operations that code generators lower to calls of a compiler's runtime library (libgcc,
//! compiler-rt).
//!
//! In: IR of any target after its optimiser, since the optimiser creates such operations itself
//! (`pow` becomes `llvm.powi`). Out: the same without conversions between floating-point numbers
//! and integers of 65 to 128 bits, divisions of such integers, `llvm.powi`, conversions to `bfloat`
//! that round twice, and operations that the machine is [`Missing`]. *Invariant:* every conversion
//! is rounded once, to nearest; the replacements are written once for all targets, refer to no
//! library, and contain no operation that needs replacement.
//!
//! Each function is IR text for the types of one instruction ([`shape`]), linked and inlined
//! ([`text`]). It may contain an operation that another one defines: a conversion of `double` to
//! `half` ends with one of `float`.

mod division;
mod integers;
mod moves;
mod narrow;
mod power;
mod shape;
pub(crate) mod text;

pub(crate) use self::{narrow::Missing, power::FAMILY as POWER, shape::WIDEST};

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_llvm::ir::Value;
use std::collections::HashMap;
use text::{Definition, Large};

/// Rounds that suffice: an intrinsic on a vector, its elements, their extension, their conversion.
const ROUNDS: usize = 8;

/// Replaces all such operations. False if there are none.
pub(crate) fn library_calls<S>(cx: &Context<'_, '_>, missing: &Missing, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let all = |instruction| division::definition(instruction).or_else(|| without_divisions(missing, instruction));
    prepare(cx, missing, m)?;
    replace(cx, missing, m, all)
}

/// Replaces all but divisions, so that the vectoriser sees existing instructions. Divisions that
/// become calls are replaced too: a vector function has the code of all its elements.
pub(crate) fn before_vectoriser<S>(cx: &Context<'_, '_>, missing: &Missing, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    prepare(cx, missing, m)?;
    let divisions = m.defined().into_iter().flat_map(Value::instructions).filter_map(division::definition);
    let mut uses = HashMap::new();
    divisions.for_each(|definition| *uses.entry(definition.text).or_insert(0) += 1);
    uses.retain(|text, uses| text::stays(text, *uses));
    let called = |definition: &Definition| uses.contains_key(&definition.text);
    replace(cx, missing, m, |instruction| {
        division::definition(instruction).filter(called).or_else(|| without_divisions(missing, instruction))
    })
}

/// Replacements that are not one function for one instruction.
fn prepare<S>(cx: &Context<'_, '_>, missing: &Missing, m: &DeviceModule<'_, S>) -> Outcome<()> {
    if missing.lacks_formats() {
        narrow::expand_atomics(cx, missing, m)?;
        moves::phis(cx.session, missing, m);
        moves::accesses(cx.session, missing, m);
    }
    Ok(())
}

fn without_divisions(missing: &Missing, instruction: Value<'_>) -> Option<Definition> {
    power::definition(instruction)
        .or_else(|| integers::definition(instruction))
        .or_else(|| narrow::definition(missing, instruction))
        .or_else(|| moves::definition(missing, instruction))
}

fn replace<'s, S>(
    cx: &Context<'s, '_>,
    missing: &Missing,
    m: &DeviceModule<'s, S>,
    definition: impl Fn(Value<'s>) -> Option<Definition>,
) -> Outcome<bool> {
    let large = if missing.wide_parameters { Large::Inlined } else { Large::Called };
    for round in 0..ROUNDS {
        let instructions = m.defined().into_iter().flat_map(Value::instructions);
        let due: Vec<_> = instructions.filter_map(|i| definition(i).map(|definition| (i, definition))).collect();
        if !text::replace(cx, m, &format!("sinter.library.{round}"), large, due)? {
            return Ok(round > 0);
        }
    }
    Ok(true)
}
