//! Finds the memory that each pointer leads to.
//!
//! In: a kernel and the functions that are not inlined into it. Out: for each pointer the kind of
//! memory that it addresses, and for private memory and constant tables the variable. *Invariant:*
//! a class has all kinds of memory that its pointers may lead to, never too few.
//!
//! Pointers between which a value may flow form a class. Those that come from the arguments, from
//! memory or from an integer lead to global memory, unless their address space says otherwise. One
//! class has all pointers that may lead to several kinds of memory: among them those from memory
//! and from integers, if a pointer to memory of another kind is stored or becomes an integer.

use super::constants::named_by;
use crate::targets::spirv::print::SHADER_REPORT as REPORT;
use sinter_llvm::{
    ir::{Opcode, Value, ValueKind},
    types::TypeView,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Kinds of memory that pointers of a class may lead to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    pub(super) global: bool,
    pub(super) local: bool,
    pub(super) private: bool,
    pub(super) table: bool,
}

impl Kinds {
    pub(super) fn count(self) -> usize {
        [self.global, self.local, self.private, self.table].into_iter().filter(|kind| *kind).count()
    }
}

/// A class of pointers.
#[derive(Debug, Default)]
pub(super) struct Class<'s> {
    pub(super) kinds: Kinds,
    /// Its private objects: allocas and parameters in memory.
    pub(super) objects: Vec<Value<'s>>,
    /// Its constant tables.
    pub(super) tables: Vec<Value<'s>>,
    /// True if something may be written through a pointer.
    pub(super) is_written: bool,
    /// True if a pointer that does not tell its kind of memory was stored, or became an integer.
    escapes: bool,
    /// True if a private pointer comes from memory or from an integer.
    is_unknown: bool,
    /// True if a generic pointer comes from memory or from an integer.
    is_made: bool,
}

impl<'s> Class<'s> {
    fn is_own(&self) -> bool {
        self.kinds.local || self.kinds.private || self.kinds.table
    }

    fn absorb(&mut self, other: Class<'s>) {
        self.kinds = Kinds {
            global: self.kinds.global || other.kinds.global,
            local: self.kinds.local || other.kinds.local,
            private: self.kinds.private || other.kinds.private,
            table: self.kinds.table || other.kinds.table,
        };
        self.is_written |= other.is_written;
        self.objects.extend(other.objects);
        self.tables.extend(other.tables);
    }
}

/// The classes of a kernel's pointers.
#[derive(Debug, Default)]
pub(super) struct Homes<'s> {
    numbers: HashMap<Value<'s>, usize>,
    parents: Vec<usize>,
    /// Classes by their representative.
    pub(super) classes: BTreeMap<usize, Class<'s>>,
    /// The class of pointers that may lead to several kinds of memory: those without an address
    /// space of their own say the kind.
    pub(super) generic: Option<usize>,
}

fn space(value: Value<'_>) -> Option<u32> {
    match value.ty().view() {
        TypeView::Pointer(space) => Some(space),
        _ => None,
    }
}

