//! Operations as the analysis of shapes needs them.
//!
//! In: instructions, read into [`Fact`]s beside a `Cfg`. *Invariant:* a fact that is missing or
//! less exact makes a plan slower, never wrong: [`Operation::Other`] stands for everything that is
//! not listed.

use super::graph::ValueId;

/// An operand: a value of the `Cfg` or a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// A parameter or an instruction.
    Value(ValueId),
    /// An integer literal, sign-extended.
    Literal(i64),
    /// Any other constant: the same for all lanes.
    Constant,
}

/// An instruction as the analyses of rows see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fact {
    /// Its effect on shapes.
    pub(crate) operation: Operation,
    /// True if it must not run without a live lane: a scalar access of memory, a division of
    /// scalars, a call.
    pub(crate) needs_lane: bool,
    /// Estimated cycles of the vector form, for the decision to jump over it.
    pub(crate) cost: u32,
    /// Width of an integer result; 64 for a pointer; 0 for anything else.
    pub(crate) bits: u32,
    /// Bounds of an integer result as a signed number, both included, for every lane; `None` if
    /// unknown.
    pub(crate) range: Option<(i64, i64)>,
}

/// The effect of an instruction on the shapes of its operands.
///
/// `exact` means that no live lane wraps: signed (`nsw`) or unsigned (`nuw`) as the field says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    /// A phi, a terminator, a parameter, or a function of its operands that is not listed: lanes
    /// with the same operands have the same result.
    Other,
    /// The result differs between lanes whatever the operands are.
    Divergent,
    /// The result is the same for all lanes that run it together, whatever the operands are.
    Uniform,
    /// The local ID along the lanes of a line: that of its first lane, which is the same for all
    /// lines, plus the number of the lane in its line; 64 bits.
    Lane,
    /// The local ID across the lines: that of the first line plus the number of the line; 64 bits.
    Line,
    /// `a + b`, or `a | b` without common bits.
    Add([Term; 2], Exact),
    /// `a - b`.
    Sub([Term; 2], Exact),
    /// `a * b`.
    Mul([Term; 2], Exact),
    /// `a << b`.
    Shl([Term; 2], Exact),
    /// `a & b`.
    And([Term; 2]),
    /// `a ^ b`.
    Xor([Term; 2]),
    /// The quotient of an unsigned number by a literal, at least 2; a shift to the right is one.
    Divide { of: Term, by: i64 },
    /// The remainder of that.
    Remainder { of: Term, by: i64 },
    /// Sign or zero extension of an integer of `from` bits.
    Extend { of: Term, signed: bool, from: u32 },
    /// Truncation to `to` bits; exact if the value fits.
    Truncate { of: Term, to: u32, exact: Exact },
    /// `base + sum of index * scale`, in bytes; indices are sign-extended to 64 bits.
    Address { base: Term, indices: Vec<(Term, i64)> },
    /// `condition ? yes : no`.
    Select { condition: Term, values: [Term; 2] },
    /// A conversion that keeps all bits: `freeze`, casts between address spaces.
    Same(Term),
    /// The value that the lane of this number has: one for all lanes that ask for the same one.
    Exchange { lane: Term },
    /// Private memory; each lane's copy lies `size` bytes behind the one before. `in_lines` if the
    /// row has several lines.
    Private { size: u64, in_lines: bool },
}

/// Knowledge about wrapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Exact {
    /// No signed wrap.
    pub(crate) signed: bool,
    /// No unsigned wrap.
    pub(crate) unsigned: bool,
}

/// The values of a row's lanes. A row has one line of lanes or several of the same length, side by
/// side: lane `l` is number `l % length` of its line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    /// One value for the lanes that compute it together.
    Same,
    /// Number `i` of each line has `base + i * step`; of pointers, in bytes. `step` is not 0. Of
    /// pointers and integers of 64 bits and more, modulo their width. Of narrower integers, `base`
    /// is an integer of 64 bits, and the sum is the lane's value extended as `signed` says, for
    /// each live lane whose value is not poison.
    Linear { step: i64, signed: bool },
    /// One value for the lanes of a line that compute it together.
    SameInLine,
    /// As linear, but each line has a base of its own.
    LinearInLine { step: i64, signed: bool },
    /// Each lane its own.
    Any,
}

impl Shape {
    /// The shape with this step; lines have their own bases if `in_lines`.
    pub(crate) fn of_step(step: i64, signed: bool, in_lines: bool) -> Self {
        match (step, in_lines) {
            (0, false) => Self::Same,
            (0, true) => Self::SameInLine,
            (_, false) => Self::Linear { step, signed },
            (_, true) => Self::LinearInLine { step, signed },
        }
    }

    /// The difference between neighbours in a line; `None` if it is not constant.
    pub(crate) fn step(self) -> Option<i64> {
        match self {
            Self::Same | Self::SameInLine => Some(0),
            Self::Linear { step, .. } | Self::LinearInLine { step, .. } => Some(step),
            Self::Any => None,
        }
    }

    /// The reading of a linear value.
    pub(crate) fn signed(self) -> Option<bool> {
        match self {
            Self::Linear { signed, .. } | Self::LinearInLine { signed, .. } => Some(signed),
            Self::Same | Self::SameInLine | Self::Any => None,
        }
    }

    /// True if each line has its own value or base.
    pub(crate) fn is_in_lines(self) -> bool {
        matches!(self, Self::SameInLine | Self::LinearInLine { .. })
    }
}
