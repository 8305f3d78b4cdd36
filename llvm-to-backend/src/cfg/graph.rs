//! A control flow graph as a plain value with numbered blocks and instructions.
//!
//! *Invariant:* nothing here depends on LLVM; an index refers to a position in the value that
//! contains it.

/// Index of a block in [`Cfg::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct BlockId(pub(crate) u32);

/// A parameter or an instruction: parameters first, then every instruction, void ones and
/// terminators included, in the order of [`Cfg::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ValueId(pub(crate) u32);

/// A function in SSA form: a definition dominates its uses. Block 0 is the entry and has no
/// predecessor.
///
/// Unreachable blocks are allowed and ignored; a barrier in one has no state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cfg {
    pub(crate) parameters: Vec<Variation>,
    pub(crate) blocks: Vec<Block>,
}

/// Uniformity of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variation {
    /// All items of a group have the same value.
    Uniform,
    /// Items may have different values.
    Divergent,
}

/// The last instruction ends the block: the only [`Kind::Terminator`] or [`Kind::Unreachable`], or
/// an effect with successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) instructions: Vec<Instruction>,
    /// May contain a block more than once, as for a switch. If empty, a [`Kind::Terminator`]
    /// returns.
    pub(crate) successors: Vec<BlockId>,
}

/// Operands are parameters and instructions only: constants, globals and blocks are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Instruction {
    pub(crate) kind: Kind,
    pub(crate) operands: Vec<ValueId>,
}

/// Properties of an instruction that the analyses need.
///
/// Pointers to an alloca are followed through `Pure`, `Cheap` and `Phi`. Other instructions are
/// assumed not to return a pointer to an alloca that does not escape: an instruction that may
/// return a pointer operand is `Pure`, or an `Escape` of that pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The result depends on the operands only: arithmetic, addresses, casts, loads of memory that
    /// is never written (never of private memory).
    Pure,
    /// Pure, and cheaper to recompute than to keep: add, multiply, shift, address, cast,
    /// comparison, select.
    Cheap,
    /// Each predecessor and its incoming value; `None` is a constant. `operands` stays empty.
    Phi(Vec<(BlockId, Option<ValueId>)>),
    /// Any other instruction. Its result may be divergent for any operands; operands that point to
    /// an alloca use its content.
    Effect,
    /// An effect through which these operands escape if they point to an alloca: the value of a
    /// store, an argument that the callee may capture. Listing values that are not pointers is
    /// correct and costs nothing.
    Escape(Vec<ValueId>),
    /// A work-group barrier.
    Barrier,
    /// Private memory. Its address differs between items.
    Alloca,
    /// Operand 0 is the alloca whose content is undefined until here.
    LifetimeStart,
    /// A branch or switch, with the condition as operand; without successors a return.
    Terminator,
    /// A terminator that is never executed.
    Unreachable,
}
