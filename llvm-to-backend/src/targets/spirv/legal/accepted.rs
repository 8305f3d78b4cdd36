//! The IR that the emitter accepts.
//!
//! In: a module. Out: nothing, or an error with the place of the first construct that is not in the
//! lists of this file. *Invariant:* the emitter can emit every module that passes; the legaliser
//! produces IR of these lists, and its tests check it against them.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
    targets::spirv::limits::{ELEMENTS, MEMBERS},
};
use sinter_core::{SpirvEnvironment, SpirvFeature, SpirvTarget};
use sinter_llvm::{
    ir::{Opcode, Type, Value, ValueKind},
    operation::AtomicOperation,
    types::TypeView,
};

/// Widths of integers in bits. `i1` is a boolean, which does not occur in memory.
pub(super) const WIDTHS: [u32; 4] = [8, 16, 32, 64];
/// Widths of floating-point values in bits.
pub(super) const FLOATS: [u32; 3] = [16, 32, 64];
/// Lengths of vectors; pointers are not vector elements.
pub(super) const LENGTHS: [u32; 5] = [2, 3, 4, 8, 16];
/// The longest vector of shaders, which lack the capability `Vector16`.
const SHADER_LENGTH: u32 = 4;
/// Address spaces: generic, global, local, constant, private.
pub(super) const SPACES: [u32; 5] = [0, 1, 3, 4, 5];

/// Accepted instructions.
pub(super) const OPCODES: [Opcode; 51] = [
    Opcode::LLVMRet,
    Opcode::LLVMBr,
    Opcode::LLVMSwitch,
    Opcode::LLVMUnreachable,
    Opcode::LLVMFNeg,
    Opcode::LLVMAdd,
    Opcode::LLVMFAdd,
    Opcode::LLVMSub,
    Opcode::LLVMFSub,
    Opcode::LLVMMul,
    Opcode::LLVMFMul,
    Opcode::LLVMUDiv,
    Opcode::LLVMSDiv,
    Opcode::LLVMFDiv,
    Opcode::LLVMURem,
    Opcode::LLVMSRem,
    Opcode::LLVMFRem,
    Opcode::LLVMShl,
    Opcode::LLVMLShr,
    Opcode::LLVMAShr,
    Opcode::LLVMAnd,
    Opcode::LLVMOr,
    Opcode::LLVMXor,
    Opcode::LLVMAlloca,
    Opcode::LLVMLoad,
    Opcode::LLVMStore,
    Opcode::LLVMGetElementPtr,
    Opcode::LLVMTrunc,
    Opcode::LLVMZExt,
    Opcode::LLVMSExt,
    Opcode::LLVMFPToUI,
    Opcode::LLVMFPToSI,
    Opcode::LLVMUIToFP,
    Opcode::LLVMSIToFP,
    Opcode::LLVMFPTrunc,
    Opcode::LLVMFPExt,
    Opcode::LLVMPtrToInt,
    Opcode::LLVMIntToPtr,
    Opcode::LLVMBitCast,
    Opcode::LLVMAddrSpaceCast,
    Opcode::LLVMICmp,
    Opcode::LLVMFCmp,
    Opcode::LLVMPHI,
    Opcode::LLVMCall,
    Opcode::LLVMSelect,
    Opcode::LLVMExtractElement,
    Opcode::LLVMInsertElement,
    Opcode::LLVMShuffleVector,
    Opcode::LLVMExtractValue,
    Opcode::LLVMInsertValue,
    Opcode::LLVMFreeze,
];

/// Accepted instructions with a memory ordering.
pub(super) const ATOMIC_OPCODES: [Opcode; 3] = [Opcode::LLVMFence, Opcode::LLVMAtomicCmpXchg, Opcode::LLVMAtomicRMW];

/// Operations on booleans; [`super::booleans`] rewrites the others.
pub(super) const BOOLEAN_OPCODES: [Opcode; 3] = [Opcode::LLVMAnd, Opcode::LLVMOr, Opcode::LLVMXor];

/// Condition under which an intrinsic is accepted, besides accepted types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Always, even on types that values may not have: it describes memory or has no effect.
    Always,
    /// On floating-point values.
    Float,
    /// On integers other than booleans.
    Integer,
    /// On integers with equal first two operands: a rotation.
    Rotation,
    /// From floating-point values to integers other than booleans.
    Conversion,
    /// If the device has the feature.
    Feature(SpirvFeature),
    /// On integers, if the device has the feature.
    IntegerFeature(SpirvFeature),
}

