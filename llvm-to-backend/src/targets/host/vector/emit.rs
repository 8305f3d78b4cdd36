//! Emits the row function of a kernel.
//!
//! In: a kernel, its plan, and the number of lanes. Out: the same function with the code of a row:
//! the old blocks are unreachable. After an error the function is of no use. *Invariant:* a lane
//! that does not run a block changes nothing and reads no memory there.
//!
//! Every block has a slot on the stack for its mask and one for each phi; an edge moves lanes into
//! the slots of its target. `sroa` turns the slots into selects and phis.

use super::{
    form::{Form, Place, lanes_of},
    plan::Planned,
    versions::{Version, Versions},
    width::Calls,
    words::Words,
};
use crate::{
    cfg::{
        ValueId,
        graph::BlockId,
        read::Graph,
        rows::{Edge, End, Mask, RowBlock, RowPlan},
    },
    context::Context,
};
use sinter_llvm::{
    Module,
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Type, Value},
    operation::IntegerPredicate,
};
use std::collections::{HashMap, HashSet};

/// Number of lanes that are live at the start of a row, which the loops around it know.
pub(crate) const LIVE_LANES: &str = "__sinter_live_lanes";

/// A plan and a kernel that do not fit: a defect of the planner or of the emitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("rows of lanes: {0}")]
pub(super) struct Broken(pub(super) &'static str);

/// The state of the emission.
pub(super) struct Emitter<'s, 'c> {
    pub(super) cx: &'c Context<'s, 'c>,
    pub(super) module: &'c Module<'s>,
    pub(super) graph: &'c Graph<'s>,
    pub(super) plan: &'c RowPlan,
    pub(super) lanes: u32,
    /// Lines of lanes side by side.
    pub(super) lines: u32,
    /// The line that code is emitted for, where it is emitted for each.
    pub(super) line: Option<usize>,
    pub(super) numbers: HashMap<Value<'s>, ValueId>,
    pub(super) function: Value<'s>,
    /// Stack variables are reserved here.
    pub(super) entry: Block<'s>,
    /// The start of each block of the kernel in the row.
    starts: HashMap<BlockId, Block<'s>>,
    /// The end of the code so far.
    pub(super) at: Block<'s>,
    /// The instruction that code is emitted for, if it has a line.
    source: Option<Value<'s>>,
    /// The lanes that run the current block.
    pub(super) mask: Value<'s>,
    /// True if at least one lane certainly runs the current block.
    pub(super) populated: bool,
    pub(super) entry_mask: Value<'s>,
    /// The blocks that never run without a lane.
    busy: HashSet<BlockId>,
    /// Slots for the lanes that wait at a block.
    waiting: HashMap<BlockId, Value<'s>>,
    /// Masks of blocks that other blocks run with.
    shared: HashMap<BlockId, Value<'s>>,
    /// Places of phis and of values that other blocks use.
    pub(super) places: HashMap<ValueId, Place<'s>>,
    /// Forms in the current block.
    pub(super) forms: HashMap<ValueId, Form<'s>>,
    /// Vectors of scalar and linear values in the current block.
    pub(super) vectors: HashMap<Value<'s>, Value<'s>>,
    /// Private memory of which the words of all lanes lie side by side.
    pub(super) words: &'c Words<'s>,
    /// The addresses of private memory.
    pub(super) private: HashMap<ValueId, Form<'s>>,
    /// True if the kernel has debug information.
    has_lines: bool,
    /// Memory that lanes that do not run may read and write.
    pub(super) spare: Option<Value<'s>>,
    /// Memory for the elements of vectors, by their type and number.
    pub(super) lists: HashMap<(Type<'s>, usize), Value<'s>>,
    /// The parameters that are not one scalar for all lanes.
    pub(super) parameters: HashMap<Value<'s>, Form<'s>>,
    /// In a row version, the address below which the stack is too deep for more of them.
    pub(super) floor: Option<Value<'s>>,
    pub(super) versions: &'c mut Versions<'s>,
}

/// Replaces the code of `kernel`, which was planned, by that of a row.
pub(super) fn emit<'s>(
    cx: &Context<'s, '_>,
    module: &Module<'s>,
    kernel: Value<'s>,
    planned: &Planned<'s>,
    Calls { lanes, lines, full, .. }: Calls,
    versions: &mut Versions<'s>,
) -> Result<(), Broken> {
    let mut emitter = Emitter::new(cx, module, kernel, planned, [lanes, lines], versions);
    emitter.entry_mask = if full { emitter.all_lanes() } else { emitter.live_lanes() };
    emitter.run()
}

/// Gives a row version its code.
pub(super) fn emit_version<'s>(
    cx: &Context<'s, '_>,
    module: &Module<'s>,
    version: &Version<'s>,
    lanes: u32,
    versions: &mut Versions<'s>,
) -> Result<(), Broken> {
    let mut emitter = Emitter::new(cx, module, version.function, &version.planned, [lanes, 1], versions);
    emitter.receive(version)?;
    emitter.run()?;
    version.function.make_internal();
    version.function.forget_places();
    Ok(())
}

