//! Random kernels, for tests.
//!
//! In: choices, numbers without meaning. Out: a [`Program`]: a [`Cfg`] of any shape, with a meaning for each instruction.
//! *Invariant:* every choice gives a valid function; definitions dominate their uses.

use super::graph::{Block, BlockId, Cfg, Instruction, Kind, ValueId, Variation};
use proptest::prelude::*;

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// A hash of all operands.
    Mix,
    /// Some words after a pointer.
    Offset(u64),
    /// One of two pointers.
    Select,
    Phi,
    /// A number that depends on the item and the time.
    Read,
    /// Something about the item can be seen outside.
    Trace,
    Load,
    Store,
    /// Writes through a pointer that was found in memory.
    Poke,
    Start,
    Alloca,
    Barrier,
    Branch,
    Return,
    Unreachable,
}

/// A function and its meaning.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) cfg: Cfg,
    /// For each instruction in the order of the blocks.
    pub(super) ops: Vec<Op>,
}

/// Numbers from which one instruction is made.
type Choice = (u8, [u16; 3]);

/// Numbers from which a program is made.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    /// Little differs between items, so that they often go the same way.
    calm: bool,
    allocas: usize,
    blocks: Vec<(Vec<Choice>, Choice)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Number,
    Pointer,
    Void,
}

/// Numbers of a medium-sized kernel.
pub(super) fn choices() -> impl Strategy<Value = Choices> {
    let choice = || (any::<u8>(), any::<[u16; 3]>());
    let blocks = prop::collection::vec((prop::collection::vec(choice(), 0..8), choice()), 1..12);
    (any::<bool>(), 0..4_usize, blocks).prop_map(|(calm, allocas, blocks)| Choices { calm, allocas, blocks })
}

impl Choices {
    pub(super) fn program(&self) -> Program {
        let successors: Vec<_> = (0..self.blocks.len()).map(|block| self.successors(block)).collect();
        let dominators = dominators(&successors);
        let mut builder = Builder { calm: self.calm, successors, dominators, drafts: vec![] };
        builder.declare(self);
        builder.define()
    }

    /// Mostly forward, so that functions end; now and then anywhere but to the entry.
    fn successors(&self, block: usize) -> Vec<usize> {
        let count = self.blocks.len();
        let (kind, [a, b, c]) = self.blocks[block].1;
        let forward = |n: u16| (block + 1 + usize::from(n % 3)).min(count - 1);
        let backward = |n: u16| (usize::from(n) % (block + 1)).max(1).min(count - 1);
        let anywhere = |n: u16| (1 + usize::from(n) % count).min(count - 1);
        match kind % 24 {
            _ if block + 1 == count => vec![],
            0..=5 => vec![forward(a)],
            6..=13 => vec![forward(a), forward(b)],
            14..=18 => vec![forward(a), backward(b)],
            19 => vec![anywhere(a), anywhere(b)],
            20 => vec![forward(a), forward(b), anywhere(c)],
            21 => vec![backward(a)],
            _ => vec![],
        }
    }
}

impl Program {
    /// For each block the set of its dominators as bits; all bits for one that never runs.
    pub(super) fn dominators(&self) -> Vec<u64> {
        let targets = |block: &Block| block.successors.iter().map(|to| to.index()).collect();
        dominators(&self.cfg.blocks.iter().map(targets).collect::<Vec<_>>())
    }
}

/// For each block the set of its dominators as bits, straight from the definition; all bits for one that never runs.
fn dominators(successors: &[Vec<usize>]) -> Vec<u64> {
    let mut sets = vec![u64::MAX; successors.len()];
    sets[0] = 1;
    for _ in successors {
        for (from, to) in successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |&to| (from, to))) {
            sets[to] &= sets[from] | (1 << to);
        }
    }
    sets
}

/// An instruction without operands.
#[derive(Clone, Debug)]
struct Draft {
    op: Op,
    block: usize,
    ty: Type,
    choice: Choice,
}

struct Builder {
    calm: bool,
    successors: Vec<Vec<usize>>,
    dominators: Vec<u64>,
    drafts: Vec<Draft>,
}

/// The same for all programs; the item decides the second.
const PARAMETERS: [Variation; 3] = [Variation::Uniform, Variation::Divergent, Variation::Uniform];

impl Builder {
    fn declare(&mut self, choices: &Choices) {
        for (block, (body, terminator)) in choices.blocks.iter().enumerate() {
            if block == 0 {
                (0..choices.allocas).for_each(|_| self.draft(Op::Alloca, 0, (0, [0; 3])));
            }
            let joins = self.successors.iter().flatten().any(|&to| to == block);
            let phis = body.iter().take_while(|(kind, _)| joins && kind.is_multiple_of(4)).count();
            body[..phis].iter().for_each(|&choice| self.draft(Op::Phi, block, choice));
            for &choice in &body[phis..] {
                let op = op(choice, choices.allocas > 0);
                self.draft(if self.calm && op == Op::Read { Op::Mix } else { op }, block, choice);
            }
            let end = match (self.successors[block].is_empty(), terminator.0 % 24) {
                (false, _) => Op::Branch,
                (true, 22) => Op::Unreachable,
                _ => Op::Return,
            };
            self.draft(end, block, *terminator);
        }
    }

