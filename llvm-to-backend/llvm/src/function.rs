//! Functions with another signature.
//!
//! In: a function with a body. Out: its body in a new function with the caller's parameters.
//! *Invariant:* handles are used as `ir.rs` says; the old function is empty, and the caller deletes
//! it after replacing the uses of its parameters.

use crate::{
    ir::{Type, Value},
    module::Module,
    session::Session,
    text::c_string,
    types::TypeView,
};
use llvm_sys::{
    LLVMAttributeFunctionIndex, LLVMTailCallKind, core::*, debuginfo::LLVMInstructionSetDebugLoc, prelude::*,
};

/// Calling convention of a GPU kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelConvention {
    /// Launched by the driver of an NVIDIA GPU.
    Ptx,
    /// Launched by a dispatch packet for an AMD GPU.
    Amdgpu,
    /// Launched by a driver that takes SPIR-V.
    Spirv,
}

impl KernelConvention {
    /// LLVM's number of the convention (`CallingConv::PTX_Kernel`, `CallingConv::AMDGPU_KERNEL`,
    /// `CallingConv::SPIR_KERNEL`).
    fn number(self) -> u32 {
        match self {
            KernelConvention::Ptx => 71,
            KernelConvention::Amdgpu => 91,
            KernelConvention::Spirv => 76,
        }
    }

    /// The attribute of a pointer to an argument in memory. The callee may write to a `byval`
    /// argument, not to a `byref` one.
    fn in_memory(self) -> &'static str {
        match self {
            KernelConvention::Ptx | KernelConvention::Spirv => "byval",
            KernelConvention::Amdgpu => "byref",
        }
    }
}

/// A parameter of a new function.
#[derive(Debug, Clone, Copy)]
pub struct Parameter<'s> {
    /// Its type; a pointer if it is passed in memory.
    pub ty: Type<'s>,
    /// Type and alignment of an argument passed in memory.
    pub in_memory: Option<(Type<'s>, u32)>,
}

impl<'s> Value<'s> {
    /// True if a function is variadic.
    pub fn is_variadic(self) -> bool {
        // SAFETY: the value is a function.
        unsafe { LLVMIsFunctionVarArg(LLVMGlobalGetValueType(self.raw())) != 0 }
    }

    /// Makes code generation count the function's stack frame, if it has more than `above` bytes,
    /// for [`Session::take_large_frames`].
    pub fn report_frame(self, above: u32) {
        self.add_text_attribute("warn-stack-size", &above.to_string());
    }

