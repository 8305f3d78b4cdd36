//! Values, types and the edits that the steps of a translation make.
//!
//! Thin handles over LLVM's C interface. *Invariant:* a handle is a plain pointer that is valid
//! until the value is erased or its module is dropped; [`Value::erase`] and [`Value::delete`] are
//! called by the step that owns the last handle.

use crate::{
    insert::Inserter,
    machine::Machine,
    session::Session,
    text::{c_string, copy_string, take_message},
};
use llvm_sys::{LLVMAtomicOrdering, LLVMLinkage, LLVMTypeKind, LLVMValueKind, core::*, prelude::*, target::*};
use std::marker::PhantomData;

pub use llvm_sys::{LLVMOpcode as Opcode, LLVMValueKind as ValueKind};

unsafe extern "C" {
    fn sinter_forbid_contraction(instruction: LLVMValueRef);
    fn sinter_drop_body(function: LLVMValueRef);
}

/// Attribute index of a function itself. Parameter `i` is at `i + 1`.
const FUNCTION_INDEX: u32 = u32::MAX;

/// A value: function, global, argument, instruction, constant or metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'s>(LLVMValueRef, PhantomData<&'s Session>);

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'s>(LLVMTypeRef, PhantomData<&'s Session>);

/// The types that specialisation distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// An integer of this many bits.
    Integer(u32),
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// A pointer.
    Pointer,
    /// Any other type.
    Other,
}

impl<'s> Type<'s> {
    pub(crate) fn new(raw: LLVMTypeRef) -> Self {
        Type(raw, PhantomData)
    }

    pub(crate) fn raw(self) -> LLVMTypeRef {
        self.0
    }

    /// The type in textual IR.
    pub fn text(self) -> String {
        // SAFETY: a live type; the result is ours.
        take_message(unsafe { LLVMPrintTypeToString(self.0) })
    }

    /// The kind and width of the type.
    pub fn shape(self) -> Shape {
        // SAFETY: a live type.
        match unsafe { LLVMGetTypeKind(self.0) } {
            // SAFETY: an integer type.
            LLVMTypeKind::LLVMIntegerTypeKind => Shape::Integer(unsafe { LLVMGetIntTypeWidth(self.0) }),
            LLVMTypeKind::LLVMFloatTypeKind => Shape::F32,
            LLVMTypeKind::LLVMDoubleTypeKind => Shape::F64,
            LLVMTypeKind::LLVMPointerTypeKind => Shape::Pointer,
            _ => Shape::Other,
        }
    }

    /// True if the type has a size known at compile time: no token, scalable vector or target type.
    pub fn has_known_size(self) -> bool {
        // SAFETY: a live type.
        let kind = unsafe { LLVMGetTypeKind(self.0) };
        !matches!(
            kind,
            LLVMTypeKind::LLVMTokenTypeKind
                | LLVMTypeKind::LLVMScalableVectorTypeKind
                | LLVMTypeKind::LLVMTargetExtTypeKind
        )
    }

    /// Bytes that a store of the type writes.
    pub fn store_size(self, machine: &Machine) -> u64 {
        // SAFETY: a live type of a live machine's layout.
        unsafe { LLVMStoreSizeOfType(machine.layout(), self.0) }
    }

    /// Bytes between two array elements of the type.
    pub fn alloc_size(self, machine: &Machine) -> u64 {
        // SAFETY: as above.
        unsafe { LLVMABISizeOfType(machine.layout(), self.0) }
    }

    /// Natural alignment in bytes.
    pub fn alignment(self, machine: &Machine) -> u32 {
        // SAFETY: as above.
        unsafe { LLVMABIAlignmentOfType(machine.layout(), self.0) }
    }

    /// The `poison` constant.
    pub fn poison(self) -> Value<'s> {
        // SAFETY: a live type.
        Value::new(unsafe { LLVMGetPoison(self.0) })
    }

    /// The constant of this type with these bits: integer, floating-point value or pointer.
    pub fn constant(self, bits: u64) -> Option<Value<'s>> {
        // SAFETY: a live type has a context.
        let context = unsafe { LLVMGetTypeContext(self.0) };
        // SAFETY: types of that context.
        let integer = |width| unsafe { LLVMConstInt(LLVMIntTypeInContext(context, width), bits, 0) };
        let raw = match self.shape() {
            Shape::Integer(width) => integer(width),
            // SAFETY: constants of equal width.
            Shape::F32 => unsafe { LLVMConstBitCast(integer(32), self.0) },
            // SAFETY: constants of equal width.
            Shape::F64 => unsafe { LLVMConstBitCast(integer(64), self.0) },
            // SAFETY: an integer constant.
            Shape::Pointer => unsafe { LLVMConstIntToPtr(integer(64), self.0) },
            Shape::Other => return None,
        };
        Value::wrap(raw)
    }
}