/// Accepted intrinsics: names without `llvm.`, up to a dot or the end.
pub(super) const INTRINSICS: [(&str, When); 40] = [
    ("fabs", When::Float),
    ("floor", When::Float),
    ("ceil", When::Float),
    ("trunc", When::Float),
    ("rint", When::Float),
    ("roundeven", When::Float),
    ("round", When::Float),
    ("sqrt", When::Float),
    ("fma", When::Float),
    ("fmuladd", When::Float),
    ("minnum", When::Float),
    ("maxnum", When::Float),
    ("copysign", When::Float),
    ("ctpop", When::Integer),
    ("ctlz", When::Integer),
    ("cttz", When::Integer),
    ("abs", When::Integer),
    ("smin", When::Integer),
    ("smax", When::Integer),
    ("umin", When::Integer),
    ("umax", When::Integer),
    ("sadd.sat", When::Integer),
    ("uadd.sat", When::Integer),
    ("ssub.sat", When::Integer),
    ("usub.sat", When::Integer),
    ("fshl", When::Rotation),
    ("fshr", When::Rotation),
    ("fptosi.sat", When::Conversion),
    ("fptoui.sat", When::Conversion),
    ("bitreverse", When::IntegerFeature(SpirvFeature::BitInstructions)),
    ("assume", When::Feature(SpirvFeature::ExpectAssume)),
    ("expect", When::Feature(SpirvFeature::ExpectAssume)),
    ("memcpy.p0", When::Always),
    ("memcpy.p1", When::Always),
    ("memcpy.p3", When::Always),
    ("memcpy.p5", When::Always),
    ("lifetime.start", When::Always),
    ("lifetime.end", When::Always),
    ("dbg", When::Always),
    ("experimental.noalias.scope.decl", When::Always),
];

/// Intrinsics that shaders lack.
const KERNELS_ONLY: [&str; 5] = ["fma", "memcpy.p0", "memcpy.p1", "memcpy.p3", "memcpy.p5"];

/// Width of an integer, or of the integers in a vector.
pub(super) fn width(ty: Type<'_>) -> Option<u32> {
    match ty.scalar().view() {
        TypeView::Integer(bits) => Some(bits),
        _ => None,
    }
}

/// True if values may have this scalar type.
pub(super) fn is_scalar(ty: Type<'_>) -> bool {
    match ty.view() {
        TypeView::Integer(bits) => bits == 1 || WIDTHS.contains(&bits),
        TypeView::Float(bits) => FLOATS.contains(&bits),
        TypeView::Pointer(space) => SPACES.contains(&space),
        _ => false,
    }
}

/// True if values may have this type.
pub(super) fn is_value(target: &SpirvTarget, ty: Type<'_>) -> bool {
    let is_shader = target.environment == SpirvEnvironment::Vulkan;
    match ty.view() {
        TypeView::Vector(_, count) if is_shader && count > SHADER_LENGTH => false,
        TypeView::Void => true,
        TypeView::Vector(element, count) => {
            let is_pointer = matches!(element.view(), TypeView::Pointer(_));
            LENGTHS.contains(&count) && is_scalar(element) && !is_pointer
        }
        TypeView::Array(element, count) => count <= ELEMENTS && is_value(target, element),
        TypeView::Structure(members, _) => {
            members.len() <= MEMBERS && members.into_iter().all(|member| is_value(target, member))
        }
        _ => is_scalar(ty),
    }
}

/// True if objects in memory may have this type. Half precision is moved as integers where it is
/// computed in `float`.
pub(super) fn is_layout(target: &SpirvTarget, ty: Type<'_>) -> bool {
    let is_part = |part| has_room(part) && is_layout(target, part);
    match ty.view() {
        TypeView::Integer(1) => false,
        TypeView::Float(16) => target.has(SpirvFeature::Fp16),
        TypeView::Vector(element, _) => is_layout(target, element) && is_value(target, ty),
        TypeView::Array(element, _) => is_part(element),
        TypeView::Structure(members, _) => members.len() <= MEMBERS && members.into_iter().all(is_part),
        _ => is_value(target, ty),
    }
}

/// False for a member that SPIR-V lays out differently: its arrays have at least one element.
fn has_room(part: Type<'_>) -> bool {
    !matches!(part.view(), TypeView::Array(_, 0))
}

/// True if values of a type may be loaded and stored whole. A vector of three elements occupies
/// four in SPIR-V, but not in LLVM.
pub(super) fn is_access(target: &SpirvTarget, ty: Type<'_>) -> bool {
    let is_part = |part| is_access(target, part);
    match ty.view() {
        TypeView::Vector(_, 3) => false,
        TypeView::Array(element, count) => (1..=ELEMENTS).contains(&count) && is_part(element),
        TypeView::Structure(members, _) => members.len() <= MEMBERS && members.into_iter().all(is_part),
        _ => is_layout(target, ty),
    }
}

