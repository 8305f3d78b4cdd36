//! A function as a plain value: blocks of instructions, numbered.
//!
//! *Invariant:* nothing here knows LLVM; an index says where something stands in the value that holds it.

/// Index of a block in [`Cfg::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct BlockId(pub(crate) u32);

/// A parameter or an instruction: parameters first, then every instruction, void ones and terminators included, in the
/// order of [`Cfg::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ValueId(pub(crate) u32);

/// A function in SSA form: a definition dominates its uses. Block 0 is the entry and has no predecessor.
///
/// Blocks that the entry does not reach may be present; they are ignored, and a barrier there has no state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cfg {
    pub(crate) parameters: Vec<Variation>,
    pub(crate) blocks: Vec<Block>,
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variation {
    /// All items of a group see the same value.
    Uniform,
    /// Items may see different values.
    Divergent,
}

/// The last instruction ends the block: the only [`Kind::Terminator`] or [`Kind::Unreachable`], or an effect with
/// successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) instructions: Vec<Instruction>,
    /// A block may be named more than once, as by a switch. Without any, a [`Kind::Terminator`] returns.
    pub(crate) successors: Vec<BlockId>,
}

/// Operands are parameters and instructions only: constants, globals and blocks are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Instruction {
    pub(crate) kind: Kind,
    pub(crate) operands: Vec<ValueId>,
}

/// What the analyses must know of an instruction.
///
/// Pointers to an alloca are followed through `Pure`, `Cheap` and `Phi`. The result of any other instruction is taken
/// not to point to an alloca that did not escape: an instruction that may return a pointer it was given is `Pure`, or
/// an `Escape` of that pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The result is a function of the operands alone: arithmetic, addresses, casts, loads of memory that nobody writes
    /// (never of private memory).
    Pure,
    /// Pure, and better computed again than kept: add, multiply, shift, address, cast, comparison, select.
    Cheap,
    /// Each predecessor and the value that comes from it; `None` is a constant. `operands` stays empty.
    Phi(Vec<(BlockId, Option<ValueId>)>),
    /// Anything else. Its result may differ between items whatever its operands; operands that point to an alloca
    /// use its content.
    Effect,
    /// An effect after which these operands, if they point to an alloca, are known outside of SSA values: the value
    /// of a store, an argument that the callee may capture. It is right, and costs nothing, to list values that are
    /// no pointers.
    Escape(Vec<ValueId>),
    /// All items of the group wait here for each other.
    Barrier,
    /// Private memory. Its address differs between items.
    Alloca,
    /// Operand 0 is the alloca whose content is undefined until here.
    LifetimeStart,
    /// A branch or switch, operands being its condition; without successors a return.
    Terminator,
    /// A terminator that is never passed.
    Unreachable,
}
