//! Refuses code that GPUs cannot run.
//!
//! *Invariant:* LLVM's code generator does not abort on code that passes, neither before the
//! optimiser nor after it. It aborts on types, casts and initial values that it cannot emit.

use super::{CONSTANT_SPACE, GLOBAL_SPACE, PRIVATE_SPACE, dialect::Dialect, intrinsics};
use crate::{
    backend::{LOCAL_SPACE, first_use},
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::{Failure, Outcome},
    passes::{library_calls::WIDEST, private_memory},
};
use sinter_core::TranslateCause;
use sinter_core::names::readable;
use sinter_llvm::ir::{Opcode, Type, Value, ValueKind};
use std::collections::HashSet;

/// Type names of other machines, in IR syntax.
const FOREIGN_TYPES: [&str; 7] = ["x86_fp80", "fp128", "ppc_fp128", "x86_mmx", "x86_amx", "vscale", "target("];
/// Intrinsics that write through their first pointer argument.
const WRITING: [&str; 5] =
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.masked.store.", "llvm.masked.compressstore."];
/// Parameter attributes for memory that a caller provides. A launch cannot provide it.
const CALLERS_ATTRIBUTES: [&str; 3] = ["inalloca", "preallocated", "sret"];
/// Address spaces of pointers that a launch can pass: generic, global and constant memory, which
/// outlive a work-group.
const PASSED_SPACES: [u32; 3] = [0, GLOBAL_SPACE, CONSTANT_SPACE];

pub(crate) fn check(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    parameters(cx, m)?;
    private_variables(cx, m)?;
    instructions(cx, dialect, m)?;
    intrinsics::drop_stack_marks(m);
    intrinsics::check(cx, dialect, m)?;
    initial_values(cx, m)
}

/// Refuses parameter types that no launch can pass, even if the kernel does not read them.
fn parameters(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    for (index, parameter) in (0u32..).zip(m.kernel.parameters()) {
        let attribute = CALLERS_ATTRIBUTES.iter().find(|name| m.kernel.has_parameter_attribute(index, name));
        let space = parameter.address_space().filter(|space| !PASSED_SPACES.contains(space));
        let what = match (attribute, space) {
            (Some(attribute), _) => format!("a kernel parameter with the attribute `{attribute}` (number {index})"),
            (_, Some(space)) => format!("a kernel parameter that points to address space {space} (number {index})"),
            (None, None) => continue,
        };
        let hint = "a launch passes values and addresses of global memory; local memory is asked for in the kernel";
        return Err(cx.unsupported(what, None, hint).into());
    }
    Ok(())
}

/// Refuses variables in private memory, which exists only while a work-item runs.
fn private_variables(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let is_private = |global: &Value<'_>| global.address_space() == Some(PRIVATE_SPACE) && global.is_used();
    match m.module.globals().into_iter().find(is_private) {
        Some(global) => {
            let name = readable(&global.name());
            let what = format!("the variable `{name}` in private memory (address space {PRIVATE_SPACE})");
            Err(cx.unsupported(what, first_use(global), "make it a variable of the function that uses it").into())
        }
        None => Ok(()),
    }
}

/// Refuses misuse of address spaces, before any pass runs with the target's knowledge: such a pass
/// would remove a write to constant memory, and creates constant casts between two spaces itself,
/// in branches that are not taken. For targets where address space 4 is constant memory.
pub(crate) fn address_spaces<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        let (what, hint) = if writes_to_constant(instruction) {
            let what = format!("a write to constant memory (address space {CONSTANT_SPACE})");
            (what, "write through a pointer to global memory")
        } else if instruction.operands().into_iter().any(casts_between_spaces) {
            cast_between_spaces()
        } else {
            continue;
        };
        return Err(cx.unsupported(what, instruction.location(), hint).into());
    }
    Ok(())
}

fn writes_to_constant(instruction: Value<'_>) -> bool {
    let place = match instruction.opcode() {
        Opcode::LLVMStore => instruction.operands().get(1).copied(),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => instruction.operands().first().copied(),
        Opcode::LLVMCall => {
            let writes = |name: String| WRITING.iter().any(|start| name.starts_with(start));
            let callee = instruction.callee().filter(|callee| callee.is_intrinsic() && writes(callee.name()));
            callee.and_then(|_| instruction.arguments().into_iter().find(|argument| argument.address_space().is_some()))
        }
        _ => None,
    };
    place.is_some_and(|place| place.address_space() == Some(CONSTANT_SPACE))
}