impl<'s, 'c> Emitter<'s, 'c> {
    fn new(
        cx: &'c Context<'s, 'c>,
        module: &'c Module<'s>,
        function: Value<'s>,
        planned: &'c Planned<'s>,
        [lanes, lines]: [u32; 2],
        versions: &'c mut Versions<'s>,
    ) -> Self {
        let (graph, plan) = (&planned.graph, &planned.rows);
        let starts = plan.blocks.iter().map(|row| (row.block, function.append_block(""))).collect();
        let entry = function.prepend_block("");
        Self {
            cx,
            module,
            graph,
            plan,
            lanes,
            lines,
            line: None,
            numbers: graph.values().iter().copied().zip((0..).map(ValueId)).collect(),
            function,
            entry,
            starts,
            at: entry,
            source: None,
            mask: cx.session.integer(1).vector(lanes).zero(),
            populated: true,
            entry_mask: cx.session.integer(1).vector(lanes).zero(),
            busy: HashSet::new(),
            waiting: HashMap::new(),
            shared: HashMap::new(),
            places: HashMap::new(),
            forms: HashMap::new(),
            vectors: HashMap::new(),
            words: &planned.words,
            private: HashMap::new(),
            has_lines: module.has_debug_info(),
            spare: None,
            lists: HashMap::new(),
            parameters: HashMap::new(),
            floor: None,
            versions,
        }
    }
}

