//! Global variables that a step makes, and what it asks about existing ones.
//!
//! In: sizes, alignments, bytes. Out: variables that nothing outside the module sees. *Invariant:*
//! handles are used as `ir.rs` says.

use crate::{
    ir::{Opcode, Value, ValueKind},
    machine::Machine,
    module::Module,
    session::Session,
    text::{c_string, copy_string, take_message},
};
use llvm_sys::{LLVMLinkage, core::*, prelude::*};

unsafe extern "C" {
    fn sinter_define_as_trap(function: LLVMValueRef);
}

/// Largest integer that fits a handle's `u64`.
const WIDEST: u32 = 64;
/// Where an attribute of a function or call stands: the function itself.
const FUNCTION_INDEX: u32 = u32::MAX;

impl<'s> Module<'s> {
    /// An internal variable of this many bytes in an address space, without a defined content.
    pub fn add_bytes(&self, name: &str, size: u64, alignment: u32, space: u32) -> Value<'s> {
        // SAFETY: a live module has a context.
        let byte = unsafe { LLVMInt8TypeInContext(LLVMGetModuleContext(self.raw())) };
        // SAFETY: a sized element type.
        let ty = unsafe { LLVMArrayType2(byte, size) };
        let global = self.add(name, ty, alignment, space);
        // SAFETY: a variable and a constant of its type.
        unsafe { LLVMSetInitializer(global.raw(), LLVMGetUndef(ty)) };
        global
    }

    /// An array of bytes in an address space, whose size is not known here.
    pub fn declare_bytes(&self, name: &str, alignment: u32, space: u32) -> Value<'s> {
        let global = self.add(name, self.session().bytes(0).raw(), alignment, space);
        // SAFETY: a variable without a value.
        unsafe { LLVMSetLinkage(global.raw(), LLVMLinkage::LLVMExternalLinkage) };
        global
    }

    /// An internal constant with these bytes in an address space.
    pub fn add_constant_bytes(&self, name: &str, bytes: &[u8], alignment: u32, space: u32) -> Value<'s> {
        let literal = literal(self, bytes);
        // SAFETY: a live constant.
        let global = self.add(name, unsafe { LLVMTypeOf(literal) }, alignment, space);
        // SAFETY: a variable and a constant of its type.
        unsafe { LLVMSetInitializer(global.raw(), literal) };
        // SAFETY: a variable.
        unsafe { LLVMSetGlobalConstant(global.raw(), 1) };
        global
    }

    fn add(&self, name: &str, ty: LLVMTypeRef, alignment: u32, space: u32) -> Value<'s> {
        let name = c_string(name);
        // SAFETY: a live module and a type of its context.
        let global = unsafe { LLVMAddGlobalInAddressSpace(self.raw(), ty, name.as_ptr(), space) };
        // SAFETY: a variable.
        unsafe { LLVMSetAlignment(global, alignment) };
        // SAFETY: a variable that the caller gives a value next.
        unsafe { LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage) };
        Value::new(global)
    }
}

/// An array of bytes.
fn literal(module: &Module<'_>, bytes: &[u8]) -> LLVMValueRef {
    let (start, size) = (bytes.as_ptr().cast(), bytes.len());
    // SAFETY: a live module has a context; start and length of a slice, which LLVM copies.
    unsafe { LLVMConstStringInContext2(LLVMGetModuleContext(module.raw()), start, size, 1) }
}

impl<'s> Value<'s> {
    /// The address so many bytes behind that of a variable, as a constant.
    pub fn constant_offset(self, session: &'s Session, bytes: u64) -> Value<'s> {
        if bytes == 0 {
            return self;
        }
        let mut index = [session.literal(bytes).raw()];
        // SAFETY: an address, one index, and the type that it counts.
        Value::new(unsafe { LLVMConstGEP2(session.integer(8).raw(), self.raw(), index.as_mut_ptr(), 1) })
    }

    /// The content of a constant array of bytes.
    pub fn content_bytes(self) -> Option<Vec<u8>> {
        let mut length = 0;
        // SAFETY: a live value.
        if self.kind() != ValueKind::LLVMConstantDataArrayValueKind || unsafe { LLVMIsConstantString(self.raw()) } == 0
        {
            return None;
        }
        // SAFETY: a constant array of bytes and an out-pointer.
        let start = unsafe { LLVMGetAsString(self.raw(), &mut length) };
        // SAFETY: LLVM has that many bytes there.
        (!start.is_null()).then(|| unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }.to_vec())
    }