/// Name of the called intrinsic without `llvm.`.
pub(super) fn intrinsic(instruction: Value<'_>) -> Option<String> {
    let name = instruction.callee().filter(|callee| callee.is_intrinsic())?.name();
    Some(name.strip_prefix("llvm.")?.to_owned())
}

/// True if `name` is `family`, alone or with a type suffix.
pub(super) fn is_family(name: &str, family: &str) -> bool {
    name.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// True if the emitter supports an intrinsic for these types.
pub(super) fn has_intrinsic(target: &SpirvTarget, call: Value<'_>, name: &str) -> bool {
    let Some((_, when)) = INTRINSICS.iter().find(|(family, _)| is_family(name, family)) else { return false };
    if target.environment == SpirvEnvironment::Vulkan && KERNELS_ONLY.iter().any(|family| is_family(name, family)) {
        return false;
    }
    let arguments = call.arguments();
    let float = |ty: Type<'_>| is_value(target, ty) && matches!(ty.scalar().view(), TypeView::Float(_));
    let integer = |ty: Type<'_>| is_value(target, ty) && width(ty).is_some_and(|bits| bits > 1);
    let first = arguments.first().map(|value| value.ty());
    match when {
        When::Always => true,
        When::Float => float(call.ty()),
        When::Integer => integer(call.ty()),
        When::Rotation => integer(call.ty()) && arguments.first() == arguments.get(1),
        When::Conversion => integer(call.ty()) && first.is_some_and(float),
        When::Feature(feature) => {
            target.has(*feature) && first.is_some_and(|ty| is_value(target, ty)) && call.bundles().is_empty()
        }
        When::IntegerFeature(feature) => target.has(*feature) && integer(call.ty()),
    }
}

/// True if the device has a read-modify-write operation on this type.
pub(super) fn has_atomic(target: &SpirvTarget, operation: AtomicOperation, ty: Type<'_>) -> bool {
    let float = |single, double| match ty.view() {
        TypeView::Float(32) => target.has(single),
        TypeView::Float(64) => target.has(double),
        _ => false,
    };
    use AtomicOperation as A;
    match operation {
        A::LLVMAtomicRMWBinOpFAdd => float(SpirvFeature::AtomicAddF32, SpirvFeature::AtomicAddF64),
        A::LLVMAtomicRMWBinOpFMin | A::LLVMAtomicRMWBinOpFMax => {
            float(SpirvFeature::AtomicMinMaxF32, SpirvFeature::AtomicMinMaxF64)
        }
        A::LLVMAtomicRMWBinOpXchg
        | A::LLVMAtomicRMWBinOpAdd
        | A::LLVMAtomicRMWBinOpSub
        | A::LLVMAtomicRMWBinOpAnd
        | A::LLVMAtomicRMWBinOpOr
        | A::LLVMAtomicRMWBinOpXor
        | A::LLVMAtomicRMWBinOpMax
        | A::LLVMAtomicRMWBinOpMin
        | A::LLVMAtomicRMWBinOpUMax
        | A::LLVMAtomicRMWBinOpUMin => matches!(width(ty), Some(32 | 64)),
        _ => false,
    }
}

/// The type that an atomic instruction accesses; `None` for a fence.
pub(super) fn accessed(instruction: Value<'_>) -> Option<Type<'_>> {
    match instruction.opcode() {
        Opcode::LLVMFence => None,
        Opcode::LLVMLoad => Some(instruction.ty()),
        Opcode::LLVMStore => instruction.operands().first().map(|value| value.ty()),
        _ => instruction.operands().get(1).map(|value| value.ty()),
    }
}

/// Checks all functions and variables that the module defines.
pub(super) fn check<S>(cx: &Context<'_, '_>, target: &SpirvTarget, m: &DeviceModule<'_, S>) -> Outcome<()> {
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        if let Some((what, hint)) = refused(target, instruction) {
            return Err(cx.unsupported(what, instruction.location(), hint).into());
        }
    }
    Ok(())
}

/// The defect of an instruction and its remedy; `None` if it is accepted.
pub(super) fn refused(target: &SpirvTarget, instruction: Value<'_>) -> Option<(String, &'static str)> {
    let opcode = instruction.opcode();
    if !OPCODES.contains(&opcode) && !ATOMIC_OPCODES.contains(&opcode) {
        let name = instruction.text();
        return Some((format!("`{}`", name.trim()), "no SPIR-V instruction does that; write it as C++"));
    }
    let is_call = opcode == Opcode::LLVMCall;
    let operands = if is_call { instruction.arguments() } else { instruction.operands() };
    let is_listed = is_call && intrinsic(instruction).is_some_and(|name| has_intrinsic(target, instruction, &name));
    if let Some(refusal) = if is_call && !is_listed { call(instruction) } else { None } {
        return Some(refusal);
    }
    let values = operands.iter().filter(|operand| operand.kind() != ValueKind::LLVMBasicBlockValueKind);
    let values = values.filter(|operand| operand.kind() != ValueKind::LLVMMetadataAsValueValueKind);
    let types = values.map(|operand| operand.ty()).chain([instruction.ty()]);
    if let Some(ty) = types.into_iter().find(|ty| !is_value(target, *ty)) {
        return Some((format!("a value of the type `{}`", ty.text()), "use a type that OpenCL C has"));
    }
    of_memory(target, instruction)
        .or_else(|| of_truth_values(instruction, &operands))
        .or_else(|| operands.iter().find_map(|operand| of_operand(*operand)))
}

fn call(instruction: Value<'_>) -> Option<(String, &'static str)> {
    if let Some(name) = intrinsic(instruction) {
        return Some((format!("the intrinsic `llvm.{name}`"), "write it as C++, or use a device builtin"));
    }
    let callee = instruction.callee()?;
    if callee.kind() == ValueKind::LLVMInlineAsmValueKind {
        return Some(("inline assembly".to_owned(), "write it as C++"));
    }
    if callee.kind() != ValueKind::LLVMFunctionValueKind {
        return Some(("a call through a pointer".to_owned(), "call the function by its name, or use a `switch`"));
    }
    let tag = instruction.bundles().into_iter().next();
    tag.map(|tag| (format!("a call with a `{tag}` operand bundle"), "compile it without what adds the bundle"))
}

fn of_memory(target: &SpirvTarget, instruction: Value<'_>) -> Option<(String, &'static str)> {
    let hint = "use a type that OpenCL C has";
    let layout = |ty: Type<'_>| (!is_layout(target, ty)).then(|| (format!("memory of the type `{}`", ty.text()), hint));
    match instruction.opcode() {
        Opcode::LLVMAlloca if instruction.operands().first().and_then(|count| count.integer()).is_none() => {
            Some(("a private array of variable length".to_owned(), "give the array a constant size"))
        }
        Opcode::LLVMAlloca => layout(instruction.allocated_type()),
        Opcode::LLVMGetElementPtr => layout(instruction.stepped_type()),
        Opcode::LLVMLoad | Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            let ty = accessed(instruction)?;
            if !instruction.is_atomic() {
                return (!is_access(target, ty)).then(|| (format!("an access of the type `{}`", ty.text()), hint));
            }
            of_atomic(target, instruction, ty)
        }
        _ => None,
    }
}

