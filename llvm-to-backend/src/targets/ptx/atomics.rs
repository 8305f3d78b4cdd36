//! Lowers atomic operations to PTX instructions.
//!
//! In: LLVM's atomic instructions, of any size and ordering. Out: calls of functions with one PTX
//! instruction each, with its ordering, scope and state space. LLVM 19 drops the orderings and
//! scopes of most of them. *Invariant:* a sequentially consistent operation (`seq_cst`) follows a
//! `fence.sc` of its scope, the mapping of Lustig, Sahasrabuddhe and Giroux (ASPLOS 2019); private
//! memory, which PTX cannot access atomically, belongs to one work-item and is accessed
//! non-atomically.

use super::private_memory::{Answer, PrivateMemory, QUESTION};
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::link_text,
    targets::gpu::atomics::{changed, fits},
};
use sinter_core::TranslateCause;
use sinter_llvm::ir::{Opcode, Value};
use std::{collections::BTreeMap, fmt::Write};

/// Expands operations that are too narrow or have no instruction into compare-exchange loops of 32
/// or 64 bits.
const EXPAND: &str = "function(atomic-expand)";
/// Address spaces of LLVM's PTX back end and the state spaces of PTX.
const SPACES: [(u32, &str); 3] = [(0, ""), (1, ".global"), (3, ".shared")];
/// Scope names of IR and of PTX. An unknown scope becomes that of the system.
const SCOPES: [(&str, &str); 8] = [
    ("agent", "gpu"),
    ("agent-one-as", "gpu"),
    ("device", "gpu"),
    ("workgroup", "cta"),
    ("workgroup-one-as", "cta"),
    ("wavefront", "cta"),
    ("subgroup", "cta"),
    ("singlethread", "cta"),
];
/// Orderings from weak to strong, in IR syntax.
const ORDERINGS: [&str; 6] = ["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];

/// An atomic instruction, parsed from its IR.
struct Atomic {
    /// `load`, `store`, `fence`, `cmpxchg` or the operation of an `atomicrmw`.
    operation: String,
    /// The strongest of its orderings; acquire with release makes `acq_rel`.
    ordering: &'static str,
    scope: &'static str,
    single_thread: bool,
    /// True if the previous value is unused.
    is_reduction: bool,
}

impl Atomic {
    fn read(instruction: Value<'_>) -> Option<Atomic> {
        let text = instruction.text();
        let code = text.split_once(" = ").map_or(text.trim(), |(_, code)| code);
        let mut words = code.split([' ', ',']).filter(|word| !["volatile", "weak", "atomic"].contains(word));
        let mut operation = words.next()?.to_owned();
        if operation == "atomicrmw" {
            operation = words.next()?.to_owned();
        }
        let named =
            text.rsplit_once("syncscope(\"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(name, _)| name);
        let scope = SCOPES.iter().find(|(name, _)| *name == named).map_or("sys", |(_, scope)| scope);
        let found = |ordering: &&&str| code.split([' ', ',']).any(|word| word == **ordering);
        let orderings: Vec<&'static str> = ORDERINGS.iter().filter(found).copied().collect();
        let ordering = if orderings == ["acquire", "release"] { "acq_rel" } else { orderings.last()? };
        Some(Atomic {
            operation,
            ordering,
            scope,
            single_thread: named == "singlethread",
            is_reduction: !instruction.is_used(),
        })
    }

    /// The ordering suffix of a read-modify-write, such as `.relaxed`.
    fn semantics(&self) -> &'static str {
        match self.ordering {
            // The fence in front of a `seq_cst` operation already has release semantics.
            "acquire" | "seq_cst" => ".acquire",
            "release" => ".release",
            "acq_rel" => ".acq_rel",
            _ => ".relaxed",
        }
    }

    /// The fence in front of a `seq_cst` operation; empty for other orderings.
    fn fence(&self) -> String {
        if self.ordering == "seq_cst" { format!("fence.sc.{}; ", self.scope) } else { String::new() }
    }
}

/// Replaces the atomic instructions of the module. False if there are none.
pub(super) fn replace<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let atomics = || m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.is_atomic());
    if atomics().next().is_none() {
        return Ok(false);
    }
    atomics().try_for_each(|instruction| fits(cx, instruction, "PTX"))?;
    let memory = PrivateMemory::of(m);
    // Accesses to known private memory need no loops and no widening.
    let private = |instruction: &Value<'_>| private_body(&memory, *instruction).is_some();
    replace_by_calls(cx, m, "sinter.private", &memory, atomics().filter(private).collect())?;
    // LLVM 19 makes loops of these.
    let counters = |instruction: &Value<'_>| {
        let atomic = Atomic::read(*instruction).filter(|_| instruction.ty().text() == "i32");
        atomic.is_some_and(|atomic| ["uinc_wrap", "udec_wrap"].contains(&atomic.operation.as_str()))
    };
    replace_by_calls(cx, m, "sinter.counter", &memory, atomics().filter(counters).collect())?;
    m.module.run_passes(EXPAND, Some(cx.machine))?;
    replace_by_calls(cx, m, "sinter.atomic", &memory, atomics().collect())?;
    Ok(true)
}