    /// The same as text.
    pub fn characters(self) -> Option<String> {
        self.content_bytes().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// As IR spells it.
    pub fn text(self) -> String {
        // SAFETY: a live value; the result is ours.
        take_message(unsafe { LLVMPrintValueToString(self.raw()) })
    }

    /// The value of a literal of at most 64 bits.
    pub fn integer(self) -> Option<u64> {
        if self.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        // SAFETY: an integer.
        let width = unsafe { LLVMGetIntTypeWidth(LLVMTypeOf(self.raw())) };
        // SAFETY: a literal of at most 64 bits.
        (width <= WIDEST).then(|| unsafe { LLVMConstIntGetZExtValue(self.raw()) })
    }

    /// The address space of a pointer; `None` for other values.
    pub fn address_space(self) -> Option<u32> {
        // SAFETY: a live value.
        let ty = unsafe { LLVMTypeOf(self.raw()) };
        // SAFETY: a live type.
        let is_pointer = unsafe { LLVMGetTypeKind(ty) } == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
        // SAFETY: a pointer type.
        is_pointer.then(|| unsafe { LLVMGetPointerAddressSpace(ty) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'s>> {
        // SAFETY: callers pass calls.
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        // SAFETY: the arguments are the first operands.
        (0..count).map(|i| Value::new(unsafe { LLVMGetOperand(self.raw(), i) })).collect()
    }

    /// The global variable whose address a constant is, casts between address spaces aside.
    pub fn addressed_variable(self) -> Option<Value<'s>> {
        match self.kind() {
            ValueKind::LLVMGlobalVariableValueKind => Some(self),
            ValueKind::LLVMConstantExprValueKind if is_cast(self) => self.operands().first()?.addressed_variable(),
            _ => None,
        }
    }

    /// The address spaces that a constant casts an address from and to.
    pub fn constant_cast(self) -> Option<(u32, u32)> {
        // SAFETY: a constant expression.
        let is_cast = self.kind() == ValueKind::LLVMConstantExprValueKind
            && unsafe { LLVMGetConstOpcode(self.raw()) } == Opcode::LLVMAddrSpaceCast;
        is_cast.then(|| Some((self.operands().first()?.address_space()?, self.address_space()?))).flatten()
    }

    /// Takes an attribute from a call, by LLVM's name of it.
    pub fn remove_call_attribute(self, name: &str) {
        // SAFETY: a string with its length; 0, an unknown name, removes nothing.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        // SAFETY: callers pass calls.
        unsafe { LLVMRemoveCallSiteEnumAttribute(self.raw(), FUNCTION_INDEX, kind) };
    }

    /// Whether a function has an attribute, by LLVM's name of it.
    pub fn has_attribute(self, name: &str) -> bool {
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        // SAFETY: callers pass functions; a missing attribute is null.
        !unsafe { LLVMGetEnumAttributeAtIndex(self.raw(), FUNCTION_INDEX, kind) }.is_null()
    }

    /// True for a function with a string attribute of this name.
    pub fn has_text_attribute(self, name: &str) -> bool {
        let (pointer, size) = (name.as_ptr().cast(), name.len() as u32);
        // SAFETY: callers pass functions; a string with its length; a missing attribute is null.
        !unsafe { LLVMGetStringAttributeAtIndex(self.raw(), FUNCTION_INDEX, pointer, size) }.is_null()
    }

    /// Bytes that the content of a variable takes on a machine.
    pub fn content_size(self, machine: &Machine) -> u64 {
        self.value_type().alloc_size(machine)
    }

    /// The alignment that a variable asks for; 0 where it leaves that to the target.
    pub fn alignment(self) -> u32 {
        // SAFETY: callers pass variables.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// Gives a function an internal body that traps, whatever it was.
    pub fn define_as_trap(self) {
        // SAFETY: callers pass functions.
        unsafe { sinter_define_as_trap(self.raw()) };
    }

    /// `exception` or `abort`, where the trap replaced one of them.
    pub fn trap_cause(self) -> Option<String> {
        let name = "sinter-trap";
        let (pointer, size) = (name.as_ptr().cast(), name.len() as u32);
        // SAFETY: callers pass calls; a string with its length; a missing attribute is null.
        let attribute = unsafe { LLVMGetCallSiteStringAttribute(self.raw(), FUNCTION_INDEX, pointer, size) };
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        // SAFETY: a string attribute.
        let text = unsafe { LLVMGetStringAttributeValue(attribute, &mut length) };
        Some(copy_string(text, length as usize))
    }

    /// Lets a direct call call another function of the same type.
    pub fn set_callee(self, function: Value<'s>) {
        // SAFETY: callers pass calls; the callee is the last operand.
        unsafe { LLVMSetOperand(self.raw(), LLVMGetNumOperands(self.raw()).cast_unsigned() - 1, function.raw()) };
    }

    /// Makes a defined variable one that is only declared.
    pub fn declare_again(self, module: &Module<'s>) {
        let name = self.name();
        self.set_name("");
        // SAFETY: a live module and a sized type of its context.
        let declared =
            unsafe { LLVMAddGlobal(module.raw(), LLVMGlobalGetValueType(self.raw()), c_string(&name).as_ptr()) };
        self.replace_uses(Value::new(declared));
        self.delete_global();
    }

    /// Gives a declared variable these bytes, which must be as many as its type has, and makes it a
    /// constant of this module. Another variable takes its place where its type is no array of
    /// bytes.
    pub fn define_bytes(self, module: &Module<'s>, bytes: &[u8], alignment: u32) {
        let constant = module.add_constant_bytes("", bytes, alignment, 0);
        let name = self.name();
        self.replace_uses(constant);
        self.delete_global();
        constant.set_name(&name);
    }
}

fn is_cast(constant: Value<'_>) -> bool {
    // SAFETY: a constant expression.
    matches!(unsafe { LLVMGetConstOpcode(constant.raw()) }, Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast)
}
