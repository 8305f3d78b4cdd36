//! Moves 16-bit floating-point numbers as integers.
//!
//! In: loads, stores, selects, phis and vector element operations of formats that the machine
//! lacks. Out: the same on `i16`, between bitcasts. *Invariant:* every value keeps its bits, and
//! accesses keep their metadata. LLVM's code generators would convert such a number to `float` and
//! back where they scalarise vectors, with library calls. Parameters and results of functions keep
//! their types.

use super::{
    narrow::{Missing, element},
    shape::Shape,
    text::Definition,
};
use crate::device_module::DeviceModule;
use sinter_llvm::{
    Session,
    ir::{Opcode, Type, Value},
};
use std::collections::HashMap;

/// A function with the same operation on `i16`. `None` if the instruction does not move such
/// numbers.
pub(super) fn definition(missing: &Missing, instruction: Value<'_>) -> Option<Definition> {
    let opcode = instruction.opcode();
    if !matches!(
        opcode,
        Opcode::LLVMSelect
            | Opcode::LLVMFreeze
            | Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
    ) {
        return None;
    }
    let operands = instruction.operands();
    let lacks = |ty: Type<'_>| missing.lacks(&element(ty));
    if !lacks(instruction.ty()) && !operands.first().is_some_and(|operand| lacks(operand.ty())) {
        return None;
    }
    let moved: Vec<_> = operands.iter().zip('a'..).map(|(value, name)| Moved::of(*value, name, &lacks)).collect();
    let casts: String = moved.iter().map(|operand| operand.cast.as_str()).collect();
    let (result, bits) = (instruction.ty().text(), bits(instruction.ty()));
    let list: Vec<_> = moved.iter().map(|operand| format!("{} {}", operand.ty, operand.name)).collect();
    let body = match opcode {
        Opcode::LLVMSelect => format!("  %m = select {}\n", list.join(", ")),
        Opcode::LLVMFreeze => format!("  %m = freeze {}\n", list[0]),
        Opcode::LLVMExtractElement => format!("  %m = extractelement {}\n", list.join(", ")),
        Opcode::LLVMInsertElement => format!("  %m = insertelement {}\n", list.join(", ")),
        _ => format!("  %m = shufflevector {}, {}, {}\n", list[0], list[1], mask(instruction)),
    };
    let end = format!("  %r = bitcast {bits} %m to {result}\n  ret {result} %r\n");
    Some(whole(&result, &operands, &[casts, body, end].concat()))
}

/// An operand; as `i16` if it is such a number.
struct Moved {
    cast: String,
    ty: String,
    name: String,
}

impl Moved {
    fn of(value: Value<'_>, name: char, lacks: &impl Fn(Type<'_>) -> bool) -> Moved {
        let ty = value.ty().text();
        if !lacks(value.ty()) {
            return Moved { cast: String::new(), ty, name: format!("%{name}") };
        }
        let bits = bits(value.ty());
        let cast = format!("  %{name}.m = bitcast {ty} %{name} to {bits}\n");
        Moved { cast, ty: bits, name: format!("%{name}.m") }
    }
}

fn bits(ty: Type<'_>) -> String {
    Shape::of(ty).with("i16")
}

fn mask(shuffle: Value<'_>) -> String {
    let mask = shuffle.shuffle_mask();
    let element = |index: &Option<u32>| index.map_or("i32 poison".to_owned(), |index| format!("i32 {index}"));
    let elements: Vec<_> = mask.iter().map(element).collect();
    format!("<{} x i32> <{}>", mask.len(), elements.join(", "))
}

fn whole(result: &str, operands: &[Value<'_>], body: &str) -> Definition {
    let named = operands.iter().zip('a'..).map(|(value, name)| format!("{} %{name}", value.ty().text()));
    let parameters = named.collect::<Vec<_>>().join(", ");
    let text = format!("define {result} @NAME({parameters}) alwaysinline nounwind {{\nentry:\n{body}}}\n");
    Definition { text, taken: (0..operands.len()).collect() }
}

/// Replaces phis of such numbers by phis of `i16`.
pub(super) fn phis<S>(session: &Session, missing: &Missing, m: &DeviceModule<'_, S>) {
    let instructions = || m.defined().into_iter().flat_map(Value::instructions);
    let is_due = |i: &Value<'_>| i.opcode() == Opcode::LLVMPHI && missing.lacks(&element(i.ty()));
    let old: Vec<_> = instructions().filter(is_due).collect();
    let new: Vec<_> = old.iter().map(|phi| with_bits(session, *phi)).collect();
    for (old, new) in old.iter().zip(&new) {
        let mut known = HashMap::new();
        for (block, value) in old.incoming() {
            let Some(end) = block.terminator() else { continue };
            // A predecessor that is listed twice has a single incoming value.
            let bits = *known
                .entry(block)
                .or_insert_with(|| end.insert_before(|b| b.cast(Opcode::LLVMBitCast, value, new.ty())));
            new.add_incoming(bits, block);
        }
    }
    old.into_iter().for_each(Value::erase);
}

/// Replaces loads and stores of such numbers by those of `i16`. They stay in place and keep their
/// metadata: the loop vectoriser relies on that of parallel loops and aliases.
pub(super) fn accesses<S>(session: &Session, missing: &Missing, m: &DeviceModule<'_, S>) {
    for access in m.defined().into_iter().flat_map(Value::instructions) {
        let Some(number) = accessed(access).filter(|number| missing.lacks(&element(*number))) else { continue };
        let bits = bits_type(session, number);
        match access.operands()[..] {
            [from] => load_as(access, from, bits),
            [value, to] => store_as(access, value, to, bits),
            _ => continue,
        }
        access.erase();
    }
}

/// The type that an instruction loads or stores. `None` for atomics and other instructions.
fn accessed<'s>(instruction: Value<'s>) -> Option<Type<'s>> {
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMStore if instruction.is_atomic() => None,
        Opcode::LLVMLoad => Some(instruction.ty()),
        Opcode::LLVMStore => instruction.operands().first().map(|value| value.ty()),
        _ => None,
    }
}

fn load_as<'s>(load: Value<'s>, from: Value<'s>, bits: Type<'s>) {
    let moved = load.insert_before(|b| b.load_aligned(bits, from, load.alignment(), load.is_volatile()));
    moved.copy_access_metadata(load);
    load.replace_uses(load.insert_before(|b| b.cast(Opcode::LLVMBitCast, moved, load.ty())));
}

fn store_as<'s>(store: Value<'s>, value: Value<'s>, to: Value<'s>, bits: Type<'s>) {
    let value = store.insert_before(|b| b.cast(Opcode::LLVMBitCast, value, bits));
    let moved = store.insert_before(|b| b.store_aligned(value, to, store.alignment(), store.is_volatile()));
    moved.copy_access_metadata(store);
}

fn bits_type<'s>(session: &'s Session, number: Type<'s>) -> Type<'s> {
    let short = session.integer(u16::BITS);
    Shape::of(number).lanes.map_or(short, |lanes| short.vector(lanes))
}

/// The `i16` phi that replaces `phi`, whose users get a bitcast of it.
fn with_bits<'s>(session: &'s Session, phi: Value<'s>) -> Value<'s> {
    let new = phi.insert_before(|b| b.phi(bits_type(session, phi.ty())));
    let first = phi.block().instructions().into_iter().find(|i| i.opcode() != Opcode::LLVMPHI);
    if let Some(first) = first {
        phi.replace_uses(first.insert_before(|b| b.cast(Opcode::LLVMBitCast, new, phi.ty())));
    }
    new
}
