//! Legalises intrinsics that SPIR-V has no instruction for.
//!
//! In: calls of any intrinsic of LLVM 19, on any type. Out: instructions, and the intrinsics that
//! [`super::accepted`] lists. *Invariant:* an operation on vectors is scalarised if the vector or
//! the operation is not accepted; a round may leave intrinsics on scalars for the next one. An
//! intrinsic without a definition here remains, and the check names it.

use super::{
    accepted::{self, INTRINSICS, intrinsic, is_family},
    arithmetic_templates, float_templates,
    intrinsic_call::IntrinsicCall,
    legaliser::Legaliser,
    transfer_templates, vector_templates,
};
use crate::{
    failure::Outcome,
    passes::library_calls::text::{self, Definition, Large},
};
use sinter_llvm::{
    ir::{Opcode, Value},
    types::TypeView,
};

/// Intrinsics without an observable effect.
const DROPPED: [&str; 16] = [
    "prefetch",
    "sideeffect",
    "donothing",
    "assume",
    "var.annotation",
    "pseudoprobe",
    "pcmarker",
    "invariant.end",
    "instrprof.increment",
    "instrprof.cover",
    "instrprof.timestamp",
    "clear_cache",
    // A request for a debugger; without one the program continues.
    "debugtrap",
    "stackrestore",
    "codeview.annotation",
    "fake.use",
];
/// Intrinsics that return their first operand.
const IDENTITIES: [&str; 9] = [
    "expect",
    "expect.with.probability",
    "launder.invariant.group",
    "strip.invariant.group",
    "ssa.copy",
    "arithmetic.fence",
    "annotation",
    "ptr.annotation",
    "preserve.static.offset",
];
/// Intrinsics with a constant result: the rounding mode is to nearest, and object sizes unknown to
/// the optimiser stay unknown.
const ANSWERS: [(&str, u64); 9] = [
    ("is.constant", 0),
    ("get.rounding", 1),
    ("flt.rounds", 1),
    ("allow.runtime.check", 1),
    ("allow.ubsan.check", 1),
    ("returnaddress", 0),
    ("frameaddress", 0),
    ("stacksave", 0),
    ("invariant.start", 0),
];
/// LLVM passes that expand intrinsics.
const PASSES: [(&str, &str); 7] = [
    ("masked.load", "function(scalarize-masked-mem-intrin)"),
    ("masked.store", "function(scalarize-masked-mem-intrin)"),
    ("masked.gather", "function(scalarize-masked-mem-intrin)"),
    ("masked.scatter", "function(scalarize-masked-mem-intrin)"),
    ("masked.expandload", "function(scalarize-masked-mem-intrin)"),
    ("masked.compressstore", "function(scalarize-masked-mem-intrin)"),
    ("matrix", "function(lower-matrix-intrinsics)"),
];
/// Intrinsics that other steps of the legaliser expand, most of them to IR text.
const SPELLED: [&str; 34] = [
    "bswap",
    "canonicalize",
    "convert.from.fp16",
    "convert.to.fp16",
    "experimental.vector",
    "frexp",
    "instrprof",
    "is.fpclass",
    "ldexp",
    "load.relative",
    "masked",
    "maximum",
    "maximumnum",
    "memcpy",
    "memmove",
    "memset",
    "minimum",
    "minimumnum",
    "nearbyint",
    "objectsize",
    "ptrmask",
    "sadd.with.overflow",
    "scmp",
    "smul.with.overflow",
    "sshl.sat",
    "ssub.with.overflow",
    "trap",
    "uadd.with.overflow",
    "ubsantrap",
    "ucmp",
    "umul.with.overflow",
    "ushl.sat",
    "usub.with.overflow",
    "vector",
];
/// All intrinsics that are legalised, emitted, or refused with a place. The check before the
/// optimiser uses this list, because the optimiser introduces many of them itself.
pub(crate) const KNOWN: [&[&str]; 6] =
    [&families(&INTRINSICS), &DROPPED, &IDENTITIES, &families(&ANSWERS), &families(&PASSES), &SPELLED];

/// The first column of a table.
const fn families<T: Copy, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let (mut names, mut row) = ([""; N], 0);
    while row < N {
        names[row] = table[row].0;
        row += 1;
    }
    names
}

/// Rounds that suffice: vectors, odd integers, and the intrinsics in their expansions.
const ROUNDS: usize = 6;

pub(super) fn replace<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    for (family, pass) in PASSES {
        if calls(l).iter().any(|(_, name)| is_family(name, family)) {
            l.m.module.run_passes(pass, Some(l.cx.machine))?;
        }
    }
    for round in 0..ROUNDS {
        simplify(l);
        let mut definitions = Vec::new();
        for (call, name) in calls(l) {
            if !accepted::has_intrinsic(l.target, call, &name) {
                definitions.extend(definition(call, &name).map(|definition| (call, definition)));
            }
        }
        if !text::replace(l.cx, l.m, &format!("sinter.legal.{round}"), Large::Inlined, definitions)? {
            break;
        }
    }
    Ok(())
}

/// All calls of intrinsics, with their names without `llvm.`.
fn calls<'s, S>(l: &Legaliser<'_, 's, '_, S>) -> Vec<(Value<'s>, String)> {
    let instructions = l.m.defined().into_iter().flat_map(Value::instructions);
    let calls = instructions.filter(|instruction| instruction.opcode() == Opcode::LLVMCall);
    calls.filter_map(|call| Some((call, intrinsic(call)?))).collect()
}

/// Replaces intrinsics whose expansion needs no function.
fn simplify<S>(l: &Legaliser<'_, '_, '_, S>) {
    for (call, name) in calls(l) {
        let is = |families: &[&str]| families.iter().any(|family| is_family(&name, family));
        let answer = ANSWERS.iter().find(|(family, _)| is_family(&name, family)).map(|(_, answer)| *answer);
        let answer = answer.or_else(|| object_size(call, &name));
        if accepted::has_intrinsic(l.target, call, &name) && !is_family(&name, "expect.with.probability") {
            continue;
        }
        if let Some(answer) = answer {
            call.ty().constant(answer).into_iter().for_each(|value| call.replace_uses(value));
            call.erase();
        } else if is(&IDENTITIES) {
            call.arguments().first().into_iter().for_each(|value| call.replace_uses(*value));
            call.erase();
        } else if is(&DROPPED) {
            call.erase();
        }
    }
}

/// An unknown size is the maximum or the minimum, as the second operand says.
fn object_size(call: Value<'_>, name: &str) -> Option<u64> {
    let least = call.arguments().get(1)?.integer();
    is_family(name, "objectsize").then(|| if least == Some(1) { 0 } else { u64::MAX })
}

/// Definition of the function that replaces a call.
fn definition(call: Value<'_>, name: &str) -> Option<Definition> {
    if let Some(definition) = transfer_templates::definition(call, name) {
        return Some(definition);
    }
    let arguments = call.arguments();
    let call_of = IntrinsicCall { name, arguments: &arguments, result: call };
    let text = vector_templates::whole(&call_of).or_else(|| {
        if arguments.iter().any(|argument| matches!(argument.ty().view(), TypeView::Vector(..))) {
            return vector_templates::elementwise(&call_of);
        }
        let body = arithmetic_templates::body(&call_of).or_else(|| float_templates::body(&call_of))?;
        Some(call_of.function(&body))
    })?;
    Some(Definition { text, taken: call_of.taken() })
}