/// Replaces instructions by calls of functions whose names start with `prefix`.
fn replace_by_calls<'s, S>(
    cx: &Context<'_, '_>,
    m: &DeviceModule<'s, S>,
    prefix: &str,
    memory: &PrivateMemory<'s>,
    instructions: Vec<Value<'s>>,
) -> Outcome<()> {
    let mut functions = BTreeMap::new();
    let mut calls = Vec::new();
    for instruction in instructions {
        let (body, arguments) = (body(cx, memory, instruction)?, arguments(instruction));
        let next = functions.len();
        let index = *functions.entry(body).or_insert(next);
        let name = format!("{prefix}.{index}");
        if m.module.function(&name).is_none() {
            let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
            m.module.declare(&name, instruction.ty(), &types);
        }
        calls.push((instruction, name));
    }
    let text: String =
        functions.iter().map(|(body, index)| body.replace("{name}", &format!("{prefix}.{index}"))).collect();
    let text = if text.contains(QUESTION) { format!("{text}declare i1 @{QUESTION}(ptr)\n") } else { text };
    link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
    for (instruction, name) in calls {
        let function = m.module.function(&name).ok_or_else(|| Failure::internal("an atomic was not linked"))?;
        let result = instruction.insert_before(|insert| insert.call(function, &arguments(instruction)));
        instruction.replace_uses(result);
        instruction.erase();
    }
    Ok(())
}

fn odd(cx: &Context<'_, '_>, instruction: Value<'_>) -> TranslateCause {
    let hint = "use an integer of 8 to 64 bits, `float` or `double`";
    cx.unsupported(format!("the atomic operation `{}`", instruction.text().trim()), instruction.location(), hint)
}

/// Definition of the function that replaces an instruction.
fn body<'s>(cx: &Context<'_, '_>, memory: &PrivateMemory<'s>, instruction: Value<'s>) -> Outcome<String> {
    if let Some(body) = private_body(memory, instruction) {
        return Ok(body);
    }
    let atomic = Atomic::read(instruction).ok_or_else(|| odd(cx, instruction))?;
    let arguments = arguments(instruction);
    let Some(pointer) = arguments.first().copied() else { return Ok(fence(&atomic)) };
    let value = arguments.get(1).map_or(instruction.ty(), |value| value.ty()).text();
    let address = pointer.ty().text();
    let space = SPACES.iter().find(|(space, _)| pointer.address_space() == Some(*space));
    let shared = space.and_then(|(_, space)| assembly(&atomic, space, &address, &value));
    let body = match memory.holds(pointer) {
        Answer::No => shared,
        _ => shared.zip(plain(&atomic, &address, &value)).map(|(shared, private)| either(&shared, &private)),
    };
    Ok(body.ok_or_else(|| odd(cx, instruction))?)
}

/// Definition for an operation on memory that is known to be private.
fn private_body<'s>(memory: &PrivateMemory<'s>, instruction: Value<'s>) -> Option<String> {
    let (atomic, arguments) = (Atomic::read(instruction)?, arguments(instruction));
    let pointer = arguments.first().copied().filter(|pointer| memory.holds(*pointer) == Answer::Yes)?;
    let value = arguments.get(1).map_or(instruction.ty(), |value| value.ty()).text();
    plain(&atomic, &pointer.ty().text(), &value)
}

/// A function that tests its pointer at run time and branches to one of the two.
fn either(shared: &str, private: &str) -> String {
    let head = shared.lines().next().and_then(|line| line.strip_prefix("define ")).unwrap_or_default();
    let (result, rest) = head.split_once(" @{name}(").unwrap_or_default();
    let parameters = rest.split(')').next().unwrap_or_default();
    let give = |value: &str| if result == "void" { "ret void".to_owned() } else { format!("ret {result} {value}") };
    let call = |value: &str, name: &str| {
        let assigned = if result == "void" { String::new() } else { format!("{value} = ") };
        format!("  {assigned}call {result} @{{name}}.{name}({parameters})\n  {}\n", give(value))
    };
    let own = format!(
        "define {head}\n  %question = call i1 @{QUESTION}(ptr %p)\n  br i1 %question, label %private, label %shared\n\
         private:\n{}shared:\n{}}}\n",
        call("%a", "private"),
        call("%b", "shared")
    );
    let named = |text: &str, name: &str| text.replacen("@{name}(", &format!("@{{name}}.{name}("), 1);
    named(private, "private") + &named(shared, "shared") + &own
}

