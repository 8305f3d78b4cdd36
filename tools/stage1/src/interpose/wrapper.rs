//! The functions that are called instead.
//!
//! In: a function that allocates or frees. Out: one of its type that asks for shared memory and, if
//! there is none, calls it; or that gives a block of ours to the process. *Invariant:* LLVM may
//! still remove an allocation that nothing uses, if the language permits it: the wrapper of a
//! function of C has the attributes of an allocator, one of `operator new` leaves them to the calls
//! of new-expressions. It stays a function of its own.

use super::{
    own::OWN,
    table::{Form, Row},
};
use sinter_llvm::{
    inkwell::{
        AddressSpace, GlobalVisibility, IntPredicate,
        attributes::{Attribute, AttributeLoc},
        basic_block::BasicBlock,
        builder::{Builder, BuilderError},
        context::ContextRef,
        module::{Linkage, Module},
        values::{BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue},
    },
    stage1::surgery,
};

/// The function of the library beside the runtime; see `runtime/stdpar`.
const ALLOCATE: &str = "sinter_stdpar_allocate";
const BEGIN: &str = "sinter_stdpar_begin";
const OWNS: &str = "sinter_stdpar_owns";

/// Bits of LLVM's `AllocFnKind`.
const ALLOCATES: u64 = 1;
const UNINITIALISED: u64 = 8;
const ZEROED: u64 = 16;
/// Stands for no number of elements in `allocsize` (`packAllocSizeArgs` in Attributes.cpp).
const NO_COUNT: u64 = u32::MAX as u64;

/// The number of an attribute.
pub(super) fn attribute(name: &str) -> u32 {
    Attribute::get_named_enum_kind_id(name)
}

/// A wrapper under construction.
struct Wrapper<'m, 'ctx> {
    module: &'m Module<'ctx>,
    context: ContextRef<'ctx>,
    builder: Builder<'ctx>,
    function: FunctionValue<'ctx>,
}

impl<'m, 'ctx> Wrapper<'m, 'ctx> {
    /// Declares a wrapper of the type of another function.
    fn new(module: &'m Module<'ctx>, name: &str, like: FunctionValue<'ctx>) -> Self {
        let context = module.get_context();
        let function = module.add_function(name, like.get_type(), Some(Linkage::LinkOnceODR));
        function.as_global_value().set_visibility(GlobalVisibility::Hidden);
        surgery::set_own_comdat(function);
        Wrapper { module, context, builder: context.create_builder(), function }
    }