    fn draft(&mut self, op: Op, block: usize, choice: Choice) {
        let pointers = self.drafts.first().is_some_and(|first| first.op == Op::Alloca);
        let ty = match op {
            Op::Alloca | Op::Offset(_) | Op::Select => Type::Pointer,
            Op::Phi if pointers && choice.1[2].is_multiple_of(3) => Type::Pointer,
            Op::Mix | Op::Phi | Op::Read | Op::Load => Type::Number,
            _ => Type::Void,
        };
        self.drafts.push(Draft { op, block, ty, choice });
    }

    fn define(&self) -> Program {
        let blocks = self.successors.iter().enumerate().map(|(block, successors)| {
            let drafts = self.drafts.iter().enumerate().filter(|(_, draft)| draft.block == block);
            let instructions = drafts.map(|(index, draft)| self.instruction(index, draft)).collect();
            Block { instructions, successors: successors.iter().map(|&to| BlockId(to as u32)).collect() }
        });
        let cfg = Cfg { parameters: PARAMETERS.to_vec(), blocks: blocks.collect() };
        Program { cfg, ops: self.drafts.iter().map(|draft| draft.op).collect() }
    }

    fn instruction(&self, index: usize, draft: &Draft) -> Instruction {
        let (kind, [a, b, c]) = draft.choice;
        let number = |n| self.pick(Type::Number, n, draft.block, index);
        let pointer = |n| self.pick(Type::Pointer, n, draft.block, index);
        let either = |n: u16| if n.is_multiple_of(5) && self.has_pointers() { pointer(n / 5) } else { number(n / 5) };
        let cheap = if kind >= 128 { Kind::Cheap } else { Kind::Pure };
        let (kind, operands) = match draft.op {
            Op::Mix => (cheap, if a.is_multiple_of(7) { vec![either(b)] } else { vec![either(b), either(c)] }),
            Op::Offset(_) => (cheap, vec![pointer(a)]),
            Op::Select => (cheap, vec![number(a), pointer(b), pointer(c)]),
            Op::Phi => (Kind::Phi(self.incoming(draft)), vec![]),
            Op::Read => (Kind::Effect, vec![]),
            Op::Trace => (Kind::Escape(vec![either(a)]), vec![either(a)]),
            Op::Load => (Kind::Effect, vec![pointer(a)]),
            Op::Store => (Kind::Escape(vec![either(b)]), vec![pointer(a), either(b)]),
            Op::Poke => (Kind::Effect, vec![pointer(a), number(b)]),
            Op::Start => {
                (Kind::LifetimeStart, vec![ValueId((PARAMETERS.len() + usize::from(a) % self.allocas()) as u32)])
            }
            Op::Alloca => (Kind::Alloca, vec![]),
            Op::Barrier => (Kind::Barrier, vec![]),
            Op::Branch if self.successors[draft.block].len() > 1 => {
                (Kind::Terminator, vec![if self.calm { number(a) } else { either(a) }])
            }
            Op::Branch | Op::Return => (Kind::Terminator, vec![]),
            Op::Unreachable => (Kind::Unreachable, vec![]),
        };
        Instruction { kind, operands }
    }

    fn allocas(&self) -> usize {
        self.drafts.iter().filter(|draft| draft.op == Op::Alloca).count()
    }

    fn has_pointers(&self) -> bool {
        self.allocas() > 0
    }

    /// A value that is there in `block` before instruction `index`.
    fn pick(&self, ty: Type, choice: u16, block: usize, index: usize) -> ValueId {
        let parameters = if ty == Type::Number { PARAMETERS.len() } else { 0 };
        let mut there: Vec<_> = (0..parameters).collect();
        for (other, draft) in self.drafts.iter().enumerate().filter(|(_, draft)| draft.ty == ty) {
            let runs = self.dominators[block] != u64::MAX;
            let above = draft.block != block && runs && self.dominators[block] & (1 << draft.block) != 0;
            // Code that never runs may use allocas, so that there is something to use.
            if above || (draft.block == block && other < index) || (!runs && draft.op == Op::Alloca) {
                there.push(PARAMETERS.len() + other);
            }
        }
        // Every second time one of the latest, so that long chains come about.
        let (half, last) = (usize::from(choice / 2), there.len().saturating_sub(3));
        let picked =
            there[if choice.is_multiple_of(2) { half % there.len() } else { last + half % (there.len() - last) }];
        let calmed = self.calm && half % 8 != 0 && PARAMETERS.get(picked) == Some(&Variation::Divergent);
        ValueId(if calmed { 0 } else { picked } as u32)
    }

    fn incoming(&self, draft: &Draft) -> Vec<(BlockId, Option<ValueId>)> {
        let from = (0..self.successors.len()).filter(|&from| self.successors[from].contains(&draft.block));
        let value = |from: usize| {
            let choice = draft.choice.1[0].wrapping_mul(from as u16 + 1) ^ draft.choice.1[1];
            let constant = draft.ty == Type::Number && choice.is_multiple_of(6);
            (!constant && self.dominators[from] != u64::MAX).then(|| self.pick(draft.ty, choice, from, usize::MAX))
        };
        from.map(|from| (BlockId(from as u32), value(from))).collect()
    }
}

fn op((kind, [a, ..]): Choice, pointers: bool) -> Op {
    match kind % 20 {
        0..=5 => Op::Mix,
        6 => Op::Read,
        7..=9 => Op::Barrier,
        10 | 11 => Op::Trace,
        12 if pointers => Op::Offset(u64::from(a % 3)),
        13 if pointers => Op::Select,
        14 | 15 if pointers => Op::Load,
        16 | 17 if pointers => Op::Store,
        18 if pointers => Op::Poke,
        19 if pointers => Op::Start,
        _ => Op::Mix,
    }
}
