//! Creation of global variables, and queries about existing ones.
//!
//! In: sizes, alignments, bytes. Out: variables with internal linkage. *Invariant:* handles are
//! used as `ir.rs` says.

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

/// Largest integer width that fits a handle's `u64`.
const WIDEST: u32 = 64;
/// Index of the attributes of a function or call itself.
const FUNCTION_INDEX: u32 = u32::MAX;

impl<'s> Module<'s> {
    /// Adds an internal variable of this many bytes in an address space, with undefined content.
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

    /// Declares a byte array of unknown size in an address space.
    pub fn declare_bytes(&self, name: &str, alignment: u32, space: u32) -> Value<'s> {
        let global = self.add(name, self.session().bytes(0).raw(), alignment, space);
        // SAFETY: a variable without a value.
        unsafe { LLVMSetLinkage(global.raw(), LLVMLinkage::LLVMExternalLinkage) };
        global
    }

    /// Adds an internal constant with these bytes in an address space.
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
    /// The constant address `bytes` after that of a variable.
    pub fn constant_offset(self, session: &'s Session, bytes: u64) -> Value<'s> {
        if bytes == 0 {
            return self;
        }
        let mut index = [session.literal(bytes).raw()];
        // SAFETY: an address, one index, and the type that it counts.
        Value::new(unsafe { LLVMConstGEP2(session.integer(8).raw(), self.raw(), index.as_mut_ptr(), 1) })
    }

    /// The content of a constant byte array; `None` for other constants.
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

    /// The content as a string.
    pub fn characters(self) -> Option<String> {
        self.content_bytes().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The value in textual IR.
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

    /// The global variable whose address a constant is, ignoring address space casts.
    pub fn addressed_variable(self) -> Option<Value<'s>> {
        match self.kind() {
            ValueKind::LLVMGlobalVariableValueKind => Some(self),
            ValueKind::LLVMConstantExprValueKind if is_cast(self) => self.operands().first()?.addressed_variable(),
            _ => None,
        }
    }

    /// Source and destination address space of a constant address space cast.
    pub fn constant_cast(self) -> Option<(u32, u32)> {
        // SAFETY: a constant expression.
        let is_cast = self.kind() == ValueKind::LLVMConstantExprValueKind
            && unsafe { LLVMGetConstOpcode(self.raw()) } == Opcode::LLVMAddrSpaceCast;
        is_cast.then(|| Some((self.operands().first()?.address_space()?, self.address_space()?))).flatten()
    }

    /// Removes an attribute of a call, by LLVM's name.
    pub fn remove_call_attribute(self, name: &str) {
        // SAFETY: a string with its length; 0, an unknown name, removes nothing.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        // SAFETY: callers pass calls.
        unsafe { LLVMRemoveCallSiteEnumAttribute(self.raw(), FUNCTION_INDEX, kind) };
    }

    /// True if a function has an attribute, by LLVM's name.
    pub fn has_attribute(self, name: &str) -> bool {
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        // SAFETY: callers pass functions; a missing attribute is null.
        !unsafe { LLVMGetEnumAttributeAtIndex(self.raw(), FUNCTION_INDEX, kind) }.is_null()
    }

    /// True if a function has a string attribute of this name.
    pub fn has_text_attribute(self, name: &str) -> bool {
        let (pointer, size) = (name.as_ptr().cast(), name.len() as u32);
        // SAFETY: callers pass functions; a string with its length; a missing attribute is null.
        !unsafe { LLVMGetStringAttributeAtIndex(self.raw(), FUNCTION_INDEX, pointer, size) }.is_null()
    }

    /// Size of a variable's content on a machine, in bytes.
    pub fn content_size(self, machine: &Machine) -> u64 {
        self.value_type().alloc_size(machine)
    }

    /// The explicit alignment of a variable, a load or a store; 0 if the target decides.
    pub fn alignment(self) -> u32 {
        // SAFETY: callers pass one of these.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// Promises at most this alignment of a load or a store.
    pub fn align_at_most(self, limit: u32) {
        if self.alignment() > limit {
            // SAFETY: as above; the limit is a power of two.
            unsafe { LLVMSetAlignment(self.raw(), limit) };
        }
    }

    /// Replaces the body of a function by a trap and makes it internal.
    pub fn define_as_trap(self) {
        // SAFETY: callers pass functions.
        unsafe { sinter_define_as_trap(self.raw()) };
    }

    /// `exception`, `terminate` or `abort`, if the trap replaced one of them.
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

    /// Replaces the callee of a direct call by a function of the same type.
    pub fn set_callee(self, function: Value<'s>) {
        // SAFETY: callers pass calls; the callee is the last operand.
        unsafe { LLVMSetOperand(self.raw(), LLVMGetNumOperands(self.raw()).cast_unsigned() - 1, function.raw()) };
    }

    /// Makes a variable's definition a declaration.
    pub fn declare_again(self, module: &Module<'s>) {
        let name = self.name();
        self.set_name("");
        // SAFETY: a live module and a sized type of its context.
        let declared =
            unsafe { LLVMAddGlobal(module.raw(), LLVMGlobalGetValueType(self.raw()), c_string(&name).as_ptr()) };
        self.replace_uses(Value::new(declared));
        self.delete_global();
    }

    /// Replaces a declared variable by an internal constant of that name with these bytes, as many
    /// as its type has.
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