/// Arguments of the call that replaces an instruction, the pointer first.
fn arguments(instruction: Value<'_>) -> Vec<Value<'_>> {
    let mut operands = instruction.operands();
    if instruction.opcode() == Opcode::LLVMStore {
        operands.reverse();
    }
    operands
}

fn fence(atomic: &Atomic) -> String {
    let kind = if atomic.ordering == "seq_cst" { "sc" } else { "acq_rel" };
    let code = if atomic.single_thread { String::new() } else { format!("fence.{kind}.{};", atomic.scope) };
    format!(
        "define void @{{name}}() alwaysinline nounwind {{\n  \
         call void asm sideeffect \"{code}\", \"~{{memory}}\"()\n  ret void\n}}\n"
    )
}

/// Register class, type in assembly and access width of a value.
fn register(ty: &str) -> Option<(char, &'static str, &'static str)> {
    Some(match ty {
        "i8" => ('h', "i16", "8"),
        "i16" => ('h', "i16", "16"),
        "i32" => ('r', "i32", "32"),
        "i64" => ('l', "i64", "64"),
        "half" => ('h', "i16", "f16"),
        "bfloat" => ('h', "i16", "bf16"),
        "ptr" => ('l', "i64", "64"),
        "float" => ('f', "float", "f32"),
        "double" => ('d', "double", "f64"),
        _ => return None,
    })
}

fn assembly(atomic: &Atomic, space: &str, address: &str, ty: &str) -> Option<String> {
    let (class, held, width) = register(ty)?;
    let (fence, scope) = (atomic.fence(), atomic.scope);
    let mut text = String::new();
    let _ = match atomic.operation.as_str() {
        "load" => {
            let semantics = if ["acquire", "seq_cst"].contains(&atomic.ordering) { ".acquire" } else { ".relaxed" };
            write!(
                text,
                "define {ty} @{{name}}({address} %p) alwaysinline nounwind {{\n  %h = call {held} asm sideeffect \
                 \"{fence}ld{semantics}.{scope}{space}.{} $0, [$1];\", \"={class},l,~{{memory}}\"({address} %p)\n{}",
                unsigned(width),
                narrowed(ty, held)
            )
        }
        "store" => {
            let semantics = if atomic.ordering == "release" { ".release" } else { ".relaxed" };
            write!(
                text,
                "define void @{{name}}({address} %p, {ty} %v) alwaysinline nounwind {{\n{}  call void asm sideeffect \
                 \"{fence}st{semantics}.{scope}{space}.{} [$0], $1;\", \"l,{class},~{{memory}}\"({address} %p, {held} %w)\n  \
                 ret void\n}}\n",
                widened(ty, held),
                unsigned(width)
            )
        }
        "cmpxchg" => write!(
            text,
            "define {{ {ty}, i1 }} @{{name}}({address} %p, {ty} %c, {ty} %v) alwaysinline nounwind {{\n  \
             %h = call {ty} asm sideeffect \"{fence}atom{}.{scope}{space}.cas.b{width} $0, [$1], $2, $3;\", \
             \"={class},l,{class},{class},~{{memory}}\"({address} %p, {ty} %c, {ty} %v)\n  \
             %e = icmp eq {ty} %h, %c\n  %a = insertvalue {{ {ty}, i1 }} poison, {ty} %h, 0\n  \
             %b = insertvalue {{ {ty}, i1 }} %a, i1 %e, 1\n  ret {{ {ty}, i1 }} %b\n}}\n",
            atomic.semantics()
        ),
        operation => {
            let (name, negate) = instruction_name(operation, width)?;
            let negated = if negate { format!("  %w = sub {ty} 0, %v\n") } else { widened(ty, held) };
            if atomic.is_reduction && reduces(atomic, &name) {
                return Some(reduction(atomic, space, [address, ty, held, &name], class, &negated));
            }
            write!(
                text,
                "define {ty} @{{name}}({address} %p, {ty} %v) alwaysinline nounwind {{\n{negated}  \
                 %h = call {held} asm sideeffect \"{fence}atom{}.{scope}{space}.{name} $0, [$1], $2;\", \
                 \"={class},l,{class},~{{memory}}\"({address} %p, {held} %w)\n{}",
                atomic.semantics(),
                narrowed(ty, held)
            )
        }
    };
    Some(text)
}

/// True if PTX has a `red` instruction for the operation and its ordering: `red` is relaxed or
/// release.
fn reduces(atomic: &Atomic, name: &str) -> bool {
    !name.starts_with("exch") && [".relaxed", ".release"].contains(&atomic.semantics())
}

/// A function that changes memory. Its result is poison, because nothing uses it.
fn reduction(atomic: &Atomic, space: &str, [address, ty, held, name]: [&str; 4], class: char, operand: &str) -> String {
    let (semantics, scope) = (atomic.semantics(), atomic.scope);
    format!(
        "define {ty} @{{name}}({address} %p, {ty} %v) alwaysinline nounwind {{\n{operand}  \
         call void asm sideeffect \"red{semantics}.{scope}{space}.{name} [$0], $1;\", \"l,{class},~{{memory}}\"\
         ({address} %p, {held} %w)\n  ret {ty} poison\n}}\n"
    )
}

/// True if PTX has the operation of an `atomicrmw`, with the same bits as the instructions that it
/// stands for: sums of `float` flush subnormal numbers in global memory.
pub(super) fn has(operation: &str, ty: &str) -> bool {
    (operation, ty) != ("fadd", "float")
        && register(ty).is_some_and(|(_, _, width)| instruction_name(operation, width).is_some())
}

/// True for an atomic operation that the host and other devices may take part in.
pub(super) fn is_of_system(instruction: Value<'_>) -> bool {
    Atomic::read(instruction).is_none_or(|atomic| atomic.scope == "sys")
}

/// Operation and type of an `atom` or `red` instruction, and true if its operand must be negated.
fn instruction_name(operation: &str, width: &str) -> Option<(String, bool)> {
    let integer = ["32", "64"].contains(&width);
    let (name, negate) = match operation {
        "xchg" if integer => (format!("exch.b{width}"), false),
        "and" | "or" | "xor" if integer => (format!("{operation}.b{width}"), false),
        "add" if integer => (format!("add.u{width}"), false),
        "sub" if integer => (format!("add.u{width}"), true),
        "max" | "min" if integer => (format!("{operation}.s{width}"), false),
        "umax" | "umin" if integer => (format!("{}.u{width}", &operation[1..]), false),
        "uinc_wrap" if width == "32" => ("inc.u32".to_owned(), false),
        "udec_wrap" if width == "32" => ("dec.u32".to_owned(), false),
        "fadd" if ["f16", "bf16"].contains(&width) => (format!("add.noftz.{width}"), false),
        "fadd" if !integer && width != "8" && width != "16" => (format!("add.{width}"), false),
        _ => return None,
    };
    Some((name, negate))
}

/// PTX's type of a load or store.
fn unsigned(width: &str) -> String {
    match width {
        "f16" | "bf16" => "b16".to_owned(),
        _ if width.starts_with('f') => width.to_owned(),
        _ => format!("u{width}"),
    }
}

/// IR that converts `%v` to `%w`, which has the type of the register.
fn widened(ty: &str, held: &str) -> String {
    match ty {
        "i8" => format!("  %w = zext i8 %v to {held}\n"),
        "ptr" => format!("  %w = ptrtoint ptr %v to {held}\n"),
        _ => format!("  %w = bitcast {ty} %v to {held}\n"),
    }
}

/// The end of a function: converts the register `%h` to the result and returns it.
fn narrowed(ty: &str, held: &str) -> String {
    let cast = match ty {
        "i8" => "trunc",
        "ptr" => "inttoptr",
        _ => "bitcast",
    };
    format!("  %r = {cast} {held} %h to {ty}\n  ret {ty} %r\n}}\n")
}

/// The non-atomic form of the operation, for private memory.
fn plain(atomic: &Atomic, address: &str, ty: &str) -> Option<String> {
    let head = format!(
        "define {ty} @{{name}}({address} %p, {ty} %v) alwaysinline nounwind {{\n  %old = load {ty}, {address} %p\n"
    );
    let new = match atomic.operation.as_str() {
        "load" => {
            return Some(format!(
                "define {ty} @{{name}}({address} %p) alwaysinline nounwind {{\n  %o = load {ty}, {address} %p\n  ret {ty} %o\n}}\n"
            ));
        }
        "store" => {
            return Some(format!(
                "define void @{{name}}({address} %p, {ty} %v) alwaysinline nounwind {{\n  store {ty} %v, {address} %p\n  \
                 ret void\n}}\n"
            ));
        }
        "cmpxchg" => {
            return Some(format!(
                "define {{ {ty}, i1 }} @{{name}}({address} %p, {ty} %c, {ty} %v) alwaysinline nounwind {{\n  \
                 %o = load {ty}, {address} %p\n  %e = icmp eq {ty} %o, %c\n  %n = select i1 %e, {ty} %v, {ty} %o\n  \
                 store {ty} %n, {address} %p\n  %a = insertvalue {{ {ty}, i1 }} poison, {ty} %o, 0\n  \
                 %b = insertvalue {{ {ty}, i1 }} %a, i1 %e, 1\n  ret {{ {ty}, i1 }} %b\n}}\n"
            ));
        }
        operation => changed(operation, ty)?,
    };
    Some(format!("{head}{new}\n  store {ty} %new, {address} %p\n  ret {ty} %old\n}}\n"))
}
