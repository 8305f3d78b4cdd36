//! Clang's `annotate` attributes.
//!
//! In: a module. Out: the annotations of its functions and local variables. Layout of the entries:
//! `CodeGenModule::EmitAnnotateAttr` and `CodeGenFunction::EmitVarAnnotations` of clang 19.
//! *Invariant:* annotations of other tools stay.

use super::{
    as_function, as_variable,
    call::{Call, calls, instructions},
    operands,
};
use inkwell::{
    module::Module,
    values::{AsValueRef, FunctionValue, GlobalValue, InstructionOpcode, InstructionValue},
};
use llvm_sys::{LLVMLinkage, core::*, prelude::LLVMValueRef};

const GLOBAL_ANNOTATIONS: &str = "llvm.global.annotations";

/// Intrinsics without result that are meant for the host compilation only.
const ERASED: [&str; 3] = ["llvm.var.annotation", "llvm.instrprof.", "llvm.pseudoprobe"];

/// A function with an annotation.
#[derive(Debug, Clone)]
pub struct FunctionAnnotation<'ctx> {
    /// The annotated function.
    pub function: FunctionValue<'ctx>,
    /// The string in the attribute.
    pub text: String,
    /// The attribute's other arguments; `None` for one that is not an integer of at most 64 bits.
    /// Those of 64 bits are sizes: what 63 bits do not hold is the largest number.
    pub values: Vec<Option<i64>>,
}

/// All annotated functions of a module, in source order.
pub fn function_annotations<'ctx>(module: &Module<'ctx>) -> Vec<FunctionAnnotation<'ctx>> {
    entries(module).into_iter().filter_map(read_entry).collect()
}

/// The annotated global variables of a module with their annotations, in source order.
pub fn variable_annotations<'ctx>(module: &Module<'ctx>) -> Vec<(GlobalValue<'ctx>, String)> {
    let read = |entry| {
        let mut fields = operands(entry);
        Some((as_variable(fields.next()?)?, string(fields.next()?)?))
    };
    entries(module).into_iter().filter_map(read).collect()
}

fn entries(module: &Module<'_>) -> Vec<LLVMValueRef> {
    let initializer = module.get_global(GLOBAL_ANNOTATIONS).and_then(|global| global.get_initializer());
    initializer.map(|array| operands(array.as_value_ref()).collect()).unwrap_or_default()
}

fn read_entry<'ctx>(entry: LLVMValueRef) -> Option<FunctionAnnotation<'ctx>> {
    let mut fields = operands(entry);
    let function = as_function(fields.next()?)?;
    let text = string(fields.next()?)?;
    let values = fields.nth(2).and_then(as_variable).and_then(|arguments| arguments.get_initializer());
    let values = values.map(|values| operands(values.as_value_ref()).map(integer).collect()).unwrap_or_default();
    Some(FunctionAnnotation { function, text, values })
}

fn integer(value: LLVMValueRef) -> Option<i64> {
    // SAFETY: a live value; null unless it is an integer.
    let integer = unsafe { LLVMIsAConstantInt(value) };
    if integer.is_null() {
        return None;
    }
    // SAFETY: a live constant.
    let width = unsafe { LLVMGetIntTypeWidth(LLVMTypeOf(integer)) };
    // SAFETY: an integer that 64 bits hold.
    let value = (width <= 64).then(|| unsafe { LLVMConstIntGetSExtValue(integer) })?;
    Some(if width == 64 && value < 0 { i64::MAX } else { value })
}

/// The content of a global string.
fn string(value: LLVMValueRef) -> Option<String> {
    let initializer = as_variable(value)?.get_initializer()?;
    let mut length = 0;
    // SAFETY: a live constant; null unless it is a data sequence.
    let data = unsafe { LLVMIsAConstantDataSequential(initializer.as_value_ref()) };
    if data.is_null() {
        return None;
    }
    // SAFETY: a data sequence, whose bytes live as long as the context.
    let start = unsafe { LLVMGetAsString(data, &mut length) };
    // SAFETY: LLVM returned the pointer with this length.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    Some(String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes)).into_owned())
}