impl<'s> Value<'s> {
    pub(crate) fn new(raw: LLVMValueRef) -> Self {
        Value(raw, PhantomData)
    }

    pub(crate) fn wrap(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    pub(crate) fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// All values of an intrusive list.
    pub(crate) fn chain(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Self> {
        let mut values = Vec::new();
        let mut current = first;
        while let Some(value) = Value::wrap(current) {
            current = next(current);
            values.push(value);
        }
        values
    }

    /// Empty for an unnamed value.
    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: a live value and an out-pointer.
        let text = unsafe { LLVMGetValueName2(self.0, &mut length) };
        copy_string(text, length)
    }

    /// LLVM adds a suffix if the name is taken.
    pub fn set_name(self, name: &str) {
        // SAFETY: pointer and length of a string; LLVM copies it.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) };
    }

    /// LLVM's class of the value.
    pub fn kind(self) -> LLVMValueKind {
        // SAFETY: a live value.
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// For a global, a pointer type.
    pub fn ty(self) -> Type<'s> {
        // SAFETY: a live value.
        Type(unsafe { LLVMTypeOf(self.0) }, PhantomData)
    }

    /// The type of a global's content, or of a function.
    pub fn value_type(self) -> Type<'s> {
        // SAFETY: callers pass globals and functions.
        Type(unsafe { LLVMGlobalGetValueType(self.0) }, PhantomData)
    }

    /// The type that a function returns.
    pub fn return_type(self) -> Type<'s> {
        // SAFETY: callers pass functions.
        Type(unsafe { LLVMGetReturnType(LLVMGlobalGetValueType(self.0)) }, PhantomData)
    }

    /// True if a function or global is only declared.
    pub fn is_declaration(self) -> bool {
        // SAFETY: callers pass globals and functions.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// True if other modules can refer to a global or function.
    pub fn is_visible(self) -> bool {
        // SAFETY: callers pass globals and functions.
        let linkage = unsafe { LLVMGetLinkage(self.0) };
        !matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// True for a weak definition, which a strong one in another module overrides.
    pub fn may_be_overridden(self) -> bool {
        // SAFETY: callers pass functions.
        !self.is_declaration() && unsafe { LLVMGetLinkage(self.0) } == LLVMLinkage::LLVMWeakAnyLinkage
    }

    /// Makes a definition a declaration.
    pub fn drop_body(self) {
        // SAFETY: callers pass functions.
        unsafe { sinter_drop_body(self.0) }
    }

    /// True if a global variable is thread-local.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: callers pass global variables.
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// True if this is an intrinsic that LLVM knows.
    pub fn is_intrinsic(self) -> bool {
        // SAFETY: the cast returns null for anything but a function, which is asked next.
        self.kind() == LLVMValueKind::LLVMFunctionValueKind && unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    /// Gives a definition internal linkage.
    pub fn make_internal(self) {
        // SAFETY: a definition; without a comdat it may have any linkage.
        unsafe { llvm_sys::comdat::LLVMSetComdat(self.0, std::ptr::null_mut()) };
        // SAFETY: as above.
        unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage) };
    }

    /// Gives a definition external linkage.
    pub fn make_external(self) {
        // SAFETY: as above.
        unsafe { llvm_sys::comdat::LLVMSetComdat(self.0, std::ptr::null_mut()) };
        // SAFETY: as above.
        unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMExternalLinkage) };
        // SAFETY: as above.
        unsafe { LLVMSetVisibility(self.0, llvm_sys::LLVMVisibility::LLVMDefaultVisibility) };
    }

    /// Defines a declared global variable as an internal constant with this value.
    pub fn define_constant(self, value: Value<'s>) {
        // SAFETY: a global variable and a constant of its type, as the caller checked.
        unsafe { LLVMSetInitializer(self.0, value.0) };
        // SAFETY: a global variable.
        unsafe { LLVMSetGlobalConstant(self.0, 1) };
        // SAFETY: a global variable.
        unsafe { LLVMSetExternallyInitialized(self.0, 0) };
        self.make_internal();
    }

    /// The initial value of a global variable.
    pub fn initializer(self) -> Option<Value<'s>> {
        // SAFETY: callers pass global variables.
        Value::wrap(unsafe { LLVMGetInitializer(self.0) })
    }

    /// The values that use this one, one entry per use.
    pub fn users(self) -> Vec<Value<'s>> {
        let mut users = Vec::new();
        // SAFETY: a live value.
        let mut current = unsafe { LLVMGetFirstUse(self.0) };
        while !current.is_null() {
            // SAFETY: a live use.
            users.extend(Value::wrap(unsafe { LLVMGetUser(current) }));
            // SAFETY: a live use.
            current = unsafe { LLVMGetNextUse(current) };
        }
        users
    }

    /// True if the value has a use.
    pub fn is_used(self) -> bool {
        // SAFETY: a live value.
        unsafe { !LLVMGetFirstUse(self.0).is_null() }
    }

    /// Replaces all uses by `other`, which has the same type.
    pub fn replace_uses(self, other: Value<'s>) {
        if self != other {
            // SAFETY: two live values of one type, as callers check.
            unsafe { LLVMReplaceAllUsesWith(self.0, other.0) };
        }
    }

    /// The operands of an instruction or constant expression.
    pub fn operands(self) -> Vec<Value<'s>> {
        // SAFETY: callers pass users; the index is in range.
        let operand = |i| Value::wrap(unsafe { LLVMGetOperand(self.0, i) });
        // SAFETY: as above.
        (0..unsafe { LLVMGetNumOperands(self.0) } as u32).filter_map(operand).collect()
    }

    /// The first instruction or global that uses this one, directly or through constants.
    pub fn reference(self) -> Option<Value<'s>> {
        let constant = |user: &Value<'s>| !user.is_instruction() && !user.is_global();
        let (constants, users): (Vec<_>, Vec<_>) = self.users().into_iter().partition(constant);
        users.first().copied().or_else(|| constants.into_iter().find_map(Value::reference))
    }

    /// True for a global variable, function, alias or ifunc.
    pub fn is_global(self) -> bool {
        // SAFETY: a live value; the cast returns null for anything else.
        unsafe { !LLVMIsAGlobalValue(self.0).is_null() }
    }

    /// Deletes a global variable without uses.
    pub fn delete_global(self) {
        // SAFETY: callers pass an unused global variable.
        unsafe { LLVMDeleteGlobal(self.0) };
    }

    /// Deletes a function without uses.
    pub fn delete(self) {
        // SAFETY: callers pass an unused function.
        unsafe { LLVMDeleteFunction(self.0) };
    }
}