/// Repeats the checks after the optimiser, which may create code that cannot be selected.
pub(crate) fn check_again<S>(
    cx: &Context<'_, '_>,
    dialect: &Dialect,
    m: &DeviceModule<'_, S>,
    is_provided: impl Fn(&str) -> bool,
) -> Outcome<()> {
    instructions(cx, dialect, m)?;
    intrinsics::check(cx, dialect, m)?;
    initial_values(cx, m)?;
    local_addresses(cx, m)?;
    match m.undefined().into_iter().map(Value::name).find(|name| !is_provided(name)) {
        Some(name) => Err(Failure::internal(format!("the optimiser left a call of `{name}`, which nothing defines"))),
        None => Ok(()),
    }
}

fn instructions<S>(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let mut known = HashSet::new();
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        if let Some((what, hint)) = refused(dialect, instruction, &mut known) {
            return Err(cx.unsupported(what, instruction.location(), hint).into());
        }
    }
    Ok(())
}

/// The defect of an instruction and its remedy; `None` if it passes. `known` caches types that
/// pass.
fn refused<'s>(
    dialect: &Dialect,
    instruction: Value<'s>,
    known: &mut HashSet<Type<'s>>,
) -> Option<(String, &'static str)> {
    let operands = instruction.operands();
    let reserved = (instruction.opcode() == Opcode::LLVMAlloca).then(|| instruction.allocated_type());
    let types = operands.iter().map(|operand| operand.ty()).chain(reserved).chain([instruction.ty()]);
    for ty in types {
        if known.insert(ty) && is_foreign(dialect, ty) {
            return Some((format!("a value of the type `{}`", ty.text()), "use a type that all devices have"));
        }
    }
    let spaces =
        || [operands.first()?.address_space(), instruction.address_space()].into_iter().collect::<Option<Vec<_>>>();
    match instruction.opcode() {
        Opcode::LLVMIndirectBr | Opcode::LLVMCallBr => {
            Some(("an indirect branch".to_owned(), "use a `switch` or function pointers"))
        }
        Opcode::LLVMAddrSpaceCast if spaces().is_some_and(|spaces| !spaces.contains(&0)) => Some(cast_between_spaces()),
        Opcode::LLVMFPToSI | Opcode::LLVMFPToUI if is_wide(instruction.ty()) => Some(wide_conversion()),
        Opcode::LLVMCall if is_wide_saturation(instruction) => Some(wide_conversion()),
        Opcode::LLVMCall if !is_assumption(instruction) => {
            let tag = instruction.bundles().into_iter().next()?;
            Some((format!("a call with a `{tag}` operand bundle"), "compile it without what adds the bundle"))
        }
        Opcode::LLVMSIToFP | Opcode::LLVMUIToFP if operands.first().is_some_and(|value| is_wide(value.ty())) => {
            Some(wide_conversion())
        }
        _ => None,
    }
}

fn cast_between_spaces() -> (String, &'static str) {
    let hint = "memory is in one address space; cast to the generic one, and from there only to that of the memory";
    ("a cast between two address spaces".to_owned(), hint)
}

/// True if a constant casts between address spaces, or contains such a cast.
fn casts_between_spaces(value: Value<'_>) -> bool {
    if value.kind() != ValueKind::LLVMConstantExprValueKind {
        return false;
    }
    let operands = value.operands();
    let spaces = [value.address_space(), operands.first().and_then(|operand| operand.address_space())];
    let is_cast =
        operands.len() == 1 && spaces[0] != spaces[1] && spaces.iter().all(|space| space.is_some_and(|n| n != 0));
    is_cast || operands.into_iter().any(casts_between_spaces)
}

fn is_wide_saturation(call: Value<'_>) -> bool {
    let saturates = |name: String| ["llvm.fptosi.sat.", "llvm.fptoui.sat."].iter().any(|start| name.starts_with(start));
    is_wide(call.ty()) && call.callee().is_some_and(|callee| saturates(callee.name()))
}