/// The function of the module that an instruction calls.
fn called(instruction: Value<'_>) -> Option<Value<'_>> {
    let callee = if instruction.is_call() { instruction.callee() } else { None };
    callee.filter(|callee| callee.kind() == ValueKind::LLVMFunctionValueKind && !callee.is_declaration())
}

/// True for an instruction whose result is one of its operands, or leads to the same object.
fn passes_on(value: Value<'_>) -> bool {
    value.is_instruction()
        && matches!(
            value.opcode(),
            Opcode::LLVMGetElementPtr
                | Opcode::LLVMAddrSpaceCast
                | Opcode::LLVMBitCast
                | Opcode::LLVMFreeze
                | Opcode::LLVMSelect
                | Opcode::LLVMPHI
        )
}

impl<'s> Homes<'s> {
    /// Finds the classes of the pointers of a kernel and of the functions that it calls.
    pub(super) fn of(kernel: Value<'s>, functions: &[Value<'s>]) -> Self {
        let mut homes = Homes::default();
        let instructions: Vec<_> = functions.iter().flat_map(|function| function.instructions()).collect();
        for instruction in &instructions {
            homes.flow(*instruction);
        }
        for parameter in kernel.parameters().into_iter().filter(|parameter| space(*parameter).is_some()) {
            homes.number(parameter);
        }
        let named = homes.named_in_tables();
        let values: Vec<_> = homes.numbers.keys().copied().collect();
        for value in values {
            homes.start(kernel, value);
        }
        for instruction in instructions {
            homes.end(instruction);
        }
        named.into_iter().for_each(|table| homes.escape(table));
        homes.join_generic();
        homes
    }

    /// The variables that initial values of variables name: their addresses are in memory.
    fn named_in_tables(&mut self) -> Vec<Value<'s>> {
        let is_variable = |value: &Value<'s>| value.kind() == ValueKind::LLVMGlobalVariableValueKind;
        let mut open: Vec<_> = self.numbers.keys().copied().filter(is_variable).collect();
        // A hash table has another order in each process.
        open.sort_by_key(|variable| variable.name());
        let (mut seen, mut named) = (HashSet::new(), Vec::new());
        while let Some(variable) = open.pop() {
            if seen.insert(variable) {
                let from = named.len();
                variable.initializer().into_iter().for_each(|initial| named_by(initial, &mut named));
                open.extend(&named[from..]);
            }
        }
        named.iter().for_each(|variable| _ = self.number(*variable));
        named
    }

    /// Makes one class of all pointers that may lead to several kinds of memory.
    fn join_generic(&mut self) {
        let classes = self.classes.values();
        let escapes = classes.clone().any(|class| class.is_own() && class.escapes);
        let is_made = classes.clone().any(|class| class.is_made || class.is_unknown);
        let belongs = |class: &Class<'s>| {
            let returns = escapes && is_made && (class.is_own() && class.escapes || class.is_made);
            returns || class.kinds.count() > 1 || class.is_unknown
        };
        let members: Vec<usize> = self.classes.iter().filter(|(_, class)| belongs(class)).map(|(n, _)| *n).collect();
        let Some((first, others)) = members.split_first() else { return };
        for other in others {
            self.parents[*other] = *first;
            if let (Some(other), Some(class)) = (self.classes.remove(other), self.classes.get_mut(first)) {
                class.absorb(other);
            }
        }
        self.generic = Some(*first);
    }

    /// The class of a pointer; `None` for null and undefined ones.
    pub(super) fn class(&self, pointer: Value<'s>) -> Option<usize> {
        let mut number = *self.numbers.get(&pointer)?;
        while self.parents[number] != number {
            number = self.parents[number];
        }
        Some(number)
    }

    fn number(&mut self, value: Value<'s>) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn join(&mut self, a: Value<'s>, b: Value<'s>) {
        let is_nowhere =
            |value: Value<'s>| value.is_constant_value() && value.kind() != ValueKind::LLVMGlobalVariableValueKind;
        if is_nowhere(a) || is_nowhere(b) {
            return;
        }
        let (_, _) = (self.number(a), self.number(b));
        if let (Some(a), Some(b)) = (self.class(a), self.class(b)) {
            self.parents[b] = a;
        }
    }

    /// Joins the pointers between which an instruction passes values.
    fn flow(&mut self, instruction: Value<'s>) {
        let is_report =
            instruction.is_call() && instruction.callee().is_some_and(|callee| callee.name().starts_with(REPORT));
        let operands = match instruction.is_call() {
            true if is_report => return,
            true => instruction.arguments(),
            false => instruction.operands(),
        };
        let pointers: Vec<_> = operands.iter().copied().filter(|operand| space(*operand).is_some()).collect();
        for pointer in &pointers {
            if pointer.kind() == ValueKind::LLVMGlobalVariableValueKind || !pointer.is_constant_value() {
                self.number(*pointer);
            }
        }
        if space(instruction).is_some() {
            self.number(instruction);
        }
        if let Some(callee) = called(instruction) {
            self.pass(instruction, callee);
        }
        match instruction.opcode() {
            Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast | Opcode::LLVMFreeze => {
                pointers.first().into_iter().for_each(|from| self.join(instruction, *from));
            }
            Opcode::LLVMSelect | Opcode::LLVMPHI if space(instruction).is_some() => {
                pointers.iter().for_each(|from| self.join(instruction, *from));
            }
            // Addresses of different objects must differ.
            Opcode::LLVMICmp if pointers.len() == 2 => self.join(pointers[0], pointers[1]),
            _ => {}
        }
    }

    /// Joins the pointers that a call passes to a function, and the one that it returns.
    fn pass(&mut self, call: Value<'s>, callee: Value<'s>) {
        for (argument, parameter) in call.arguments().into_iter().zip(callee.parameters()) {
            if space(parameter).is_some() {
                self.join(parameter, argument);
            }
        }
        if space(call).is_some() {
            let ends = callee.instructions().into_iter().filter(|end| end.opcode() == Opcode::LLVMRet);
            ends.flat_map(|end| end.operands()).for_each(|value| self.join(call, value));
        }
    }

    fn kind(&mut self, value: Value<'s>, set: impl FnOnce(&mut Class<'s>)) {
        if let Some(class) = self.class(value) {
            set(self.classes.entry(class).or_default());
        }
    }

    /// Notes where a pointer comes from.
    fn start(&mut self, kernel: Value<'s>, value: Value<'s>) {
        let space = space(value).unwrap_or_default();
        if value.kind() == ValueKind::LLVMGlobalVariableValueKind {
            return self.kind(value, |class| match space {
                3 => class.kinds.local = true,
                _ => {
                    class.kinds.table = true;
                    class.tables.push(value);
                }
            });
        }
        let is_parameter = value.kind() == ValueKind::LLVMArgumentValueKind;
        if is_parameter && !kernel.parameters().contains(&value) || value.is_instruction() && called(value).is_some() {
            // It comes from callers, or from the function.
            return self.kind(value, |class| {
                class.kinds.local |= space == 3;
                class.kinds.private |= space == 5;
                class.kinds.global |= space == 1;
            });
        }
        let is_object = match kernel.parameters().iter().position(|parameter| *parameter == value) {
            Some(index) => kernel.by_value_type(index as u32).is_some(),
            None => value.is_instruction() && value.opcode() == Opcode::LLVMAlloca,
        };
        let passes_on = passes_on(value);
        let from_null = passes_on && value.opcode() != Opcode::LLVMPHI && value.opcode() != Opcode::LLVMSelect;
        match space {
            3 => self.kind(value, |class| class.kinds.local = true),
            5 => self.kind(value, |class| {
                class.kinds.private = true;
                class.objects.extend(is_object.then_some(value));
                class.is_unknown |= !is_object && !passes_on;
            }),
            // An address that is computed from null.
            _ if from_null
                && value.operands().first().is_some_and(|from| {
                    from.is_constant_value() && from.kind() != ValueKind::LLVMGlobalVariableValueKind
                }) =>
            {
                self.kind(value, |class| class.kinds.global = true);
            }
            _ if passes_on => {}
            _ => self.kind(value, |class| {
                class.kinds.global = true;
                class.is_made |= matches!(space, 0 | 4) && value.is_instruction();
            }),
        }
    }

    fn escape(&mut self, value: Value<'s>) {
        if matches!(space(value), Some(0 | 4 | 5)) {
            self.kind(value, |class| class.escapes = true);
        }
    }

    /// Notes where a pointer goes.
    fn end(&mut self, instruction: Value<'s>) {
        let operands = if instruction.is_call() { instruction.arguments() } else { instruction.operands() };
        match instruction.opcode() {
            Opcode::LLVMStore | Opcode::LLVMPtrToInt | Opcode::LLVMInsertValue => {
                let stored = operands.get(usize::from(instruction.opcode() == Opcode::LLVMInsertValue));
                stored.into_iter().for_each(|value| self.escape(*value));
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                operands.iter().skip(1).for_each(|value| self.escape(*value));
            }
            _ => {}
        }
        match instruction.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMICmp | Opcode::LLVMPtrToInt => {}
            Opcode::LLVMCall if called(instruction).is_some() => {}
            Opcode::LLVMStore => operands.iter().skip(1).for_each(|place| self.write(*place)),
            _ if !passes_on(instruction) => operands.iter().for_each(|place| self.write(*place)),
            _ => {}
        }
    }

    fn write(&mut self, place: Value<'s>) {
        if space(place).is_some() {
            self.kind(place, |class| class.is_written = true);
        }
    }
}