/// Functions.
impl<'s> Value<'s> {
    /// The parameters of a function.
    pub fn parameters(self) -> Vec<Value<'s>> {
        // SAFETY: callers pass functions; the index is in range.
        (0..unsafe { LLVMCountParams(self.0) }).map(|i| Value::new(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    /// The instructions of a function, block by block.
    pub fn instructions(self) -> Vec<Value<'s>> {
        let mut all = Vec::new();
        // SAFETY: callers pass functions.
        let mut block = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !block.is_null() {
            // SAFETY: a live block.
            let first = unsafe { LLVMGetFirstInstruction(block) };
            // SAFETY: a live instruction.
            all.extend(Value::chain(first, |i| unsafe { LLVMGetNextInstruction(i) }));
            // SAFETY: a live block.
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
        all
    }

    /// Adds an enum or integer attribute by LLVM's name.
    pub fn add_attribute(self, name: &str, value: u64) {
        // SAFETY: a live function has a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(self.0)) };
        // SAFETY: the kind is one that this LLVM knows; 0, an unknown name, makes no attribute.
        let attribute = unsafe { LLVMCreateEnumAttribute(context, attribute_kind(name), value) };
        // SAFETY: a live function and an attribute of its context.
        unsafe { LLVMAddAttributeAtIndex(self.0, FUNCTION_INDEX, attribute) };
    }

    /// Adds a string attribute.
    pub fn add_text_attribute(self, name: &str, value: &str) {
        // SAFETY: a live function has a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(self.0)) };
        let (name, name_size) = (name.as_ptr().cast(), name.len() as u32);
        let (value, value_size) = (value.as_ptr().cast(), value.len() as u32);
        // SAFETY: two strings with their lengths, which LLVM copies.
        let attribute = unsafe { LLVMCreateStringAttribute(context, name, name_size, value, value_size) };
        // SAFETY: a live function and an attribute of its context.
        unsafe { LLVMAddAttributeAtIndex(self.0, FUNCTION_INDEX, attribute) };
    }

    /// The CPU and features that a function is compiled for.
    pub fn target_attributes(self) -> Vec<(&'static str, String)> {
        ["target-cpu", "target-features"]
            .into_iter()
            .filter_map(|name| Some((name, self.text_attribute(name)?)))
            .collect()
    }

    fn text_attribute(self, name: &str) -> Option<String> {
        // SAFETY: a live function and a string with its length; a missing attribute is null.
        let attribute =
            unsafe { LLVMGetStringAttributeAtIndex(self.0, FUNCTION_INDEX, name.as_ptr().cast(), name.len() as u32) };
        let mut length = 0;
        // SAFETY: a text attribute and an out-pointer.
        (!attribute.is_null())
            .then(|| copy_string(unsafe { LLVMGetStringAttributeValue(attribute, &mut length) }, length as usize))
    }

    /// Removes an enum or integer attribute by LLVM's name.
    pub fn remove_attribute(self, name: &str) {
        // SAFETY: a live function.
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, FUNCTION_INDEX, attribute_kind(name)) };
    }

