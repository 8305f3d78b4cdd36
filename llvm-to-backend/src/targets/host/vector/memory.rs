//! Emits loads, stores and private memory of a row.
//!
//! In: an access of the kernel. Out: one scalar access, one vector access under the mask, or one
//! access for each lane. *Invariant:* a lane that does not run the access reads nothing but the
//! spare memory of the row and writes nothing.

use super::{
    emit::{Broken, Emitter},
    form::Form,
    instructions::copy_with,
    properties::{elements_apart, stride},
};
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Shape, Type, Value},
    operation::IntegerPredicate,
};

/// Bytes of the memory that lanes access instead of their own: enough for any scalar.
const SPARE: u64 = 64;
/// Bytes of a line of the cache.
const LINE: u32 = 64;

/// The way the addresses of an access lie.
enum Pattern<'s> {
    /// All lanes access the same address.
    One(Value<'s>),
    /// Lane `l` accesses element `l` behind the address.
    Row(Value<'s>),
    /// The last lane accesses the element at the address, and each other one that behind the next
    /// lane's.
    Reversed(Value<'s>),
    /// All lanes of a line access the same address.
    OneInLine(Form<'s>),
    /// Number `i` of each line accesses element `i` behind the line's address.
    Lines(Vec<Value<'s>>),
    /// Number `i` of each line accesses element `i` behind the address.
    Shared(Value<'s>),
    /// Lane `l` accesses element `l * number` behind the address.
    Strided(Value<'s>, u32),
    /// Each lane has an address of its own.
    Scattered(Value<'s>),
}

impl<'s> Emitter<'s, '_> {
    /// Private memory: a copy for each lane, one behind the other, or each word of all lanes, one
    /// word behind the other.
    pub(super) fn reserve_private_memory(&mut self) {
        for row in &self.plan.blocks {
            for alloca in self.graph.block(row.block).instructions() {
                if alloca.opcode() == Opcode::LLVMAlloca {
                    self.reserve_private(alloca);
                }
            }
        }
        let is_access = |user: &Value<'s>| matches!(user.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore);
        for (address, word) in self.words {
            address.users().into_iter().filter(is_access).for_each(|user| user.align_at_most(*word as u32));
        }
    }

    fn reserve_private(&mut self, alloca: Value<'s>) {
        let size = stride(self.cx, alloca);
        let ty = self.cx.session.bytes(size * u64::from(self.lanes));
        let word = self.words.get(&alloca).copied();
        // The words of a line begin where a vector may.
        let line = word.map_or(1, |word| (word as u32 * self.length()).next_power_of_two().min(LINE));
        let memory = self.entry.append(|insert| {
            let memory = insert.reserve(ty, alloca.alignment().max(line));
            insert.address_space_cast(memory, alloca.ty())
        });
        let form = self.copies(memory, word.unwrap_or(size));
        self.private.insert(self.numbers[&alloca], form);
    }

    /// The addresses of the lanes' copies or words, `size` bytes each.
    fn copies(&self, memory: Value<'s>, size: u64) -> Form<'s> {
        let of_line = |line: u32| {
            let offset = self.cx.session.literal(u64::from(line * self.length()) * size);
            let base = self.entry.append(|insert| insert.addresses(self.cx.session.integer(8), memory, &[offset]));
            Form::Linear { base, step: size.cast_signed(), signed: true }
        };
        match self.lines {
            1 => Form::Linear { base: memory, step: size.cast_signed(), signed: true },
            lines => Form::Lines((0..lines).map(of_line).collect()),
        }
    }

    pub(super) fn load(&mut self, load: Value<'s>) -> Result<Form<'s>, Broken> {
        if load.is_volatile() || load.is_atomic() {
            return self.each_lane(load)?.ok_or(Broken("a load without a result"));
        }
        let ty = load.ty();
        match self.pattern(load.operands()[0], ty)? {
            Pattern::One(address) => Ok(Form::Scalar(self.load_one(load, address))),
            Pattern::Row(address) => self.load_row(load, address).map(Form::Wide),
            Pattern::Reversed(address) => {
                let loaded = self.with_reversed_mask(|emitter| emitter.load_row(load, address))?;
                Ok(Form::Wide(self.reversed(loaded)))
            }
            Pattern::OneInLine(addresses) => self.each_line(|emitter| {
                let address = addresses.in_line(emitter.line.unwrap_or(0)).parts()[0];
                Ok(Form::Scalar(emitter.load_one(load, address)))
            }),
            Pattern::Lines(addresses) => {
                let parts = addresses.into_iter().zip(self.masks());
                let parts = parts.map(|(address, mask)| self.load_line(load, address, mask)).collect();
                Ok(Form::Wide(self.joined(parts)))
            }
            Pattern::Shared(address) => {
                let either = |a: Value<'s>, b: Value<'s>| self.build(|insert| insert.either(a, b));
                let mask = self.masks().into_iter().flatten().reduce(either);
                let part = self.load_line(load, address, mask);
                Ok(Form::Wide(self.joined(vec![part; self.lines as usize])))
            }
            Pattern::Strided(address, elements) => {
                let addresses = self.wide(load.operands()[0])?;
                let gather = |emitter: &mut Self| emitter.gather(load, addresses);
                self.load_strided(load, address, elements, gather).map(Form::Wide)
            }
            Pattern::Scattered(addresses) => self.gather(load, addresses).map(Form::Wide),
        }
    }

    pub(super) fn store(&mut self, store: Value<'s>) -> Result<(), Broken> {
        let operands = store.operands();
        if store.is_volatile() || store.is_atomic() {
            return self.each_lane(store).map(|_| ());
        }
        match self.pattern(operands[1], operands[0].ty())? {
            Pattern::One(address) => self.store_last(store, address),
            Pattern::Row(address) => {
                let wide = self.wide(operands[0])?;
                self.store_row(store, wide, address)
            }
            Pattern::Reversed(address) => {
                let wide = self.wide(operands[0])?;
                let wide = self.reversed(wide);
                self.with_reversed_mask(|emitter| emitter.store_row(store, wide, address))
            }
            Pattern::Lines(addresses) => self.store_lines(store, &addresses),
            // The last lane's value remains, as of any addresses that are equal.
            Pattern::OneInLine(_) | Pattern::Shared(_) | Pattern::Strided(..) => {
                let addresses = self.wide(operands[1])?;
                self.scatter(store, addresses)
            }
            Pattern::Scattered(addresses) => self.scatter(store, addresses),
        }
    }

    fn pattern(&mut self, pointer: Value<'s>, ty: Type<'s>) -> Result<Pattern<'s>, Broken> {
        let size = ty.alloc_size(self.cx.machine).cast_signed();
        let fits = has_no_gaps(ty, self) && (self.lines == 1 || self.is_whole() || self.has_masked(ty));
        let base_of = |form: &Form<'s>, wanted: i64| match form {
            Form::Linear { base, step, .. } if *step == wanted && fits => Some(*base),
            _ => None,
        };
        let base = |form: &Form<'s>| base_of(form, size);
        let form = self.form(pointer)?;
        let of_lines = match &form {
            Form::Lines(lines) => lines.iter().map(base).collect(),
            _ => None,
        };
        if let Some(base) = base_of(&form, -size).filter(|_| self.lines == 1) {
            return Ok(Pattern::Reversed(self.address_of_last(base, -size)));
        }
        if let Form::Linear { base, step, .. } = form
            && self.lines == 1
            && let Some(elements) = elements_apart(pointer, step, size.cast_unsigned(), self.lanes)
        {
            return Ok(Pattern::Strided(base, elements));
        }
        match (&form, base(&form), of_lines) {
            (Form::Scalar(address), ..) => Ok(Pattern::One(*address)),
            (_, Some(base), _) if self.lines == 1 => Ok(Pattern::Row(base)),
            (_, Some(base), _) => Ok(Pattern::Shared(base)),
            (_, _, Some(bases)) => Ok(Pattern::Lines(bases)),
            (Form::Lines(lines), ..) if matches!(lines[0], Form::Scalar(_)) => Ok(Pattern::OneInLine(form)),
            _ => Ok(Pattern::Scattered(self.wide(pointer)?)),
        }
    }

    /// The address of the last lane of linear ones.
    fn address_of_last(&self, base: Value<'s>, step: i64) -> Value<'s> {
        let distance = step.wrapping_mul(i64::from(self.lanes - 1)).cast_unsigned();
        let distance = self.number(self.cx.session.integer(64), distance);
        self.build(|insert| insert.addresses(self.cx.session.integer(8), base, &[distance]))
    }

    /// A vector in the reverse order of the lanes.
    fn reversed(&self, wide: Value<'s>) -> Value<'s> {
        let positions: Vec<_> = (0..self.lanes).rev().collect();
        self.build(|insert| insert.shuffle(wide, wide, &positions))
    }

    /// Emits an access in the reverse order of the lanes.
    fn with_reversed_mask<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let reversed = self.reversed(self.mask);
        let mask = std::mem::replace(&mut self.mask, reversed);
        let made = emit(self);
        self.mask = mask;
        made
    }

    /// An address that may be accessed even if no lane runs the block.
    fn valid(&mut self, address: Value<'s>) -> Value<'s> {
        let Some(any) = self.some_lane() else { return address };
        let spare = self.spare_memory();
        self.build(|insert| {
            let spare = insert.address_space_cast(spare, address.ty());
            insert.select(any, address, spare)
        })
    }

    /// One load for all lanes, or for those of the current line.
    fn load_one(&mut self, load: Value<'s>, address: Value<'s>) -> Value<'s> {
        let valid = self.valid(address);
        let certain = valid == address;
        self.build(|insert| match certain {
            true => copy_with(insert, load, &[address]),
            false => careful_load(insert, load, valid),
        })
    }

    /// One vector load for the lanes of a line that are in `mask`, or for all of them.
    fn load_line(&self, load: Value<'s>, address: Value<'s>, mask: Option<Value<'s>>) -> Value<'s> {
        let wide = load.ty().vector(self.length());
        let Some(mask) = mask else {
            let loaded = self.build(|insert| insert.load_aligned(wide, address, load.alignment(), false));
            loaded.copy_alias_facts(load);
            return loaded;
        };
        let arguments = [address, self.alignment_of_row(load, load.ty()), mask, wide.poison()];
        self.masked(load, "llvm.masked.load", [wide, address.ty()], arguments)
    }

    /// One vector store for each line.
    fn store_lines(&mut self, store: Value<'s>, addresses: &[Value<'s>]) -> Result<(), Broken> {
        let (value, ty) = (store.operands()[0], store.operands()[0].ty());
        let wide = self.wide(value)?;
        for ((line, address), mask) in addresses.iter().enumerate().zip(self.masks()) {
            let part = self.part(wide, line);
            match mask {
                None => {
                    let stored = self.build(|insert| insert.store_aligned(part, *address, store.alignment(), false));
                    stored.copy_alias_facts(store);
                }
                Some(mask) => {
                    let arguments = [part, *address, self.alignment_of_row(store, ty), mask];
                    self.masked(store, "llvm.masked.store", [part.ty(), address.ty()], arguments);
                }
            }
        }
        Ok(())
    }

    fn spare_memory(&mut self) -> Value<'s> {
        let bytes = self.cx.session.bytes(SPARE);
        *self.spare.get_or_insert_with(|| self.entry.append(|insert| insert.reserve(bytes, SPARE as u32)))
    }

    /// Stores what the last lane stores.
    fn store_last(&mut self, store: Value<'s>, address: Value<'s>) -> Result<(), Broken> {
        let value = store.operands()[0];
        let stored = if self.is_same(value) {
            self.scalar(value)?
        } else {
            let (wide, last) = (self.wide(value)?, self.last_lane(self.mask));
            self.build(|insert| insert.element(wide, last))
        };
        let address = self.valid(address);
        self.build(|insert| copy_with(insert, store, &[stored, address]));
        Ok(())
    }

    /// The number of the highest lane in a mask; any valid number if there is none.
    fn last_lane(&self, mask: Value<'s>) -> Value<'s> {
        let bits = self.bits(mask);
        let ty = bits.ty();
        let literal = |number: u32| ty.constant(u64::from(number)).unwrap_or(ty.zero());
        self.build(|insert| {
            let some = insert.either(bits, literal(1));
            let no = self.cx.session.integer(1).zero();
            let zeros = insert.intrinsic(self.module, "llvm.ctlz", &[ty], &[some, no]);
            let last = insert.binary(Opcode::LLVMSub, literal(self.lanes - 1), zeros);
            insert.resize(last, self.cx.session.integer(64))
        })
    }

    fn alignment(&self, access: Value<'s>) -> Value<'s> {
        self.number(self.cx.session.integer(32), access.alignment().into())
    }

    /// The alignment of the first of adjacent elements. `access` promises its own for the lanes
    /// that run it, which the first one need not do.
    fn alignment_of_row(&self, access: Value<'s>, element: Type<'s>) -> Value<'s> {
        let size = element.alloc_size(self.cx.machine);
        let step = 1 << size.trailing_zeros();
        self.number(self.cx.session.integer(32), u64::from(access.alignment()).min(step))
    }

    /// An integer literal.
    pub(super) fn number(&self, ty: Type<'s>, value: u64) -> Value<'s> {
        ty.constant(value).unwrap_or(ty.zero())
    }

    /// One of LLVM's accesses under a mask, in place of `access`.
    fn masked(&self, access: Value<'s>, name: &str, types: [Type<'s>; 2], arguments: [Value<'s>; 4]) -> Value<'s> {
        let made = self.build(|insert| {
            insert.speak_for(access);
            insert.intrinsic(self.module, name, &types, &arguments)
        });
        made.copy_alias_facts(access);
        made
    }

    fn load_row(&mut self, load: Value<'s>, address: Value<'s>) -> Result<Value<'s>, Broken> {
        let ty = load.ty();
        if !self.has_masked(ty) {
            let addresses =
                self.spread(address, ty.alloc_size(self.cx.machine).cast_signed(), address.ty(), self.lanes);
            return self.row_or(load, address, |emitter| emitter.gather_lanes(load, addresses));
        }
        let wide = ty.vector(self.lanes);
        let arguments = [address, self.alignment_of_row(load, ty), self.mask, wide.poison()];
        Ok(self.masked(load, "llvm.masked.load", [wide, address.ty()], arguments))
    }

    /// One vector load if all lanes run it, else `some`.
    fn row_or(
        &mut self,
        load: Value<'s>,
        address: Value<'s>,
        some: impl FnOnce(&mut Self) -> Result<Value<'s>, Broken>,
    ) -> Result<Value<'s>, Broken> {
        let ty = load.ty().vector(self.lanes);
        let whole = |emitter: &mut Self| {
            let loaded = emitter.build(|insert| insert.load_aligned(ty, address, load.alignment(), false));
            loaded.copy_alias_facts(load);
            vec![loaded]
        };
        let made = self.all_or(&[ty], whole, |emitter| Ok(vec![some(emitter)?]))?;
        made.first().copied().ok_or(Broken("a load without a result"))
    }

    /// Results of the types from `whole` if all lanes are in the current mask, else from `part`.
    pub(super) fn all_or(
        &mut self,
        types: &[Type<'s>],
        whole: impl FnOnce(&mut Self) -> Vec<Value<'s>>,
        part: impl FnOnce(&mut Self) -> Result<Vec<Value<'s>>, Broken>,
    ) -> Result<Vec<Value<'s>>, Broken> {
        let all = self.all(self.mask);
        self.either(all, types, |emitter| Ok(whole(emitter)), part)
    }

    /// Results of the types from `yes` or from `no`. Forms that one of them makes first are of no
    /// use behind it, so callers make those of all operands before.
    pub(super) fn either(
        &mut self,
        condition: Value<'s>,
        types: &[Type<'s>],
        yes: impl FnOnce(&mut Self) -> Result<Vec<Value<'s>>, Broken>,
        no: impl FnOnce(&mut Self) -> Result<Vec<Value<'s>>, Broken>,
    ) -> Result<Vec<Value<'s>>, Broken> {
        let (first, second, after) = (self.new_block(), self.new_block(), self.new_block());
        self.build(|insert| insert.branch_if(condition, first, second));
        self.at = first;
        let of_first = yes(self)?;
        let end_of_first = self.at;
        self.build(|insert| insert.branch(after));
        self.at = second;
        let of_second = no(self)?;
        let end_of_second = self.at;
        self.build(|insert| insert.branch(after));
        self.at = after;
        let join = |((ty, one), other): ((&Type<'s>, Value<'s>), Value<'s>)| {
            let phi = self.build(|insert| insert.phi(*ty));
            phi.add_incoming(one, end_of_first);
            phi.add_incoming(other, end_of_second);
            phi
        };
        Ok(types.iter().zip(of_first).zip(of_second).map(join).collect())
    }

    /// True if a mask has all lanes.
    fn all(&self, mask: Value<'s>) -> Value<'s> {
        let bits = self.bits(mask);
        let ones = bits.ty().constant(u64::MAX).unwrap_or(bits);
        self.build(|insert| insert.compare(IntegerPredicate::LLVMIntEQ, bits, ones))
    }

    fn gather(&mut self, load: Value<'s>, addresses: Value<'s>) -> Result<Value<'s>, Broken> {
        let ty = load.ty();
        if !self.has_gather(ty) {
            return self.gather_lanes(load, addresses);
        }
        let wide = ty.vector(self.lanes);
        let addresses = self.defined(addresses);
        let arguments = [addresses, self.alignment(load), self.mask, wide.poison()];
        Ok(self.masked(load, "llvm.masked.gather", [wide, addresses.ty()], arguments))
    }

    /// Addresses of which none is undefined, also those of lanes that do not run. LLVM 19 gives a
    /// gather's result the register of an undefined vector of indices, which processors refuse.
    /// Indices of a common base become 0, so that gathers keep their form of base and indices.
    fn defined(&self, addresses: Value<'s>) -> Value<'s> {
        // A scalar operand is a pointer or an integer.
        let is_vector = |value: &Value<'s>| value.ty().shape() == Shape::Other;
        let or_zero = |insert: &Inserter<'s>, all: Value<'s>| insert.select(self.mask, all, all.ty().zero());
        let operands = if addresses.is_instruction() { addresses.operands() } else { vec![] };
        self.build(|insert| match operands.split_first() {
            Some((base, _)) if addresses.opcode() == Opcode::LLVMGetElementPtr && !is_vector(base) => {
                let defined = |value: &Value<'s>| if is_vector(value) { or_zero(insert, *value) } else { *value };
                copy_with(insert, addresses, &operands.iter().map(defined).collect::<Vec<_>>())
            }
            _ => or_zero(insert, addresses),
        })
    }

    /// A scalar load for each lane; lanes that do not run load from the spare memory. This takes a
    /// seventh of the time of LLVM's branches for a masked gather without an instruction.
    fn gather_lanes(&mut self, load: Value<'s>, addresses: Value<'s>) -> Result<Value<'s>, Broken> {
        let spare = self.spare_memory();
        let pointer = load.operands()[0].ty();
        let wide = load.ty().vector(self.lanes);
        Ok(self.build(|insert| {
            let spare = insert.splat(insert.address_space_cast(spare, pointer), self.lanes);
            let valid = insert.select(self.mask, addresses, spare);
            let one = |all: Value<'s>, lane: Value<'s>| {
                let loaded = careful_load(insert, load, insert.element(valid, lane));
                insert.with_element(all, loaded, lane)
            };
            self.lane_numbers().fold(wide.poison(), one)
        }))
    }

    pub(super) fn lane_numbers(&self) -> impl Iterator<Item = Value<'s>> {
        (0..u64::from(self.lanes)).map(|lane| self.cx.session.literal(lane))
    }

    fn store_row(&mut self, store: Value<'s>, wide: Value<'s>, address: Value<'s>) -> Result<(), Broken> {
        let ty = store.operands()[0].ty();
        if !self.has_masked(ty) {
            return self.store_row_or_lanes(store, wide, address);
        }
        let arguments = [wide, address, self.alignment_of_row(store, ty), self.mask];
        self.masked(store, "llvm.masked.store", [wide.ty(), address.ty()], arguments);
        Ok(())
    }

    /// One vector store if all lanes run it, else one for each lane.
    fn store_row_or_lanes(&mut self, store: Value<'s>, wide: Value<'s>, address: Value<'s>) -> Result<(), Broken> {
        let size = store.operands()[0].ty().alloc_size(self.cx.machine).cast_signed();
        let addresses = self.spread(address, size, address.ty(), self.lanes);
        let whole = |emitter: &mut Self| {
            let stored = emitter.build(|insert| insert.store_aligned(wide, address, store.alignment(), false));
            stored.copy_alias_facts(store);
            vec![]
        };
        let part = |emitter: &mut Self| {
            emitter.store_lanes(store, wide, addresses);
            Ok(vec![])
        };
        self.all_or(&[], whole, part).map(|_| ())
    }

    fn scatter(&mut self, store: Value<'s>, addresses: Value<'s>) -> Result<(), Broken> {
        let wide = self.wide(store.operands()[0])?;
        if !self.has_gather(store.operands()[0].ty()) {
            self.store_lanes(store, wide, addresses);
            return Ok(());
        }
        let arguments = [wide, addresses, self.alignment(store), self.mask];
        self.masked(store, "llvm.masked.scatter", [wide.ty(), addresses.ty()], arguments);
        Ok(())
    }

    fn store_lanes(&mut self, store: Value<'s>, wide: Value<'s>, addresses: Value<'s>) {
        self.loop_over_lanes(&[], |insert: &Inserter<'s>, lane| {
            copy_with(insert, store, &[insert.element(wide, lane), insert.element(addresses, lane)]);
            vec![]
        });
    }

    /// Copies objects, one for each lane. Those that lie one behind the other are one object if all
    /// lanes run it: a copy that overlaps that of another work-item would be a race.
    pub(super) fn copy_objects(&mut self, call: Value<'s>) -> Result<(), Broken> {
        let operands = call.operands();
        let (to, from) = (self.form(operands[0])?, self.form(operands[1])?);
        let is_volatile = operands[3].integer() != Some(0);
        let size = operands[2].signed().filter(|_| !is_volatile);
        let adjacent = |form: &Form<'s>| match form {
            Form::Linear { base, step, .. } if Some(*step) == size && self.lines == 1 => Some(*base),
            _ => None,
        };
        let (Some(to), Some(from), Some(size)) = (adjacent(&to), adjacent(&from), operands[2].integer()) else {
            return self.each_lane(call).map(|_| ());
        };
        // Lanes one after another need vectors, which are made before the ways part.
        for pointer in &operands[..2] {
            self.wide(*pointer)?;
        }
        let whole = |emitter: &mut Self| {
            let size = emitter.number(operands[2].ty(), size * u64::from(emitter.lanes));
            emitter.build(|insert| copy_with(insert, call, &[to, from, size]));
            vec![]
        };
        self.all_or(&[], whole, |emitter| emitter.each_lane(call).map(|_| vec![])).map(|_| ())
    }

    /// True if the target has masked loads and stores of this type.
    fn has_masked(&self, ty: Type<'s>) -> bool {
        let has = |feature| self.cx.machine.has_feature(feature);
        match ty.store_size(self.cx.machine) {
            4 | 8 => has("avx"),
            1 | 2 => has("avx512bw"),
            _ => false,
        }
    }

    /// True if the target gathers and scatters values of this type faster than lane by lane.
    fn has_gather(&self, ty: Type<'s>) -> bool {
        matches!(ty.store_size(self.cx.machine), 4 | 8) && self.cx.machine.has_feature("avx512f")
    }
}

/// A load that may come from the spare memory: nothing is promised about its result.
fn careful_load<'s>(insert: &Inserter<'s>, load: Value<'s>, address: Value<'s>) -> Value<'s> {
    let made = insert.load_aligned(load.ty(), address, load.alignment().min(SPARE as u32), false);
    made.copy_alias_facts(load);
    made
}

/// True if the elements of a vector of this type lie as those of an array.
fn has_no_gaps(ty: Type<'_>, emitter: &Emitter<'_, '_>) -> bool {
    let machine = emitter.cx.machine;
    ty.vector(emitter.length()).store_size(machine) == ty.alloc_size(machine) * u64::from(emitter.length())
}
