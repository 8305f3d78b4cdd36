//! Emits addresses: objects, address computations and casts of pointers.
//!
//! In: pointers of LLVM. Out: integers. *Invariant:* null is 0 in every address space, and no
//! object has that address.

use super::{
    super::{Emitter, assembly::id},
    choices,
    state::{BIAS, Home, Words},
};
use crate::{
    failure::{Failure, Outcome},
    targets::spirv::local_memory::is_dynamic_array,
};
use rspirv::{
    dr::Operand,
    spirv::{Op, StorageClass, Word},
};
use sinter_core::{SpirvFeature, names::readable, spirv::push_constants::LOCAL_WORDS};
use sinter_llvm::{
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};

/// Bytes of private memory with which NVIDIA's compiler (580.159.04) makes no pipeline. Lavapipe
/// (22.3.6) takes ten times as many, and crashes for more.
const MOST_PRIVATE: u64 = 16_000;

/// Width of the addresses of an address space.
pub(in super::super) fn address_width(space: u32) -> u32 {
    if matches!(space, 3 | 5) { 32 } else { 64 }
}

/// Width of an integer or pointer.
fn width(ty: Type<'_>) -> u32 {
    match ty.view() {
        TypeView::Integer(width) => width,
        TypeView::Pointer(space) => address_width(space),
        _ => 64,
    }
}