fn is_assumption(call: Value<'_>) -> bool {
    call.callee().is_some_and(|callee| callee.name() == "llvm.assume")
}

fn wide_conversion() -> (String, &'static str) {
    let what = "a conversion between floating-point numbers and integers of more than 128 bits";
    (what.to_owned(), "convert its parts of 128 bits")
}

fn is_wide(ty: Type<'_>) -> bool {
    let text = ty.text();
    let element = text.rsplit(' ').next().unwrap_or_default().trim_end_matches('>');
    element.strip_prefix('i').and_then(|width| width.parse().ok()).is_some_and(|width: u32| width > WIDEST)
}

fn is_foreign(dialect: &Dialect, ty: Type<'_>) -> bool {
    let text = ty.text();
    let space = text.split("addrspace(").nth(1).and_then(|rest| rest.split(')').next()).and_then(|n| n.parse().ok());
    FOREIGN_TYPES.iter().any(|part| text.contains(part))
        || space.is_some_and(|space: u32| !dialect.spaces.contains(&space))
}

/// Refuses a kernel with more private memory than `limit` bytes.
pub(crate) fn private_memory_fits(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>, limit: u64) -> Outcome<()> {
    let (total, first) = private_memory::total(cx, m)?;
    if total > limit {
        let what = format!("{total} bytes of private memory per work-item");
        let hint = format!("the limit is {} KiB; use a buffer in global memory", limit >> 10);
        return Err(cx.unsupported(what, first, &hint).into());
    }
    Ok(())
}

/// Refuses initial values that cannot be emitted. PTX requires that the variables in an initial
/// value are declared before, so that none refers to itself; on other targets none does.
fn initial_values<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    for global in m.module.globals() {
        let initial = global.initializer();
        let cause = match initial {
            Some(value) if names(value, global, &mut HashSet::new()) => "that names the variable itself",
            // It may be larger than memory.
            Some(value) if value.is_undefined_or_zero() => continue,
            Some(_) if !global.is_spelled() => "that is computed from an address",
            Some(value) if parts(value).into_iter().any(casts_between_spaces) || casts_between_spaces(value) => {
                "that is cast between two address spaces"
            }
            _ => continue,
        };
        return Err(odd_initial_value(cx, global, cause).into());
    }
    Ok(())
}

/// Refuses addresses of local memory in initial values: a variable exists before any work-group and
/// its local memory do.
fn local_addresses<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let (local, others): (Vec<_>, Vec<_>) =
        m.module.globals().into_iter().partition(|global| global.address_space() == Some(LOCAL_SPACE));
    let named = |global: &Value<'_>| {
        let names = |value, variable: &Value<'_>| names(value, *variable, &mut HashSet::new());
        global.initializer().is_some_and(|value| local.iter().any(|variable| names(value, variable)))
    };
    match others.into_iter().find(named) {
        Some(global) => Err(odd_initial_value(cx, global, "that is an address of local memory").into()),
        None => Ok(()),
    }
}

pub(crate) fn odd_initial_value(cx: &Context<'_, '_>, global: Value<'_>, cause: &str) -> TranslateCause {
    let what = format!("the initial value of `{}`, {cause},", readable(&global.name()));
    cx.unsupported(what, first_use(global), "assign it in the kernel")
}

/// True if a constant refers to `global`, directly or through other variables.
fn names<'s>(value: Value<'s>, global: Value<'s>, seen: &mut HashSet<Value<'s>>) -> bool {
    let refers = |part: Value<'s>, seen: &mut HashSet<Value<'s>>| {
        let content =
            if part.kind() == ValueKind::LLVMGlobalVariableValueKind { part.initializer() } else { Some(part) };
        part == global || content.is_some_and(|content| names(content, global, seen))
    };
    seen.insert(value) && parts(value).into_iter().any(|part| refers(part, seen))
}

/// The operands of a constant. A function is an address and has none.
fn parts(value: Value<'_>) -> Vec<Value<'_>> {
    match value.kind() {
        ValueKind::LLVMFunctionValueKind => Vec::new(),
        ValueKind::LLVMGlobalVariableValueKind => vec![value],
        ValueKind::LLVMConstantExprValueKind
        | ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantVectorValueKind => value.operands(),
        _ => Vec::new(),
    }
}
