//! Moves variables and allocas to other address spaces.
//!
//! In: variables and allocas in the generic address space. Out: the same in the target's specific
//! address space, cast back where they are used. *Invariant:* handles are used as `ir.rs` says; the
//! old variable or instruction is deleted.

use crate::{
    insert::Inserter,
    ir::{Opcode, Value},
    module::Module,
    text::c_string,
};
use llvm_sys::{core::*, prelude::*};

/// Lifetime intrinsics, with their names for generic pointers.
const LIFETIME: [&str; 2] = ["llvm.lifetime.start.", "llvm.lifetime.end."];
const GENERIC: &str = "p0";
/// `llvm::Module::Error`: two modules with different values are not linked.
const BEHAVIOR: llvm_sys::LLVMModuleFlagBehavior = llvm_sys::LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorError;

impl<'s> Value<'s> {
    /// Moves a defined variable to another address space.
    pub fn move_to_space(self, module: &Module<'s>, space: u32) {
        let name = self.name();
        self.set_name("");
        // SAFETY: a live module and a sized type of its context.
        let made = unsafe {
            LLVMAddGlobalInAddressSpace(
                module.raw(),
                LLVMGlobalGetValueType(self.raw()),
                c_string(&name).as_ptr(),
                space,
            )
        };
        // SAFETY: two variables of one type; callers pass one with a value.
        unsafe { LLVMSetInitializer(made, LLVMGetInitializer(self.raw())) };
        // SAFETY: two variables.
        unsafe { LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(self.raw())) };
        // SAFETY: two variables.
        unsafe { LLVMSetLinkage(made, LLVMGetLinkage(self.raw())) };
        // SAFETY: two variables.
        unsafe { LLVMSetAlignment(made, LLVMGetAlignment(self.raw())) };
        // SAFETY: two variables.
        unsafe { LLVMSetUnnamedAddress(made, LLVMGetUnnamedAddress(self.raw())) };
        // SAFETY: the address of a variable and the type of a pointer.
        self.replace_uses(Value::new(unsafe { LLVMConstAddrSpaceCast(made, LLVMTypeOf(self.raw())) }));
        self.delete_global();
    }

    /// Moves an `alloca` to the stack address space of the module's data layout.
    pub fn move_to_stack_space(self, module: &Module<'s>) {
        let (made, cast) = self.insert_before(|insert| {
            let made = insert.reserve_like(self);
            (made, insert.address_space_cast(made, self.ty()))
        });
        self.users().into_iter().for_each(|user| mark_lifetime(module, user, made));
        made.set_name(&self.name());
        self.replace_uses(cast);
        self.erase();
    }

    /// True if a variable is constant.
    pub fn is_constant(self) -> bool {
        // SAFETY: callers pass variables.
        unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }

    /// Makes a variable's initial content undefined.
    pub fn make_initializer_undefined(self) {
        // SAFETY: a variable and a constant of its type.
        unsafe { LLVMSetInitializer(self.raw(), LLVMGetPoison(LLVMGlobalGetValueType(self.raw()))) };
    }

    /// Gives a definition protected visibility: other modules can refer to it but not replace it.
    pub fn make_protected(self) {
        self.make_external();
        // SAFETY: callers pass definitions.
        unsafe { LLVMSetVisibility(self.raw(), llvm_sys::LLVMVisibility::LLVMProtectedVisibility) };
    }

    /// Attaches a list of numbers to a function as metadata.
    pub fn set_numbers(self, module: &Module<'s>, name: &str, numbers: &[u32]) {
        let context = module.session().context();
        // SAFETY: integers of a live context.
        let literal = |number: &u32| unsafe {
            LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), u64::from(*number), 0))
        };
        let mut parts: Vec<LLVMMetadataRef> = numbers.iter().map(literal).collect();
        // SAFETY: live nodes of one context.
        let node = unsafe { LLVMMDNodeInContext2(context, parts.as_mut_ptr(), parts.len()) };
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32) };
        // SAFETY: a live function and a node of its context.
        unsafe { LLVMGlobalSetMetadata(self.raw(), kind, node) };
    }
}