    /// Removes a string attribute.
    pub fn remove_text_attribute(self, name: &str) {
        // SAFETY: a live function and a string with its length.
        unsafe { LLVMRemoveStringAttributeAtIndex(self.0, FUNCTION_INDEX, name.as_ptr().cast(), name.len() as u32) };
    }

    /// The value of an attribute of a function, 0 for an enum attribute; `None` if it lacks the
    /// attribute.
    pub fn attribute_value(self, name: &str) -> Option<u64> {
        // SAFETY: a live function; a missing attribute is null.
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, FUNCTION_INDEX, attribute_kind(name)) };
        // SAFETY: an attribute with or without an integer value.
        (!attribute.is_null()).then(|| unsafe { LLVMGetEnumAttributeValue(attribute) })
    }

    /// The type of parameter `index`'s `byval` attribute.
    pub fn by_value_type(self, index: u32) -> Option<Type<'s>> {
        // SAFETY: a live function; a missing attribute is null.
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("byval")) };
        // SAFETY: a type attribute holds a type.
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }, PhantomData))
    }

    /// The value of parameter `index`'s `align` attribute.
    pub fn parameter_alignment(self, index: u32) -> Option<u32> {
        // SAFETY: a live function; a missing attribute is null.
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("align")) };
        // SAFETY: an integer attribute.
        (!attribute.is_null()).then(|| unsafe { LLVMGetEnumAttributeValue(attribute) } as u32)
    }

    /// True if a function has a personality, that is, handles exceptions.
    pub fn has_personality(self) -> bool {
        // SAFETY: a live function.
        unsafe { LLVMHasPersonalityFn(self.0) != 0 }
    }

    /// Removes the personality of a function without landing pads.
    pub fn clear_personality(self) {
        // SAFETY: a live function; null means none.
        unsafe { LLVMSetPersonalityFn(self.0, std::ptr::null_mut()) };
    }

    /// Moves the body into a new internal function with extra parameters at the end and another
    /// result type, and deletes this one, which must have no calls. The caller replaces the returns
    /// if the result type differs. Function attributes move; parameter attributes are lost.
    pub fn with_more_parameters(self, name: &str, extra: &[Type<'s>], result: Type<'s>) -> Value<'s> {
        let mut types: Vec<LLVMTypeRef> = self.parameters().iter().map(|p| p.ty().0).collect();
        types.extend(extra.iter().map(|t| t.0));
        let name = c_string(name);
        // SAFETY: types of one context.
        let ty = unsafe { LLVMFunctionType(result.0, types.as_mut_ptr(), types.len() as u32, 0) };
        // SAFETY: the function's own module.
        let new = Value::new(unsafe { LLVMAddFunction(LLVMGetGlobalParent(self.0), name.as_ptr(), ty) });
        self.parameters().into_iter().zip(new.parameters()).for_each(|(from, to)| from.replace_uses(to));
        self.move_blocks(new);
        self.copy_attributes(new);
        new.make_internal();
        // It has no live use; dead constants may still refer to it.
        self.replace_uses(new);
        self.delete();
        new
    }

    /// Moves the body and its debug information.
    pub(crate) fn move_blocks(self, into: Value<'s>) {
        self.move_debug_info(into);
        // SAFETY: callers pass functions.
        while let Some(block) = std::ptr::NonNull::new(unsafe { LLVMGetFirstBasicBlock(self.0) }) {
            // SAFETY: a live block of `self`.
            unsafe { LLVMRemoveBasicBlockFromParent(block.as_ptr()) };
            // SAFETY: a block without a parent.
            unsafe { LLVMAppendExistingBasicBlock(into.0, block.as_ptr()) };
        }
    }

    pub(crate) fn copy_attributes(self, into: Value<'s>) {
        // SAFETY: a live function.
        let count = unsafe { LLVMGetAttributeCountAtIndex(self.0, FUNCTION_INDEX) } as usize;
        let mut attributes = vec![std::ptr::null_mut(); count];
        // SAFETY: the array has room for all.
        unsafe { LLVMGetAttributesAtIndex(self.0, FUNCTION_INDEX, attributes.as_mut_ptr()) };
        for attribute in attributes {
            // SAFETY: an attribute of the same context.
            unsafe { LLVMAddAttributeAtIndex(into.0, FUNCTION_INDEX, attribute) };
        }
    }
}