fn of_atomic(target: &SpirvTarget, instruction: Value<'_>, ty: Type<'_>) -> Option<(String, &'static str)> {
    let is_integer = matches!(ty.view(), TypeView::Integer(32 | 64));
    let has = match instruction.opcode() {
        Opcode::LLVMAtomicRMW => has_atomic(target, instruction.atomic_operation(), ty),
        _ => is_integer,
    };
    let wide = ty.view() == TypeView::Integer(64) && !target.has(SpirvFeature::Int64Atomics);
    (wide || !has).then(|| {
        let what = format!("an atomic operation on the type `{}`", ty.text());
        (what, "the device lacks it; use one on 32-bit integers")
    })
}

fn of_truth_values(instruction: Value<'_>, operands: &[Value<'_>]) -> Option<(String, &'static str)> {
    let is_boolean = |ty: Type<'_>| width(ty) == Some(1);
    let taken = operands.first().is_some_and(|operand| is_boolean(operand.ty()));
    let refused = match instruction.opcode() {
        Opcode::LLVMICmp | Opcode::LLVMUIToFP | Opcode::LLVMSIToFP | Opcode::LLVMSwitch => taken,
        Opcode::LLVMIntToPtr => taken,
        Opcode::LLVMBitCast => taken != is_boolean(instruction.ty()),
        Opcode::LLVMFPToUI | Opcode::LLVMFPToSI | Opcode::LLVMPtrToInt => is_boolean(instruction.ty()),
        opcode @ (Opcode::LLVMAdd
        | Opcode::LLVMSub
        | Opcode::LLVMMul
        | Opcode::LLVMUDiv
        | Opcode::LLVMSDiv
        | Opcode::LLVMURem
        | Opcode::LLVMSRem
        | Opcode::LLVMShl
        | Opcode::LLVMLShr
        | Opcode::LLVMAShr) => taken && !BOOLEAN_OPCODES.contains(&opcode),
        _ => false,
    };
    refused.then(|| ("arithmetic on booleans".to_owned(), "use wider integers"))
}

fn of_operand(operand: Value<'_>) -> Option<(String, &'static str)> {
    (operand.kind() == ValueKind::LLVMConstantExprValueKind)
        .then(|| (format!("the constant expression `{}`", operand.text()), "compute it in the kernel"))
}