impl<'s> Emitter<'s, '_> {
    fn run(&mut self) -> Result<(), Broken> {
        self.reserve_slots();
        self.reserve_places();
        self.reserve_private_memory();
        let plan = self.plan;
        for row in &plan.blocks {
            self.block(row)?;
        }
        let first = self.starts[&plan.blocks[0].block];
        self.entry.append(|insert| insert.branch(first));
        Ok(())
    }

    /// Builds at the end of the code so far.
    pub(super) fn build<T>(&self, build: impl FnOnce(&Inserter<'s>) -> T) -> T {
        self.at.append(|insert| {
            self.source.into_iter().for_each(|source| insert.speak_for(source));
            build(insert)
        })
    }

    /// A new block of the row.
    pub(super) fn new_block(&self) -> Block<'s> {
        self.function.append_block("")
    }

    /// The lanes of the row that exist.
    fn live_lanes(&self) -> Value<'s> {
        let number = self.cx.session.integer(64);
        let query = self.module.function(LIVE_LANES).unwrap_or_else(|| self.module.declare(LIVE_LANES, number, &[]));
        let steps = self.steps(1, number, self.lanes);
        self.entry.append(|insert| {
            let live = insert.splat(insert.call(query, &[]), self.lanes);
            insert.compare(IntegerPredicate::LLVMIntULT, steps, live)
        })
    }

    pub(super) fn all_lanes(&self) -> Value<'s> {
        let lane = self.cx.session.integer(1);
        Value::vector_of(&vec![lane.constant(1).unwrap_or(lane.poison()); self.lanes as usize])
    }

    pub(super) fn no_lanes(&self) -> Value<'s> {
        self.cx.session.integer(1).vector(self.lanes).zero()
    }

    /// Reserves the mask slots. No lane waits anywhere at the start.
    fn reserve_slots(&mut self) {
        let none = self.no_lanes();
        for row in &self.plan.blocks {
            if row.mask == Mask::Slot {
                let slot = self.entry.append(|insert| insert.room(none.ty()));
                self.entry.append(|insert| insert.store(none, slot));
                self.waiting.insert(row.block, slot);
            }
            if let Mask::Of(other) = row.mask {
                let room = || self.entry.append(|insert| insert.room(none.ty()));
                self.shared.entry(other).or_insert_with(room);
            }
        }
    }

    /// Reserves places for phis and for the values that cross blocks.
    fn reserve_places(&mut self) {
        let reached: HashSet<_> = self.plan.blocks.iter().map(|row| self.graph.block(row.block)).collect();
        for row in &self.plan.blocks {
            for instruction in self.graph.block(row.block).instructions() {
                let kept = instruction.opcode() == Opcode::LLVMPHI || crosses(instruction, &reached);
                if kept && instruction.opcode() != Opcode::LLVMAlloca {
                    let id = self.numbers[&instruction];
                    let place = self.reserve(id);
                    self.places.insert(id, place);
                }
            }
        }
    }

    fn block(&mut self, row: &RowBlock) -> Result<(), Broken> {
        self.at = self.starts[&row.block];
        self.source = None;
        self.forms.clear();
        self.vectors.clear();
        self.take_mask(row);
        self.forget(row);
        let block = self.graph.block(row.block);
        for instruction in block.instructions() {
            self.source = Some(instruction).filter(|_| self.has_lines);
            let id = self.numbers[&instruction];
            if instruction.opcode() == Opcode::LLVMPHI {
                let place = self.places[&id].clone();
                let form = self.read(&place);
                self.forms.insert(id, form);
            } else if let Some(form) = self.instruction(instruction)? {
                let form = self.in_shape(instruction, form);
                if let Some(place) = self.places.get(&id) {
                    self.write(place, &form);
                }
                self.forms.insert(id, form);
            }
        }
        self.finish(row, block.terminator().ok_or(Broken("a block has no terminator"))?)
    }

    /// Takes the block's mask, clears its slot, and jumps over the block where no lane waits.
    fn take_mask(&mut self, row: &RowBlock) {
        let ty = self.no_lanes().ty();
        self.mask = match row.mask {
            Mask::Entry => self.entry_mask,
            Mask::Of(other) => self.build(|insert| insert.load(ty, self.shared[&other])),
            Mask::Slot => self.build(|insert| insert.load(ty, self.waiting[&row.block])),
        };
        self.populated = row.skip.is_some() || self.never_empty(row.mask);
        if self.populated {
            self.busy.insert(row.block);
        }
        if let Some(room) = self.shared.get(&row.block) {
            self.build(|insert| insert.store(self.mask, *room));
        }
        if let Some(next) = row.skip {
            let body = self.new_block();
            let any = self.any(self.mask);
            self.build(|insert| insert.branch_if(any, body, self.starts[&next]));
            self.at = body;
        }
        if row.mask == Mask::Slot {
            self.build(|insert| insert.store(self.no_lanes(), self.waiting[&row.block]));
        }
    }

    fn never_empty(&self, mask: Mask) -> bool {
        match mask {
            Mask::Entry => true,
            Mask::Of(other) => self.busy.contains(&other),
            Mask::Slot => false,
        }
    }

    /// Tells LLVM that the values of the last round of a loop are dead: no phis for them.
    fn forget(&self, row: &RowBlock) {
        for place in row.forgotten.iter().filter_map(|id| self.places.get(id)) {
            for (room, ty) in place.rooms.parts().into_iter().zip(&place.types) {
                self.build(|insert| insert.store(ty.poison(), room));
            }
        }
    }

    /// True if a mask has any lane.
    pub(super) fn any(&self, mask: Value<'s>) -> Value<'s> {
        let bits = self.bits(mask);
        self.build(|insert| insert.compare(IntegerPredicate::LLVMIntNE, bits, bits.ty().zero()))
    }

    /// A mask of all lanes or of a line as an integer, its first lane lowest.
    pub(super) fn bits(&self, mask: Value<'s>) -> Value<'s> {
        let ty = self.cx.session.integer(lanes_of(mask.ty()));
        self.build(|insert| insert.cast(Opcode::LLVMBitCast, mask, ty))
    }

    /// The lanes of `mask` for which `condition` holds. A lane outside of `mask` may have a
    /// condition that is poison.
    pub(super) fn those(&self, mask: Value<'s>, condition: Value<'s>) -> Value<'s> {
        self.build(|insert| insert.select(mask, condition, self.no_lanes()))
    }

    fn negation(&self, condition: Value<'s>) -> Value<'s> {
        let Some(yes) = self.cx.session.integer(1).constant(1) else { return condition };
        let all = Value::vector_of(&vec![yes; self.lanes as usize]);
        self.build(|insert| insert.binary(Opcode::LLVMXor, condition, all))
    }

    /// Moves the lanes on along the edges, and goes to the next block of the row.
    fn finish(&mut self, row: &RowBlock, terminator: Value<'s>) -> Result<(), Broken> {
        self.read_for_phis(row)?;
        if let End::Branch(next) = &row.end {
            return self.branch(row, next, terminator);
        }
        if row.end != End::Never {
            let masks = self.edge_masks(terminator)?;
            for (index, mask) in masks.into_iter().enumerate() {
                self.move_lanes(row, index, mask)?;
            }
        }
        match row.end {
            End::Go(next) => self.build(|insert| insert.branch(self.starts[&next])),
            End::Again { header, next } => {
                let ty = self.no_lanes().ty();
                let waiting = self.build(|insert| insert.load(ty, self.waiting[&header]));
                let any = self.any(waiting);
                self.build(|insert| insert.branch_if(any, self.starts[&header], self.starts[&next]));
            }
            End::Return => self.give_back(terminator)?,
            End::Never => self.build(Inserter::unreachable),
            End::Branch(_) => {}
        }
        Ok(())
    }

    /// Reads what the phis behind the edges take before any of their slots is written: a phi may
    /// take the old value of another one, or of itself on another edge.
    fn read_for_phis(&mut self, row: &RowBlock) -> Result<(), Broken> {
        let source = self.graph.block(row.block);
        for next in source.successors() {
            let phis = next.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI);
            for (from, value) in phis.flat_map(Value::incoming) {
                if from == source {
                    self.form(value)?;
                }
            }
        }
        Ok(())
    }

    /// The lanes that take each edge of a terminator.
    fn edge_masks(&mut self, terminator: Value<'s>) -> Result<Vec<Value<'s>>, Broken> {
        match terminator.opcode() {
            Opcode::LLVMBr => match terminator.branch_condition() {
                None => Ok(vec![self.mask]),
                Some(condition) => {
                    let yes = self.wide(condition)?;
                    let no = self.negation(yes);
                    Ok(vec![self.those(self.mask, yes), self.those(self.mask, no)])
                }
            },
            Opcode::LLVMSwitch => self.switch_masks(terminator),
            _ => Ok(vec![]),
        }
    }

    /// The default is first, as among the successors.
    fn switch_masks(&mut self, terminator: Value<'s>) -> Result<Vec<Value<'s>>, Broken> {
        let value = self.wide(terminator.operands()[0])?;
        let mut others = self.mask;
        let mut masks = Vec::new();
        for (case, _) in terminator.cases() {
            let case = self.wide(case)?;
            let here = self.build(|insert| insert.equal(value, case));
            masks.push(self.those(self.mask, here));
            let not_here = self.negation(here);
            others = self.those(others, not_here);
        }
        masks.insert(0, others);
        Ok(masks)
    }

    /// A branch that all lanes take together.
    fn branch(&mut self, row: &RowBlock, next: &[BlockId], terminator: Value<'s>) -> Result<(), Broken> {
        let edges: Vec<_> = next.iter().map(|_| self.new_block()).collect();
        if terminator.opcode() == Opcode::LLVMBr {
            let condition = terminator.branch_condition().ok_or(Broken("a branch has no condition"))?;
            let condition = self.scalar(condition)?;
            self.build(|insert| insert.branch_if(condition, edges[0], edges[1]));
        } else {
            let value = self.scalar(terminator.operands()[0])?;
            let numbers = terminator.cases().into_iter().filter_map(|(case, _)| case.integer());
            let cases: Vec<_> = numbers.zip(edges[1..].iter().copied()).collect();
            self.build(|insert| insert.switch(value, edges[0], &cases));
        }
        let (forms, vectors) = (self.forms.clone(), self.vectors.clone());
        for (index, (edge, next)) in edges.into_iter().zip(next).enumerate() {
            (self.forms, self.vectors) = (forms.clone(), vectors.clone());
            self.at = edge;
            self.move_lanes(row, index, self.mask)?;
            self.build(|insert| insert.branch(self.starts[next]));
        }
        Ok(())
    }

    /// Moves the lanes in `mask` along an edge: into the slots of its target.
    fn move_lanes(&mut self, row: &RowBlock, index: usize, mask: Value<'s>) -> Result<(), Broken> {
        let edge = row.edges[index];
        let source = self.graph.block(row.block);
        let number = self.graph.cfg.blocks[row.block.0 as usize].successors[index];
        let phis = self.graph.block(number).instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI);
        for phi in phis {
            let incoming = phi.incoming().into_iter().find(|(from, _)| *from == source);
            let (_, value) = incoming.ok_or(Broken("a phi lacks a value"))?;
            self.move_value(self.numbers[&phi], value, edge, mask)?;
        }
        let slot = self.waiting.get(&number).copied();
        if let Some(slot) = slot.filter(|_| edge.mask) {
            self.build(|insert| {
                let waiting = if edge.whole { mask } else { insert.either(insert.load(mask.ty(), slot), mask) };
                insert.store(waiting, slot)
            });
        }
        Ok(())
    }

    /// Writes the slot of a phi for the lanes in `mask`.
    fn move_value(&mut self, phi: ValueId, value: Value<'s>, edge: Edge, mask: Value<'s>) -> Result<(), Broken> {
        let place = self.places[&phi].clone();
        let new = self.in_form_of(value, &place.rooms)?;
        if edge.whole {
            self.write(&place, &new);
            return Ok(());
        }
        let old = self.read(&place);
        let pairs = new.parts().into_iter().zip(old.parts());
        let blend = |((new, old), condition)| self.build(|insert| insert.select(condition, new, old));
        let blended = pairs.zip(self.conditions(&new, mask)).map(blend).collect();
        self.write(&place, &new.of_parts(blended));
        Ok(())
    }
}

/// True if a value is used outside of its block.
fn crosses<'s>(value: Value<'s>, reached: &HashSet<Block<'s>>) -> bool {
    let own = value.block();
    value.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMPHI => {
            let mut incoming = user.incoming().into_iter();
            reached.contains(&user.block()) && incoming.any(|(from, used)| used == value && from != own)
        }
        _ => user.block() != own && reached.contains(&user.block()),
    })
}