    fn block(&self) -> BasicBlock<'ctx> {
        self.context.append_basic_block(self.function, "")
    }

    fn add(&self, at: AttributeLoc, name: &str, value: u64) {
        self.function.add_attribute(at, self.context.create_enum_attribute(attribute(name), value));
    }

    fn number(&self, value: u64) -> IntValue<'ctx> {
        self.context.i64_type().const_int(value, false)
    }

    fn argument(&self, index: u32) -> IntValue<'ctx> {
        match self.function.get_nth_param(index) {
            Some(BasicValueEnum::IntValue(value)) => value,
            _ => self.number(0),
        }
    }

    fn is_null(&self, pointer: PointerValue<'ctx>) -> Result<IntValue<'ctx>, BuilderError> {
        let null = pointer.get_type().const_null();
        self.builder.build_int_compare(IntPredicate::EQ, pointer, null, "")
    }

    /// Continues in a new block if `condition` is false, else at `otherwise`.
    fn unless(&self, condition: IntValue<'ctx>, otherwise: BasicBlock<'ctx>) -> Result<(), BuilderError> {
        let next = self.block();
        self.builder.build_conditional_branch(condition, otherwise, next)?;
        self.builder.position_at_end(next);
        Ok(())
    }

    /// Calls `function` with the arguments of the wrapper, and returns its result.
    fn forward(&self, function: FunctionValue<'ctx>) -> Result<(), BuilderError> {
        let arguments: Vec<BasicMetadataValueEnum<'_>> = self.function.get_param_iter().map(Into::into).collect();
        let result = self.builder.build_call(function, &arguments, "")?.try_as_basic_value().basic();
        self.builder.build_return(result.as_ref().map(|value| value as &dyn BasicValue<'_>))?;
        Ok(())
    }

    /// Lets a function that reports bad alignments see those that another function would take.
    fn refuse(&self, row: &Row, otherwise: BasicBlock<'ctx>) -> Result<(), BuilderError> {
        let (Form::Stores, Some(alignment)) = (row.form, row.alignment) else { return Ok(()) };
        let least = self.number(LEAST);
        let is_less = self.builder.build_int_compare(IntPredicate::ULT, self.argument(alignment), least, "")?;
        self.unless(is_less, otherwise)
    }

    /// Gives the block of the first argument to the process if it is one of ours.
    fn give(&self, row: &Row) -> Result<(), BuilderError> {
        let (Some(name), Some(block)) = (row.of_process, self.function.get_nth_param(0)) else { return Ok(()) };
        let ty = self.function.get_type();
        let known = self.module.get_function(name);
        let of_process = known.unwrap_or_else(|| self.module.add_function(name, ty, None));
        if of_process.get_type() != ty {
            return Ok(());
        }
        let (owns, others) = (declare(self.module, OWNS), self.block());
        self.unless(self.is_null(owns.as_global_value().as_pointer_value())?, others)?;
        let found = self.builder.build_call(owns, &[block.into()], "")?.try_as_basic_value().basic();
        let Some(BasicValueEnum::IntValue(found)) = found else { return Ok(()) };
        let is_other = self.builder.build_int_compare(IntPredicate::EQ, found, found.get_type().const_zero(), "")?;
        self.unless(is_other, others)?;
        self.forward(of_process)?;
        self.builder.position_at_end(others);
        Ok(())
    }

    /// Asks for shared memory, or continues at `otherwise`.
    fn ask(&self, row: &Row, otherwise: BasicBlock<'ctx>) -> Result<PointerValue<'ctx>, BuilderError> {
        let allocate = declare(self.module, ALLOCATE);
        self.unless(self.is_null(allocate.as_global_value().as_pointer_value())?, otherwise)?;
        let count = row.count.map_or(self.number(1), |index| self.argument(index));
        let alignment = match row.alignment {
            Some(index) => self.argument(index),
            None => self.number(if row.name == "valloc" { PAGE } else { 0 }),
        };
        let flags = self.context.i32_type().const_int(row.flags, false);
        let arguments = [count.into(), self.argument(row.size).into(), alignment.into(), flags.into()];
        let block = self.builder.build_call(allocate, &arguments, "")?.try_as_basic_value().basic();
        let block = match block {
            Some(BasicValueEnum::PointerValue(block)) => block,
            _ => self.context.ptr_type(AddressSpace::default()).const_null(),
        };
        self.unless(self.is_null(block)?, otherwise)?;
        Ok(block)
    }

    /// Returns a new block of shared memory, or continues at `otherwise`.
    fn allocate(&self, row: &Row, otherwise: BasicBlock<'ctx>) -> Result<(), BuilderError> {
        let first = self.function.get_nth_param(0);
        if let (Form::Grows, Some(BasicValueEnum::PointerValue(old))) = (row.form, first) {
            let is_old = self.builder.build_not(self.is_null(old)?, "")?;
            self.unless(is_old, otherwise)?;
        }
        self.refuse(row, otherwise)?;
        let block = self.ask(row, otherwise)?;
        match (row.form, first) {
            (Form::Stores, Some(BasicValueEnum::PointerValue(place))) => {
                self.builder.build_store(place, block)?;
                self.builder.build_return(Some(&self.context.i32_type().const_zero()))?;
            }
            _ => {
                self.builder.build_return(Some(&block))?;
            }
        }
        Ok(())
    }

    fn describe(&self, row: &Row) {
        self.add(AttributeLoc::Function, "noinline", 0);
        if row.is_new() {
            // Others than those with nothrow may throw.
            if row.name.ends_with("nothrow_t") {
                self.add(AttributeLoc::Function, "nounwind", 0);
            }
        } else {
            self.add(AttributeLoc::Function, "nounwind", 0);
        }
        if row.form != Form::Returns {
            return;
        }
        self.add(AttributeLoc::Return, "noalias", 0);
        let size = match row.count {
            Some(count) => u64::from(count) << 32 | u64::from(row.size),
            None => u64::from(row.size) << 32 | NO_COUNT,
        };
        self.add(AttributeLoc::Function, "allocsize", size);
        if !row.is_new() {
            let attributes = removable(self.module, row);
            attributes.into_iter().for_each(|own| self.function.add_attribute(AttributeLoc::Function, own));
        }
    }
}

/// Attributes of an allocation that LLVM may remove if nothing uses it.
pub(super) fn removable(module: &Module<'_>, row: &Row) -> [Attribute; 2] {
    let context = module.get_context();
    let contents = if row.flags & 1 != 0 { ZEROED } else { UNINITIALISED };
    let kind = context.create_enum_attribute(attribute("allockind"), ALLOCATES | contents);
    [kind, context.create_string_attribute("alloc-family", row.family)]
}

/// Alignment of `valloc`.
const PAGE: u64 = 4096;
/// The least alignment that `posix_memalign` takes: the size of a pointer.
const LEAST: u64 = 8;

/// A function of the library beside the runtime, which may be missing.
fn declare<'ctx>(module: &Module<'ctx>, name: &str) -> FunctionValue<'ctx> {
    if let Some(known) = module.get_function(name) {
        return known;
    }
    let context = module.get_context();
    let (pointer, number) = (context.ptr_type(AddressSpace::default()), context.i64_type());
    let ty = match name {
        BEGIN => context.void_type().fn_type(&[], false),
        OWNS => context.i32_type().fn_type(&[pointer.into()], false),
        _ => pointer.fn_type(&[number.into(), number.into(), number.into(), context.i32_type().into()], false),
    };
    let function = module.add_function(name, ty, Some(Linkage::ExternalWeak));
    let nounwind = context.create_enum_attribute(attribute("nounwind"), 0);
    function.add_attribute(AttributeLoc::Function, nounwind);
    function
}

/// The function that is called instead of `function`, whose row is `row`.
pub(super) fn of<'ctx>(
    module: &Module<'ctx>,
    row: &Row,
    function: FunctionValue<'ctx>,
) -> Result<FunctionValue<'ctx>, BuilderError> {
    let name = format!("{OWN}{}", row.name);
    if let Some(known) = module.get_function(&name) {
        return Ok(known);
    }
    let wrapper = Wrapper::new(module, &name, function);
    wrapper.describe(row);
    let (entry, otherwise) = (wrapper.block(), wrapper.block());
    wrapper.builder.position_at_end(entry);
    if row.form == Form::Frees {
        wrapper.builder.build_unconditional_branch(otherwise)?;
    } else {
        wrapper.allocate(row, otherwise)?;
    }
    wrapper.builder.position_at_end(otherwise);
    wrapper.give(row)?;
    wrapper.forward(function)?;
    Ok(wrapper.function)
}

/// The function that says that `main` has begun.
pub(super) fn begin<'ctx>(module: &Module<'ctx>) -> Result<FunctionValue<'ctx>, BuilderError> {
    let name = format!("{OWN}begin");
    if let Some(known) = module.get_function(&name) {
        return Ok(known);
    }
    let begin = declare(module, BEGIN);
    let wrapper = Wrapper::new(module, &name, begin);
    wrapper.add(AttributeLoc::Function, "nounwind", 0);
    let (entry, otherwise) = (wrapper.block(), wrapper.block());
    wrapper.builder.position_at_end(entry);
    wrapper.unless(wrapper.is_null(begin.as_global_value().as_pointer_value())?, otherwise)?;
    wrapper.builder.build_call(begin, &[], "")?;
    wrapper.builder.build_unconditional_branch(otherwise)?;
    wrapper.builder.position_at_end(otherwise);
    wrapper.builder.build_return(None)?;
    Ok(wrapper.function)
}
