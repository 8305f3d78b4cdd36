//! Expands atomic operations that the hardware lacks into compare-exchange loops.
//!
//! In: read-modify-write operations of any width. Out: operations on 8 and 16 bits are
//! compare-exchange loops, which LLVM widens to 32 bits, and so are floating-point operations of
//! the hardware that may address host memory or another GPU's memory. *Invariant:* LLVM's AMDGPU
//! back end aborts the process on a narrow operation; it expands those that the hardware never has
//! itself. PCI Express has a compare-exchange but no floating-point addition, and LLVM 19.1.7
//! selects the hardware's instruction regardless.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::link_text,
    targets::gpu::atomics::changed,
};
use sinter_llvm::ir::{Opcode, Value};
use std::collections::BTreeMap;

/// Bytes of the narrowest atomic operation of the hardware.
const WORD: u64 = 4;
/// Address spaces of local and private memory, which no other agent can access.
const OWN_SPACES: [u32; 2] = [3, 5];
/// Orderings of a read-modify-write, with the failure ordering of its compare-exchange.
const ORDERINGS: [(&str, &str); 5] = [
    ("monotonic", "monotonic"),
    ("acquire", "acquire"),
    ("release", "monotonic"),
    ("acq_rel", "acquire"),
    ("seq_cst", "seq_cst"),
];

/// The compare-exchange loop. `OPERATION` computes `%new` from `%old` and `%v`.
const LOOP: &str = "\
define {t} @NAME({p} %p, {t} %v) alwaysinline nounwind {
entry:
  %first = load atomic {i}, {p} %p {scope}monotonic, align {size}
  br label %loop
loop:
  %seen = phi {i} [ %first, %entry ], [ %found, %loop ]
  %old = bitcast {i} %seen to {t}
{operation}
  %next = bitcast {t} %new to {i}
  %pair = cmpxchg {p} %p, {i} %seen, {i} %next {scope}{success} {failure}, align {size}
  %found = extractvalue { {i}, i1 } %pair, 0
  %done = extractvalue { {i}, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret {t} %old
}
";

/// Expands operations that are too narrow or may be lost. False if there are none.
pub(super) fn replace<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let operations = instructions.filter(|i| i.opcode() == Opcode::LLVMAtomicRMW);
    let spelled: Vec<_> = operations.filter(|i| i.ty().store_size(cx.machine) < WORD || is_lost(*i)).collect();
    let (mut functions, mut calls) = (BTreeMap::new(), Vec::new());
    for instruction in spelled {
        let Some(body) = body(cx, instruction) else { continue };
        let next = functions.len();
        let name = format!("sinter.atomic.{}", *functions.entry(body).or_insert(next));
        let types: Vec<_> = instruction.operands().into_iter().map(Value::ty).collect();
        if m.module.function(&name).is_none() {
            m.module.declare(&name, instruction.ty(), &types);
        }
        calls.push((instruction, name));
    }
    let text = functions.iter().map(|(body, index)| body.replace("NAME", &format!("sinter.atomic.{index}")));
    let text: String = text.collect();
    if text.is_empty() {
        return Ok(false);
    }
    link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
    for (instruction, name) in calls {
        let function = m.module.function(&name).ok_or_else(|| Failure::internal("an atomic was not linked"))?;
        let operands = instruction.operands();
        instruction.replace_uses(instruction.insert_before(|insert| insert.call(function, &operands)));
        instruction.erase();
    }
    Ok(true)
}

/// True if the hardware's operation may be lost: on floating-point numbers that are visible outside
/// of this GPU, and on vectors of two.
fn is_lost(instruction: Value<'_>) -> bool {
    let text = instruction.text();
    let Some((_, code)) = text.split_once("atomicrmw ") else { return false };
    let is = |name: &str| code.trim_start_matches("volatile ").starts_with(name);
    let own = instruction.operands().first().and_then(|place| place.address_space());
    let is_of_all = !code.contains("syncscope(") || code.contains("syncscope(\"one-as\")");
    let is_pair = instruction.ty().text().starts_with('<');
    !own.is_some_and(|space| OWN_SPACES.contains(&space))
        && (is("fadd ") && (is_pair || is_of_all) || (is("fmin ") || is("fmax ")) && !is_pair && is_of_all)
}

/// Definition of the function that replaces an instruction.
fn body(cx: &Context<'_, '_>, instruction: Value<'_>) -> Option<String> {
    let (text, ty, size) = (instruction.text(), instruction.ty().text(), instruction.ty().store_size(cx.machine));
    let (_, code) = text.split_once("atomicrmw ")?;
    let operation = changed(code.trim_start_matches("volatile ").split(' ').next()?, &ty)?;
    let (success, failure) = ORDERINGS.iter().find(|(name, _)| code.split([' ', ',']).any(|word| word == *name))?;
    let scope = code.split_once("syncscope(").and_then(|(_, rest)| rest.split_once(')'));
    let scope = scope.map(|(name, _)| format!("syncscope({name}) ")).unwrap_or_default();
    let parts = [
        ("{operation}", operation.as_str()),
        ("{t}", &ty),
        ("{i}", &format!("i{}", size * 8)),
        ("{p}", &instruction.operands().first()?.ty().text()),
        ("{scope}", &scope),
        ("{size}", &size.to_string()),
        ("{success}", success),
        ("{failure}", failure),
    ];
    Some(parts.iter().fold(LOOP.to_owned(), |body, (name, part)| body.replace(name, part)))
}