/// Instructions.
impl<'s> Value<'s> {
    /// Only for instructions.
    pub fn opcode(self) -> Opcode {
        // SAFETY: callers pass instructions; the C enumeration covers every opcode of this LLVM.
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// True if this is an instruction.
    pub fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    /// True for `call`, `invoke` and `callbr`.
    pub fn is_call(self) -> bool {
        self.is_instruction() && matches!(self.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr)
    }

    /// The callee of a call; `None` for other values.
    pub fn callee(self) -> Option<Value<'s>> {
        // SAFETY: a call instruction.
        if self.is_call() { Value::wrap(unsafe { LLVMGetCalledValue(self.0) }) } else { None }
    }

    /// The function that holds an instruction.
    pub fn function(self) -> Value<'s> {
        // SAFETY: an instruction in a block in a function.
        Value::new(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.0)) })
    }

    /// Size of an `alloca` in bytes; `None` if its element count is not a constant.
    pub fn allocated_size(self, machine: &Machine) -> Option<u64> {
        // SAFETY: callers pass allocas.
        let ty: Type<'s> = Type(unsafe { LLVMGetAllocatedType(self.0) }, PhantomData);
        let count = self.operands().first().copied()?;
        let narrow = matches!(count.ty().shape(), Shape::Integer(..=64));
        let constant = narrow && count.kind() == LLVMValueKind::LLVMConstantIntValueKind;
        // SAFETY: a literal of at most 64 bits.
        constant.then(|| ty.alloc_size(machine).saturating_mul(unsafe { LLVMConstIntGetZExtValue(count.0) }))
    }

    /// True for an atomic instruction, fences included.
    pub fn is_atomic(self) -> bool {
        match self.opcode() {
            Opcode::LLVMFence | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMAtomicRMW => true,
            // SAFETY: a load or store has an ordering.
            Opcode::LLVMLoad | Opcode::LLVMStore => unsafe {
                LLVMGetOrdering(self.0) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
            },
            _ => false,
        }
    }

    /// Attaches a metadata node under this name.
    pub fn set_metadata(self, name: &str, node: Value<'s>) {
        // SAFETY: a string with its length.
        let kind = unsafe {
            LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(self.0)), name.as_ptr().cast(), name.len() as u32)
        };
        // SAFETY: an instruction and a node of its context.
        unsafe { LLVMSetMetadata(self.0, kind, node.0) };
    }

    /// Clears the `contract` flag of an operation.
    pub fn forbid_contraction(self) {
        // SAFETY: callers pass instructions.
        unsafe { sinter_forbid_contraction(self.0) };
    }

    /// Erases an instruction without uses.
    pub fn erase(self) {
        // SAFETY: callers pass an unused instruction.
        unsafe { LLVMInstructionEraseFromParent(self.0) };
    }

    /// Inserts new instructions before this one.
    pub fn insert_before<T>(self, build: impl FnOnce(&Inserter<'s>) -> T) -> T {
        // SAFETY: an instruction's type has a context.
        let raw = unsafe { LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(self.0))) };
        // SAFETY: a live instruction.
        unsafe { LLVMPositionBuilderBefore(raw, self.0) };
        // SAFETY: a builder and an instruction; copies the place in the source, which may be none.
        unsafe { LLVMSetCurrentDebugLocation2(raw, llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(self.0)) };
        build(&Inserter::new(raw))
    }
}

/// LLVM's number of an attribute.
fn attribute_kind(name: &str) -> u32 {
    // SAFETY: a string with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// Integers and pointers of a session.
impl Session {
    /// The pointer type of address space 0.
    pub fn pointer(&self) -> Type<'_> {
        // SAFETY: a live context.
        Type(unsafe { LLVMPointerTypeInContext(self.context(), 0) }, PhantomData)
    }

    /// A 64-bit literal.
    pub fn literal(&self, value: u64) -> Value<'_> {
        // SAFETY: an integer type of a live context.
        Value::new(unsafe { LLVMConstInt(self.integer(64).0, value, 0) })
    }

    /// The integer type of this width.
    pub fn integer(&self, bits: u32) -> Type<'_> {
        // SAFETY: a live context.
        Type(unsafe { LLVMIntTypeInContext(self.context(), bits) }, PhantomData)
    }
}
