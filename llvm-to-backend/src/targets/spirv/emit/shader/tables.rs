//! Emits constant tables.
//!
//! In: the constant variables that a kernel uses, by the class of their pointers. Out: one array
//! of words for each class, or bytes that the driver copies behind the status, and the address of
//! each variable. *Invariant:* all addresses are known before an initial value is written, because
//! tables have addresses of each other.
//!
//! The driver fills long tables, which other drivers copy for each work-item or refuse. Lavapipe
//! (22.3.6) stores an initial value word by word and lane by lane when a kernel starts, and takes
//! the square of their number to compile that; so there it fills all.

use super::{
    super::{Emitter, assembly::id},
    choices,
    constants::pointed_at,
    state::{BIAS, Home, Words},
};
use crate::{
    failure::Outcome,
    targets::{gpu::check::odd_initial_value, spirv::limits::ELEMENTS},
};
use rspirv::{
    dr::Operand,
    spirv::{Decoration, Op, StorageClass},
};
use sinter_core::{SpirvFeature, names::readable};
use sinter_llvm::{ir::Value, types::TypeView};

/// Most words of a class of tables that are an array where private memory must be small.
const FEW_WORDS: u64 = 1024;
/// The largest alignment that an access relies on.
const ALIGNMENT: usize = 16;

/// A constant table: its initial value, and the offset among those of its class.
struct Table<'s> {
    variable: Value<'s>,
    initial: Value<'s>,
    offset: usize,
}

impl<'s> Emitter<'_, 's> {
    /// Declares the variables of constant tables, one for each class of pointers.
    pub(super) fn tables(&mut self) -> Outcome<()> {
        let classes = self.shader.homes.classes.iter().filter(|(_, class)| !class.tables.is_empty());
        let classes: Vec<_> = classes.map(|(number, class)| (*number, class.tables.clone())).collect();
        let mut placed = Vec::new();
        for (number, tables) in classes {
            placed.push((number, self.placed_tables(tables)?));
        }
        placed.into_iter().try_for_each(|(number, (tables, size))| self.table(number, &tables, size))
    }

    /// Gives tables their addresses. Returns their size together.
    fn placed_tables(&mut self, mut tables: Vec<Value<'s>>) -> Outcome<(Vec<Table<'s>>, usize)> {
        tables.sort_by_key(|table| table.name());
        let (mut placed, mut end) = (Vec::new(), 0usize);
        for variable in tables {
            let Some(initial) = variable.initializer().filter(|_| variable.is_constant()) else {
                let what = format!("the variable `{}` outside of functions", readable(&variable.name()));
                let hint = "shaders have no variables in global memory; make it constant, or pass a buffer";
                return Err(self.cx.unsupported(what, crate::backend::first_use(variable), hint).into());
            };
            let alignment = variable.alignment().max(variable.value_type().alignment(self.cx.machine)).max(4);
            let offset = end.next_multiple_of(alignment as usize);
            let size = variable.value_type().alloc_size(self.cx.machine) as usize;
            end = (offset + size).next_multiple_of(4);
            self.shader.addresses.insert(variable, offset as u64 + BIAS);
            placed.push(Table { variable, initial, offset });
        }
        Ok((placed, end))
    }

    fn table(&mut self, class: usize, tables: &[Table<'s>], size: usize) -> Outcome<()> {
        let mut bytes = vec![0; size];
        for table in tables {
            if !self.serialise(table.initial, table.offset as u64, &mut bytes) {
                let cause = "that has neither numbers nor addresses of constants";
                return Err(odd_initial_value(self.cx, table.variable, cause).into());
            }
        }
        let is_large = self.target.has(SpirvFeature::LargePrivateMemory);
        let most = if is_large { ELEMENTS } else { FEW_WORDS };
        if bytes.len() as u64 / 4 > most || !self.target.has(SpirvFeature::DivergentFences) {
            let filled = &mut self.shader.filled;
            filled.resize(filled.len().next_multiple_of(ALIGNMENT), 0);
            self.shader.tables.insert(class, Home::Table(filled.len() as u64));
            filled.extend(bytes);
            return Ok(());
        }
        let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let array = self.word_array(words.len() as u64);
        let parts: Vec<_> = words.into_iter().map(|word| id(self.integer_constant(32, word.into()))).collect();
        let initial = match parts.is_empty() {
            true => self.null(array),
            false => self.out.global(Op::ConstantComposite, Some(array), parts),
        };
        let ty = self.pointer_to(StorageClass::Private, array);
        let operands = vec![Operand::StorageClass(StorageClass::Private), id(initial)];
        let variable = self.out.distinct_global(Op::Variable, Some(ty), operands);
        self.out.annotate(variable, Decoration::NonWritable, vec![]);
        self.interface.push(variable);
        let words = Words {
            variable,
            class: StorageClass::Private,
            in_block: false,
            bias: BIAS,
            is_wide: false,
            is_volatile: false,
        };
        self.shader.tables.insert(class, Home::Words(words));
        Ok(())
    }

    /// Writes the bytes of a constant. False for a constant that is neither a number nor the
    /// address of a table.
    fn serialise(&self, value: Value<'s>, at: u64, bytes: &mut [u8]) -> bool {
        let (ty, machine) = (value.ty(), self.cx.machine);
        if value.is_undefined_or_zero() {
            return true;
        }
        let scalar = match ty.view() {
            TypeView::Integer(1..=64) | TypeView::Float(_) => value.literal_bits(),
            TypeView::Pointer(_) => self.constant_address(value),
            _ => None,
        };
        let offsets: Vec<u64> = match ty.view() {
            TypeView::Array(element, count) => (0..count).map(|index| index * element.alloc_size(machine)).collect(),
            TypeView::Vector(element, count) => {
                (0..count).map(|index| u64::from(index) * element.store_size(machine)).collect()
            }
            TypeView::Structure(members, _) => {
                (0..members.len() as u32).map(|index| ty.member_offset(index, machine)).collect()
            }
            _ => {
                let (Some(bits), size) = (scalar, ty.store_size(machine) as usize) else { return false };
                let range = at as usize..at as usize + size;
                let Some(room) = bytes.get_mut(range).filter(|room| room.len() <= 8) else { return false };
                room.copy_from_slice(&bits.to_le_bytes()[..size]);
                return true;
            }
        };
        let mut parts = (0u32..).zip(offsets);
        parts.all(|(index, offset)| {
            value.element(index).is_some_and(|element| self.serialise(element, at + offset, bytes))
        })
    }

    /// The address that a pointer in a table has. A generic one says its kind of memory.
    fn constant_address(&self, pointer: Value<'s>) -> Option<u64> {
        let (variable, offset) = pointed_at(pointer, self.cx.machine)?;
        let address = self.shader.addresses.get(&variable)?.wrapping_add_signed(offset);
        let homes = &self.shader.homes;
        let is_generic = homes.generic.is_some() && homes.class(variable) == homes.generic;
        let has_kind = is_generic && pointer.address_space() == Some(0);
        Some(if has_kind { address | (choices::TABLE << choices::KIND) } else { address })
    }
}