impl<'s> Emitter<'_, 's> {
    /// The memory that an access through a pointer reaches.
    pub(super) fn home(&mut self, access: Value<'s>, pointer: Value<'s>) -> Outcome<Home> {
        let unknown = || {
            self.cx.unsupported(
                "an access through a private pointer that was stored in memory",
                access.location(),
                "Vulkan has no such pointers; use an index",
            )
        };
        let Some(class) = self.shader.homes.class(pointer) else {
            // Null or undefined: the access never happens.
            return match pointer.address_space() {
                Some(3) => Ok(Home::Words(self.local_array())),
                Some(5) => Err(unknown().into()),
                _ => Ok(Home::Global),
            };
        };
        let kinds = self.shader.homes.classes.get(&class).map(|class| class.kinds).unwrap_or_default();
        let space = pointer.address_space();
        let is_any = self.shader.homes.generic == Some(class) && kinds.count() > 1;
        let (is_local, is_private, is_table) = match space {
            Some(0) | None if is_any => return Ok(Home::Any(class)),
            _ if is_any => (space == Some(3), space == Some(5), space == Some(4) && kinds.table),
            _ => (kinds.local, kinds.private, kinds.table),
        };
        if is_local {
            return Ok(Home::Words(self.local_array()));
        }
        let home = match (is_private, is_table) {
            (true, _) if self.shader.arguments.read_only.contains(&class) => Some(Home::Arguments),
            (true, _) => self.shader.objects.get(&class).copied().map(Home::Words),
            (_, true) => self.shader.tables.get(&class).copied(),
            _ => return Ok(Home::Global),
        };
        home.ok_or_else(|| unknown().into())
    }

    /// True for a generic pointer whose upper bits say the kind of memory.
    fn has_kind(&self, pointer: Value<'s>) -> bool {
        let homes = &self.shader.homes;
        homes.generic.is_some() && homes.class(pointer) == homes.generic && pointer.address_space() == Some(0)
    }

    /// The address of a pointer as its memory needs it.
    pub(super) fn address_in(&mut self, home: Home, pointer: Value<'s>) -> Outcome<Word> {
        let address = self.id(pointer)?;
        let is_short = matches!(home, Home::Words(_) | Home::Table(_) | Home::Arguments);
        let (from, to) = (width(pointer.ty()), if is_short { 32 } else { 64 });
        if from == to {
            return Ok(address);
        }
        let ty = self.integer(to);
        Ok(self.out.value(Op::UConvert, ty, vec![id(address)]))
    }

    /// An integer of another type; the same one if it has that type.
    pub(super) fn resized(&mut self, value: Word, from: u32, ty: Word) -> Word {
        if ty == self.integer(from) { value } else { self.out.value(Op::UConvert, ty, vec![id(value)]) }
    }

    /// The array of local memory.
    pub(super) fn local_array(&mut self) -> Words {
        if let Some(known) = self.shader.local {
            return known;
        }
        let word = self.integer(32);
        let count = self.specialization(LOCAL_WORDS, (self.shader.local_size / 4).max(1));
        self.out.name(count, "local_words");
        let (mut count, is_wide) = (count, self.shader.local_is_wide);
        if is_wide {
            let one = self.integer_constant(32, 1);
            let by_number = |op: Op| Operand::LiteralSpecConstantOpInteger(op);
            let more = vec![by_number(Op::IAdd), id(count), id(one)];
            let more = self.out.distinct_global(Op::SpecConstantOp, Some(word), more);
            let half = vec![by_number(Op::ShiftRightLogical), id(more), id(one)];
            count = self.out.distinct_global(Op::SpecConstantOp, Some(word), half);
        }
        let element = self.integer(if is_wide { 64 } else { 32 });
        let array = self.out.global(Op::TypeArray, None, vec![id(element), id(count)]);
        let ty = self.pointer_to(StorageClass::Workgroup, array);
        let class = vec![Operand::StorageClass(StorageClass::Workgroup)];
        let variable = self.out.distinct_global(Op::Variable, Some(ty), class);
        self.out.name(variable, "local_memory");
        self.interface.push(variable);
        let words = Words {
            variable,
            class: StorageClass::Workgroup,
            in_block: false,
            bias: BIAS,
            is_wide,
            is_volatile: false,
        };
        self.shader.local = Some(words);
        words
    }

    /// Declares the variables of private memory and of constant tables, one for each class of
    /// pointers.
    pub(super) fn private_variables(&mut self) -> Outcome<()> {
        self.tables()?;
        let classes: Vec<_> = self.shader.homes.classes.keys().copied().collect();
        let mut total = 0;
        for number in classes {
            let objects = self.shader.homes.classes[&number].objects.clone();
            if !objects.is_empty() && !self.shader.arguments.read_only.contains(&number) {
                let first = objects.first().copied();
                total += self.private_variable(number, objects)?;
                self.expect_room(total, first)?;
            }
        }
        Ok(())
    }

    /// Refuses more private memory than the device's compiler takes.
    fn expect_room(&self, bytes: u64, object: Option<Value<'s>>) -> Outcome<()> {
        if bytes < MOST_PRIVATE || self.target.has(SpirvFeature::LargePrivateMemory) {
            return Ok(());
        }
        let what = format!("{bytes} bytes of private memory in a work-item, of fewer than {MOST_PRIVATE}");
        let hint = "the device lacks `large-private-memory`: choose another one, or move arrays to local or global \
                    memory";
        let location = object.filter(|object| object.is_instruction()).and_then(crate::backend::first_use);
        Err(self.cx.unsupported(what, location, hint).into())
    }

    /// Declares the variable of a class. Returns its size in bytes.
    fn private_variable(&mut self, class: usize, mut objects: Vec<Value<'s>>) -> Outcome<u64> {
        // The order of a hash table would make different modules of one kernel.
        objects.sort_by_key(|object| object.text());
        let mut end = 0u64;
        for object in objects {
            let (size, alignment) = self.room_of(object)?;
            let address = (end + BIAS).next_multiple_of(u64::from(alignment.max(4)));
            self.shader.addresses.insert(object, address);
            end = (address - BIAS + size).next_multiple_of(4);
        }
        let array = self.word_array(end / 4);
        let (variable, storage) = match self.shader.has_functions {
            // No function is recursive, so one place for its objects is enough.
            true => {
                let ty = self.pointer_to(StorageClass::Private, array);
                let class = vec![Operand::StorageClass(StorageClass::Private)];
                let variable = self.out.distinct_global(Op::Variable, Some(ty), class);
                self.interface.push(variable);
                (variable, StorageClass::Private)
            }
            false => (self.function_variable(array), StorageClass::Function),
        };
        let words = Words { variable, class: storage, in_block: false, bias: BIAS, is_wide: false, is_volatile: false };
        self.shader.objects.insert(class, words);
        Ok(end)
    }

    /// Size and alignment of a private object.
    fn room_of(&self, object: Value<'s>) -> Outcome<(u64, u32)> {
        if object.is_instruction() {
            let size = object.allocated_size(self.cx.machine);
            let size = size.ok_or_else(|| Failure::internal("a private array of variable length was not refused"))?;
            return Ok((size, object.alignment()));
        }
        let function = self.body.kernel.ok_or_else(|| Failure::internal("a parameter without a kernel"))?;
        let index = function.parameters().iter().position(|parameter| *parameter == object).unwrap_or_default() as u32;
        let passed = function.by_value_type(index).ok_or_else(|| Failure::internal("a parameter without memory"))?;
        let alignment = function.parameter_alignment(index).unwrap_or(1).max(passed.alignment(self.cx.machine));
        Ok((passed.alloc_size(self.cx.machine), alignment))
    }

    /// Maps allocas, parameters in memory and global variables to their addresses.
    pub(super) fn addresses_of_objects(&mut self, instructions: &[Value<'s>]) -> Outcome<()> {
        let known = self.shader.addresses.iter().map(|(object, address)| (*object, *address));
        let mut known: Vec<_> = known.collect();
        // A hash table has another order in each process, and constants get their IDs here.
        known.sort_by_key(|(object, address)| (width(object.ty()), *address));
        for (object, address) in known {
            let constant = self.integer_constant(width(object.ty()), address);
            self.body.values.insert(object, constant);
        }
        let operands = |instruction: &Value<'s>| {
            if instruction.is_call() { instruction.arguments() } else { instruction.operands() }
        };
        for operand in instructions.iter().flat_map(operands) {
            if operand.kind() == ValueKind::LLVMGlobalVariableValueKind && is_dynamic_array(operand) {
                let start = self.integer_constant(32, u64::from(self.shader.local_size) + BIAS);
                self.body.values.insert(operand, start);
            } else if operand.kind() == ValueKind::LLVMFunctionValueKind {
                let what = format!("the address of the function `{}`", readable(&operand.name()));
                let hint = "shaders have no function pointers; call the function, or choose it by a number";
                return Err(self.cx.unsupported(what, crate::backend::first_use(operand), hint).into());
            }
        }
        // Private pointers that no access can follow still have a value.
        for instruction in instructions.iter().filter(|i| i.opcode() == Opcode::LLVMAlloca) {
            if !self.shader.addresses.contains_key(instruction) {
                let constant = self.integer_constant(32, BIAS);
                self.body.values.insert(*instruction, constant);
            }
        }
        Ok(())
    }

    /// Emits a `getelementptr`.
    pub(in super::super) fn shader_step(&mut self, value: Value<'s>) -> Outcome<()> {
        let (operands, machine) = (value.operands(), self.cx.machine);
        let bits = width(value.ty());
        let (ty, mut sum) = (self.integer(bits), self.id(operands[0])?);
        let (mut walked, mut fixed) = (value.stepped_type(), 0u64);
        for (position, index) in operands[1..].iter().enumerate() {
            let scale = match walked.view() {
                _ if position == 0 => walked.alloc_size(machine),
                TypeView::Structure(members, _) => {
                    let number = index.integer().unwrap_or_default() as u32;
                    fixed = fixed.wrapping_add(walked.member_offset(number, machine));
                    let member = members.get(number as usize).copied();
                    walked = member.ok_or_else(|| Failure::internal("a step to a member that is not there"))?;
                    continue;
                }
                TypeView::Array(element, _) | TypeView::Vector(element, _) => {
                    walked = element;
                    element.alloc_size(machine)
                }
                _ => return Err(Failure::internal(format!("a step into `{}`", walked.text()))),
            };
            match index.integer().filter(|_| width(index.ty()) == 64) {
                Some(index) => fixed = fixed.wrapping_add(index.wrapping_mul(scale)),
                None => {
                    let index = self.index_of(*index, bits)?;
                    let scale = self.integer_constant(bits, scale);
                    let bytes = self.out.value(Op::IMul, ty, vec![id(index), id(scale)]);
                    sum = self.out.value(Op::IAdd, ty, vec![id(sum), id(bytes)]);
                }
            }
        }
        let fixed = self.integer_constant(bits, fixed);
        self.define(value, Op::IAdd, vec![id(sum), id(fixed)])
    }

    /// An index as a signed number of so many bits.
    fn index_of(&mut self, index: Value<'s>, bits: u32) -> Outcome<Word> {
        let (known, ty) = (self.id(index)?, self.integer(bits));
        Ok(match width(index.ty()) {
            1 => {
                let (yes, no) = (self.integer_constant(bits, u64::MAX), self.integer_constant(bits, 0));
                self.out.value(Op::Select, ty, vec![id(known), id(yes), id(no)])
            }
            from if from == bits => known,
            _ => self.out.value(Op::SConvert, ty, vec![id(known)]),
        })
    }

    /// A generic pointer that says its kind of memory; null stays null.
    fn with_kind(&mut self, address: Word, bits: u32, kind: u64) -> Word {
        let (long, boolean) = (self.integer(64), self.boolean());
        let wide = self.resized(address, bits, long);
        let (kind, none) = (self.integer_constant(64, kind << choices::KIND), self.integer_constant(64, 0));
        let marked = self.out.value(Op::BitwiseOr, long, vec![id(wide), id(kind)]);
        let is_null = self.out.value(Op::IEqual, boolean, vec![id(wide), id(none)]);
        self.out.value(Op::Select, long, [is_null, none, marked].map(id).to_vec())
    }

    /// Emits a cast between integers and pointers, or between address spaces.
    pub(in super::super) fn shader_pointer_cast(&mut self, value: Value<'s>) -> Outcome<()> {
        let from = value.operands()[0];
        let (known, ty) = (self.id(from)?, self.ty(value.ty())?);
        let kind = match from.address_space() {
            Some(3) => choices::LOCAL,
            Some(5) => choices::PRIVATE,
            Some(4) => choices::TABLE,
            _ => 0,
        };
        if kind != 0 && self.has_kind(value) {
            let generic = self.with_kind(known, width(from.ty()), kind);
            return self.alias(value, generic);
        }
        if value.address_space() == Some(4) && self.has_kind(from) {
            let mask = self.integer_constant(64, (1 << choices::KIND) - 1);
            return self.define(value, Op::BitwiseAnd, vec![id(known), id(mask)]);
        }
        match width(from.ty()) == width(value.ty()) {
            true => self.alias(value, known),
            false => {
                let result = self.result(value)?;
                self.out.value_as(result, Op::UConvert, ty, vec![id(known)]);
                Ok(())
            }
        }
    }
}