impl<'s> Inserter<'s> {
    /// An `alloca` like `alloca`, in the stack address space of the module's data layout.
    fn reserve_like(&self, alloca: Value<'s>) -> Value<'s> {
        // SAFETY: an alloca, whose only operand is the number of elements.
        let (ty, count) = unsafe { (LLVMGetAllocatedType(alloca.raw()), LLVMGetOperand(alloca.raw(), 0)) };
        // SAFETY: a sized type and an integer.
        let made = unsafe { LLVMBuildArrayAlloca(self.raw(), ty, count, c"".as_ptr()) };
        // SAFETY: two allocas.
        unsafe { LLVMSetAlignment(made, LLVMGetAlignment(alloca.raw())) };
        Value::new(made)
    }
}

/// Makes `user`, if it is a lifetime intrinsic, refer to `memory`, which is in another address
/// space.
fn mark_lifetime<'s>(module: &Module<'s>, user: Value<'s>, memory: Value<'s>) {
    let (Some(mark), Some(space)) = (user.callee(), memory.address_space()) else { return };
    let name = mark.name();
    let is_mark = user.opcode() == Opcode::LLVMCall && name.ends_with(GENERIC);
    let Some(kind) = LIFETIME.iter().find(|kind| is_mark && name.starts_with(**kind)) else { return };
    let (name, size) = (format!("{kind}p{space}"), user.operands()[0]);
    let types = [size.ty(), memory.ty()];
    let mark = module.function(&name).unwrap_or_else(|| module.declare(&name, mark.return_type(), &types));
    user.insert_before(|insert| insert.call(mark, &[size, memory]));
    user.erase();
}

impl Module<'_> {
    /// Sets an integer module flag, such as the version of its code object format.
    pub fn set_flag(&self, name: &str, value: u32) {
        let (start, size) = (name.as_ptr().cast(), name.len());
        // SAFETY: a live module and a string with its length; a missing flag is null.
        if !unsafe { LLVMGetModuleFlag(self.raw(), start, size) }.is_null() {
            return;
        }
        // SAFETY: an integer type of a live context.
        let literal = unsafe { LLVMConstInt(LLVMInt32TypeInContext(self.session().context()), u64::from(value), 0) };
        // SAFETY: a live module, a string with its length and a live value.
        unsafe { LLVMAddModuleFlag(self.raw(), BEHAVIOR, start, size, LLVMValueAsMetadata(literal)) };
    }
}

/// By-value parameters of functions.
impl<'s> Value<'s> {
    /// Makes a function copy its by-value parameters itself, and its callers pass an address.
    pub fn copy_by_value_parameters(self, machine: &crate::machine::Machine) {
        let Some(first) = self.instructions().first().copied() else { return };
        for (index, parameter) in (0u32..).zip(self.parameters()) {
            let Some(ty) = self.by_value_type(index) else { continue };
            let alignment = self.parameter_alignment(index).unwrap_or(1).max(ty.alignment(machine));
            let users = parameter.users();
            let copy = first.insert_before(|insert| {
                let copy = insert.private_copy(ty, alignment, parameter, machine);
                insert.address_space_cast(copy, parameter.ty())
            });
            users.into_iter().for_each(|user| user.replace_operand(parameter, copy));
        }
        self.remove_byval();
    }

    /// Removes `byval` from the parameters of a function.
    pub fn remove_byval(self) {
        for index in (0u32..).take(self.parameters().len()) {
            // SAFETY: a live function and one of its parameters; a missing attribute is no error.
            unsafe { LLVMRemoveEnumAttributeAtIndex(self.raw(), index + 1, by_value()) };
        }
    }

    /// Removes `byval` from the arguments of a call.
    pub fn remove_byval_of_arguments(self) {
        for index in (0u32..).take(self.arguments().len()) {
            // SAFETY: a call and one of its arguments; a missing attribute is no error.
            unsafe { LLVMRemoveCallSiteEnumAttribute(self.raw(), index + 1, by_value()) };
        }
    }

    /// Replaces the operand `old` of this instruction by `new`, which has the same type.
    fn replace_operand(self, old: Value<'s>, new: Value<'s>) {
        // SAFETY: callers pass instructions; the index is in range.
        for index in 0..unsafe { LLVMGetNumOperands(self.raw()) }.cast_unsigned() {
            // SAFETY: as above.
            if unsafe { LLVMGetOperand(self.raw(), index) } == old.raw() {
                // SAFETY: two values of one type.
                unsafe { LLVMSetOperand(self.raw(), index, new.raw()) };
            }
        }
    }
}

fn by_value() -> u32 {
    // SAFETY: a string with its length.
    unsafe { LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5) }
}