/// Removes the function annotations whose string `is_ours` accepts.
pub fn remove_function_annotations(module: &Module<'_>, is_ours: impl Fn(&str) -> bool) {
    keep_entries(module, |entry| read_entry(entry).is_none_or(|annotation| !is_ours(&annotation.text)));
}

/// Removes the annotations of functions and variables whose string `is_ours` accepts.
pub fn remove_annotations(module: &Module<'_>, is_ours: impl Fn(&str) -> bool) {
    keep_entries(module, |entry| operands(entry).nth(1).and_then(string).is_none_or(|text| !is_ours(&text)));
}

fn keep_entries(module: &Module<'_>, stays: impl Fn(LLVMValueRef) -> bool) {
    let Some(global) = module.get_global(GLOBAL_ANNOTATIONS) else { return };
    let all = entries(module);
    let kept: Vec<LLVMValueRef> = all.iter().copied().filter(|entry| stays(*entry)).collect();
    if kept.len() == all.len() {
        return;
    }
    // SAFETY: nothing can refer to this variable, and it is not used afterwards.
    unsafe { LLVMDeleteGlobal(global.as_value_ref()) };
    if !kept.is_empty() {
        add_entries(module, kept);
    }
}

fn add_entries(module: &Module<'_>, mut entries: Vec<LLVMValueRef>) {
    // SAFETY: the first entry is a live constant.
    let element = unsafe { LLVMTypeOf(entries[0]) };
    // SAFETY: all entries have the type of the first, as clang emits them.
    let array = unsafe { LLVMConstArray2(element, entries.as_mut_ptr(), entries.len() as u64) };
    // SAFETY: the module is alive and the name is a C string.
    let global = unsafe { LLVMAddGlobal(module.as_mut_ptr(), LLVMTypeOf(array), c"llvm.global.annotations".as_ptr()) };
    // SAFETY: the variable was made with the type of the array.
    unsafe { LLVMSetInitializer(global, array) };
    // SAFETY: as LLVM wants it for this name.
    unsafe { LLVMSetLinkage(global, LLVMLinkage::LLVMAppendingLinkage) };
    // SAFETY: the name is a C string.
    unsafe { LLVMSetSection(global, c"llvm.metadata".as_ptr()) };
}

/// The stack slot of the local variable of `function` that is annotated with `text`.
pub fn annotated_slot<'ctx>(function: FunctionValue<'ctx>, text: &str) -> Option<InstructionValue<'ctx>> {
    let annotated = calls(function).into_iter().find(|call| {
        called_name(call).starts_with("llvm.var.annotation")
            && operands(call.instruction.as_value_ref()).nth(1).and_then(string).as_deref() == Some(text)
    })?;
    let slot = operands(annotated.instruction.as_value_ref()).next()?;
    instructions(function).find(|i| i.as_value_ref() == slot && i.get_opcode() == InstructionOpcode::Alloca)
}

/// Removes annotations of local variables and expressions, which name source files, and profile
/// counters.
pub fn remove_local_annotations(function: FunctionValue<'_>) {
    for call in calls(function) {
        let name = called_name(&call);
        if ERASED.iter().any(|prefix| name.starts_with(prefix)) {
            call.instruction.erase_from_basic_block();
        } else if name.starts_with("llvm.ptr.annotation") || name.starts_with("llvm.annotation") {
            replace_by_first_operand(call.instruction);
        }
    }
}

fn called_name(call: &Call<'_>) -> String {
    call.function().map(super::name).unwrap_or_default()
}

fn replace_by_first_operand(instruction: InstructionValue<'_>) {
    let Some(first) = operands(instruction.as_value_ref()).next() else { return };
    // SAFETY: these intrinsics return a value of their first operand's type.
    unsafe { LLVMReplaceAllUsesWith(instruction.as_value_ref(), first) };
    instruction.erase_from_basic_block();
}