    /// True if parameter `index` of a function has an attribute, by LLVM's name.
    pub fn has_parameter_attribute(self, index: u32, name: &str) -> bool {
        // SAFETY: a live function and a string with its length; a missing attribute is null.
        let found = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMGetEnumAttributeAtIndex(self.raw(), index + 1, kind)
        };
        !found.is_null()
    }

    /// Moves body, name and all attributes into a new function with `count` more pointers at the
    /// end of its parameters, and deletes this one, which must have no calls.
    pub fn with_added_parameters(self, session: &'s Session, count: usize) -> Value<'s> {
        let (name, old, result) = (self.name(), self.parameters(), self.return_type());
        self.set_name("");
        let mut types: Vec<LLVMTypeRef> = old.iter().map(|parameter| parameter.ty().raw()).collect();
        types.extend(std::iter::repeat_n(session.pointer().raw(), count));
        // SAFETY: types of one context.
        let ty = unsafe { LLVMFunctionType(result.raw(), types.as_mut_ptr(), types.len() as u32, 0) };
        // SAFETY: the function's own module.
        let new = Value::new(unsafe { LLVMAddFunction(LLVMGetGlobalParent(self.raw()), c_string(&name).as_ptr(), ty) });
        old.iter().zip(new.parameters()).for_each(|(from, to)| from.replace_uses(to));
        self.move_blocks(new);
        self.copy_attributes(new);
        (0..old.len() as u32).for_each(|index| self.copy_all_parameter_attributes(index, new));
        self.replace_uses(new);
        self.delete();
        new
    }

    /// Copies the attributes of this function that say how code for it is made to another function:
    /// strings, such as the CPU and the freedom of floating-point operations, and those that any
    /// code for the same statements has.
    pub fn copy_code_attributes(self, into: Value<'s>) {
        let kept = ["nounwind", "uwtable", "mustprogress", "null_pointer_is_valid", "strictfp"];
        let kept = kept.map(|name: &str| {
            // SAFETY: a string with its length.
            unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
        });
        // SAFETY: a live function.
        let count = unsafe { LLVMGetAttributeCountAtIndex(self.raw(), LLVMAttributeFunctionIndex) } as usize;
        let mut attributes = vec![std::ptr::null_mut(); count];
        // SAFETY: the array has room for all.
        unsafe { LLVMGetAttributesAtIndex(self.raw(), LLVMAttributeFunctionIndex, attributes.as_mut_ptr()) };
        for attribute in attributes {
            // SAFETY: a live attribute.
            let is_text = unsafe { LLVMIsStringAttribute(attribute) != 0 };
            // SAFETY: an attribute with a kind.
            if is_text || kept.contains(&unsafe { LLVMGetEnumAttributeKind(attribute) }) {
                // SAFETY: a live function and an attribute of its context.
                unsafe { LLVMAddAttributeAtIndex(into.raw(), LLVMAttributeFunctionIndex, attribute) };
            }
        }
    }

    /// Takes the places in the source from all instructions of a function that has no description
    /// of its own.
    pub fn forget_places(self) {
        for instruction in self.instructions() {
            // SAFETY: a live instruction; null means none.
            unsafe { LLVMInstructionSetDebugLoc(instruction.raw(), std::ptr::null_mut()) };
        }
    }

    /// True for a call whose caller does nothing behind it but return, and which has to reuse the
    /// caller's frame.
    pub fn is_must_tail(self) -> bool {
        // SAFETY: a call.
        self.is_call() && unsafe { LLVMGetTailCallKind(self.raw()) == LLVMTailCallKind::LLVMTailCallKindMustTail }
    }

    /// Copies the attributes of a parameter to the same parameter of `into`.
    fn copy_all_parameter_attributes(self, index: u32, into: Value<'s>) {
        // SAFETY: a live function and a parameter of it.
        let count = unsafe { LLVMGetAttributeCountAtIndex(self.raw(), index + 1) } as usize;
        let mut attributes = vec![std::ptr::null_mut(); count];
        // SAFETY: the array has room for all.
        unsafe { LLVMGetAttributesAtIndex(self.raw(), index + 1, attributes.as_mut_ptr()) };
        for attribute in attributes {
            // SAFETY: an attribute of the same context.
            unsafe { LLVMAddAttributeAtIndex(into.raw(), index + 1, attribute) };
        }
    }

    /// Moves body, name and attributes into a new kernel with these parameters.
    pub fn rebuilt(self, module: &Module<'s>, convention: KernelConvention, parameters: &[Parameter<'s>]) -> Value<'s> {
        let name = self.name();
        self.set_name("");
        let mut types: Vec<LLVMTypeRef> = parameters.iter().map(|parameter| parameter.ty.raw()).collect();
        // SAFETY: a live module has a context.
        let nothing = unsafe { LLVMVoidTypeInContext(LLVMGetModuleContext(module.raw())) };
        // SAFETY: types of one context.
        let ty = unsafe { LLVMFunctionType(nothing, types.as_mut_ptr(), types.len() as u32, 0) };
        // SAFETY: a live module and a C string.
        let new = Value::new(unsafe { LLVMAddFunction(module.raw(), c_string(&name).as_ptr(), ty) });
        self.move_blocks(new);
        self.copy_attributes(new);
        (0u32..).zip(parameters).for_each(|(index, parameter)| new.declare_in_memory(index, parameter, convention));
        // SAFETY: a live function that nothing calls.
        unsafe { LLVMSetFunctionCallConv(new.raw(), convention.number()) };
        new
    }

    /// Says of a pointer parameter that its address is a multiple of `alignment`, unless something
    /// is said already, or there is no such parameter.
    pub fn align_parameter(self, index: u32, alignment: u32) {
        let parameters = self.parameters();
        let is_pointer = |parameter: &Value<'s>| matches!(parameter.ty().view(), TypeView::Pointer(_));
        if parameters.get(index as usize).is_some_and(is_pointer) && !self.has_parameter_attribute(index, "align") {
            // SAFETY: a live function and a parameter of it; the alignment is a power of two.
            unsafe { LLVMSetParamAlignment(LLVMGetParam(self.raw(), index), alignment) };
        }
    }

    /// Makes a pointer parameter one by value, of this type and alignment.
    pub fn pass_by_value(self, index: u32, ty: Type<'s>, alignment: u32) {
        let parameter = Parameter { ty, in_memory: Some((ty, alignment)) };
        self.declare_in_memory(index, &parameter, KernelConvention::Ptx);
    }

    fn declare_in_memory(self, index: u32, parameter: &Parameter<'s>, convention: KernelConvention) {
        let Some((ty, alignment)) = parameter.in_memory else { return };
        let name = convention.in_memory();
        // SAFETY: a live type has a context.
        let context = unsafe { LLVMGetTypeContext(ty.raw()) };
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        // SAFETY: an attribute that holds a type.
        let attribute = unsafe { LLVMCreateTypeAttribute(context, kind, ty.raw()) };
        // SAFETY: a live function and a parameter of it, which is a pointer.
        unsafe { LLVMAddAttributeAtIndex(self.raw(), index + 1, attribute) };
        // SAFETY: as above; the alignment is a power of two.
        unsafe { LLVMSetParamAlignment(LLVMGetParam(self.raw(), index), alignment) };
    }

    /// Copies those of these attributes that a parameter has to a parameter of `into`.
    pub fn copy_parameter_attributes(self, from: u32, into: Value<'s>, to: u32, names: &[&str]) {
        for name in names {
            // SAFETY: a string with its length.
            let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
            // SAFETY: a live function; a missing attribute is null.
            let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.raw(), from + 1, kind) };
            if !attribute.is_null() {
                // SAFETY: a live function and an attribute of its context.
                unsafe { LLVMAddAttributeAtIndex(into.raw(), to + 1, attribute) };
            }
        }
    }
}

