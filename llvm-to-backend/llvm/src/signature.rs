//! Functions with other parameter and result types.
//!
//! In: a function with a body that is only called directly. Out: its body in a new function.
//! *Invariant:* the caller replaces the uses of the old parameters, the returns and the calls, and
//! then deletes the old function.

use crate::{
    ir::{Type, Value},
    module::Module,
    session::Session,
};
use llvm_sys::{core::*, debuginfo::*, prelude::*};

/// Attributes about the passing and the properties of an argument.
const KEPT: [&str; 9] =
    ["byval", "byref", "sret", "align", "noalias", "readonly", "writeonly", "nocapture", "dereferenceable"];

impl<'s> Value<'s> {
    /// Moves body, name and attributes into a new internal function with these parameters and this
    /// result.
    pub fn with_signature(self, module: &Module<'s>, parameters: &[Type<'s>], result: Type<'s>) -> Value<'s> {
        let name = self.name();
        self.set_name("");
        let new = module.declare(&name, result, parameters);
        self.move_blocks(new);
        self.copy_attributes(new);
        // SAFETY: two live functions.
        unsafe { LLVMSetFunctionCallConv(new.raw(), LLVMGetFunctionCallConv(self.raw())) };
        new.make_internal();
        new
    }

    /// Moves the debug information of this function to another, which has or gets its body.
    pub fn move_debug_info(self, to: Value<'s>) {
        // SAFETY: two live functions; the description is null where there is none.
        unsafe { LLVMSetSubprogram(to.raw(), LLVMGetSubprogram(self.raw())) };
        // SAFETY: a live function; null means none.
        unsafe { LLVMSetSubprogram(self.raw(), std::ptr::null_mut()) };
    }

    /// Copies the attributes of one of this function's parameters to a parameter of `into`.
    pub fn copy_parameter(self, from: u32, into: Value<'s>, to: u32) {
        self.copy_parameter_attributes(from, into, to, &KEPT);
    }

    /// Adds a `byval` attribute of this type to a parameter.
    pub fn set_by_value_type(self, index: u32, ty: Type<'s>) {
        // SAFETY: a live type has a context.
        let context = unsafe { LLVMGetTypeContext(ty.raw()) };
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5) };
        // SAFETY: an attribute that holds a type.
        let attribute = unsafe { LLVMCreateTypeAttribute(context, kind, ty.raw()) };
        // SAFETY: a live function and a parameter of it, which is a pointer; a second one replaces
        // the first.
        unsafe { LLVMAddAttributeAtIndex(self.raw(), index + 1, attribute) };
    }

    /// Adds an `align` attribute to a parameter.
    pub fn add_parameter_alignment(self, index: u32, alignment: u32) {
        // SAFETY: a live function and a parameter of it, which is a pointer; the alignment is a
        // power of two.
        unsafe { LLVMSetParamAlignment(LLVMGetParam(self.raw(), index), alignment) };
    }

    /// Gives a call the calling convention of `function`.
    pub fn take_convention_of(self, function: Value<'s>) {
        // SAFETY: a call and a function.
        unsafe { LLVMSetInstructionCallConv(self.raw(), LLVMGetFunctionCallConv(function.raw())) };
    }

    /// The value of an argument's `align` attribute at a call; `None` if it has none.
    pub fn argument_alignment(self, index: u32) -> Option<u64> {
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5) };
        // SAFETY: a call and one of its arguments; a missing attribute is null.
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.raw(), index + 1, kind) };
        // SAFETY: an integer attribute.
        (!attribute.is_null()).then(|| unsafe { LLVMGetEnumAttributeValue(attribute) })
    }

    /// The cases of a switch with their blocks, without the default.
    pub fn cases(self) -> Vec<(Value<'s>, crate::blocks::Block<'s>)> {
        let operands = self.operands();
        operands.get(2..).unwrap_or_default().chunks_exact(2).map(|pair| (pair[0], pair[1].as_block())).collect()
    }
}

impl Session {
    /// A structure type of these members, with padding.
    pub fn structure<'s>(&'s self, members: &[Type<'s>]) -> Type<'s> {
        let mut raw: Vec<LLVMTypeRef> = members.iter().map(|ty| ty.raw()).collect();
        // SAFETY: a live context and types of it.
        Type::new(unsafe { LLVMStructTypeInContext(self.context(), raw.as_mut_ptr(), raw.len() as u32, 0) })
    }

    /// The type `float`.
    pub fn single(&self) -> Type<'_> {
        // SAFETY: the session's context.
        Type::new(unsafe { LLVMFloatTypeInContext(self.context()) })
    }

    /// The type `void`.
    pub fn nothing(&self) -> Type<'_> {
        // SAFETY: a live context.
        Type::new(unsafe { LLVMVoidTypeInContext(self.context()) })
    }
}