impl<'s> Module<'s> {
    /// Declares a function.
    pub fn declare(&self, name: &str, result: Type<'s>, parameters: &[Type<'s>]) -> Value<'s> {
        let mut types: Vec<LLVMTypeRef> = parameters.iter().map(|ty| ty.raw()).collect();
        // SAFETY: types of one context.
        let ty = unsafe { LLVMFunctionType(result.raw(), types.as_mut_ptr(), types.len() as u32, 0) };
        // SAFETY: a live module and a C string.
        Value::new(unsafe { LLVMAddFunction(self.raw(), c_string(name).as_ptr(), ty) })
    }

    /// Replaces uses of aliases by their aliasees.
    pub fn resolve_aliases(&self) {
        // SAFETY: a live module; `Value::chain` walks the list that LLVM keeps.
        let aliases =
            unsafe { Value::chain(LLVMGetFirstGlobalAlias(self.raw()), |alias| LLVMGetNextGlobalAlias(alias)) };
        for alias in aliases {
            // SAFETY: an alias stands for a constant of its type.
            alias.replace_uses(Value::new(unsafe { LLVMAliasGetAliasee(alias.raw()) }));
            // SAFETY: an alias that nothing uses; a pass removes what is internal and unused.
            unsafe { LLVMSetLinkage(alias.raw(), llvm_sys::LLVMLinkage::LLVMInternalLinkage) };
        }
    }

    /// The indirect functions (ifuncs), which are resolved when a program is loaded.
    pub fn indirect_functions(&self) -> Vec<Value<'s>> {
        // SAFETY: as above.
        unsafe { Value::chain(LLVMGetFirstGlobalIFunc(self.raw()), |ifunc| LLVMGetNextGlobalIFunc(ifunc)) }
    }

    /// Adds `!{function, !"key", i32 value}` to a named list of metadata.
    pub fn annotate(&self, list: &str, function: Value<'s>, key: &str, value: u32) {
        let session: &Session = self.session();
        // SAFETY: a string with its length, which LLVM copies.
        let text = unsafe { LLVMMDStringInContext2(session.context(), key.as_ptr().cast(), key.len()) };
        // SAFETY: an integer type of a live context.
        let literal = unsafe { LLVMConstInt(LLVMInt32TypeInContext(session.context()), u64::from(value), 0) };
        // SAFETY: two live values.
        let [function, literal] = [function.raw(), literal].map(|value| unsafe { LLVMValueAsMetadata(value) });
        let mut parts = [function, text, literal];
        // SAFETY: three live nodes of one context.
        let node = unsafe { LLVMMDNodeInContext2(session.context(), parts.as_mut_ptr(), parts.len()) };
        // SAFETY: a live module, a C string and a live node.
        unsafe {
            LLVMAddNamedMetadataOperand(
                self.raw(),
                c_string(list).as_ptr(),
                LLVMMetadataAsValue(session.context(), node),
            )
        };
    }
}

/// Types of a session.
impl Session {
    /// The pointer type of an address space.
    pub fn pointer_to(&self, space: u32) -> Type<'_> {
        // SAFETY: a live context.
        Type::new(unsafe { LLVMPointerTypeInContext(self.context(), space) })
    }

    /// An array type of this many bytes.
    pub fn bytes(&self, size: u64) -> Type<'_> {
        // SAFETY: a sized element type.
        Type::new(unsafe { LLVMArrayType2(self.integer(8).raw(), size) })
    }
}
