//! Kernels as data.
//!
//! Values are `u32` and wrap. *Uniform* means equal for all work-items of a group. A block is
//! uniform if all items that have not returned reach it together; barriers, group operations and
//! calls occur only in uniform blocks. A sub-group reaches the blocks of its votes together, and
//! its operations occur there and in uniform blocks. *Invariant:* an expression that must be
//! uniform has only uniform leaves.

/// Private variables. The last is reserved for [`super::synchronize`].
pub const VARIABLES: usize = 6;
/// Uniform variables: each item has a copy, and the copies are equal.
pub const UNIFORMS: usize = 3;
/// Elements of the private array.
pub const ELEMENTS: u32 = 8;
/// Elements of the read-only input.
pub const INPUTS: u32 = 64;
/// Values that an item may write to the output; its variables follow them.
pub const OUTPUTS: usize = 4;
/// Values of an item in the output.
pub const OUTPUT_STRIDE: usize = 16;
/// Cells for atomics, in local memory and in global memory.
pub const CELLS: usize = 4;
/// The largest work-group.
pub const MAX_GROUP: usize = 256;
/// Arrays with one slot for each item of a group: two in local memory, then one in global memory.
pub const ARRAYS: usize = 3;
/// The array in global memory.
pub const GLOBAL_ARRAY: usize = 2;

/// A value that an item computes.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A literal.
    Constant(u32),
    /// A private variable.
    Variable(usize),
    /// A uniform variable.
    Uniform(usize),
    /// Kernel argument 0 or 1.
    Argument(usize),
    /// An element of the private array; the index is taken modulo its size.
    Element(Box<Expr>),
    /// The local id in a dimension, x first.
    LocalId(usize),
    /// The linear local id in the group.
    LocalLinear,
    /// The number of items in the group.
    GroupSize,
    /// The linear id of the group.
    GroupLinear,
    /// An element of the input; the index is taken modulo its size.
    Input(Box<Expr>),
    /// The item's own slot of an array.
    Own(usize),
    /// Any slot of an array; the index is taken modulo the size of the group.
    Slot(usize, Box<Expr>),
    /// A cell in local memory.
    Cell(usize),
    /// Result of a function without barriers for a value and the local id.
    Mixed(Box<Expr>),
    /// A number of the item's sub-group.
    SubGroup(Query),
    /// A binary operation.
    Binary(Op, Box<Expr>, Box<Expr>),
}

/// A number of a sub-group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// The item's position in its sub-group.
    Lane,
    /// The items of the sub-group.
    Size,
    /// The position of the sub-group in the group.
    Number,
    /// The sub-groups of the group.
    Count,
}

/// Kind of a binary operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    /// By the second value modulo 32.
    ShiftRight,
    /// By the second value with its lowest bit set, so that it is not zero.
    Remainder,
    /// Gives 1 or 0.
    Less,
    /// Gives 1 or 0.
    Equal,
}

/// A bijection from items to slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permutation {
    /// Maps the first item to the last slot.
    Reverse,
    /// Maps each item to the slot this number further on, cyclically.
    Rotate(u32),
}

/// A collective operation of a group or of a sub-group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupOperation {
    /// All values combined.
    Reduce(Combine),
    /// Combination of the values of the items up to and including this one.
    InclusiveScan(Combine),
    /// Combination of the values of the items before this one, with initial value 5.
    ExclusiveScan(Combine),
    /// The value of the item at this position, modulo the group size.
    Broadcast(u32),
    /// True if any value is odd.
    Any,
    /// True if all values are odd.
    All,
    /// True if no value is odd.
    None,
    /// The value of the item this number of positions further on, 0 beyond the end.
    ShiftLeft(u32),
    /// The value of the item this number of positions earlier, 0 beyond the start.
    ShiftRight(u32),
    /// The value of the item whose position differs in these bits, 0 if it does not exist.
    Permute(u32),
    /// The value of the item at the mirrored position.
    SelectReverse,
    /// The value of the item at the position that the item's own value is, modulo the size.
    Select,
    /// The positions of the items with an odd value, as bits; see [`BALLOT_FACTOR`]. Only in a
    /// sub-group.
    Ballot,
}

/// A commutative operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    Plus,
    Minimum,
    Maximum,
    BitAnd,
    BitOr,
    BitXor,
}

/// Destination of the result of a group operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Variable(usize),
    /// Only for results that are equal for all items.
    Uniform(usize),
}

/// One step of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Sets a private variable.
    Assign(usize, Expr),
    /// Sets an element of the private array: index, value.
    AssignElement(Expr, Expr),
    /// Sets a uniform variable.
    AssignUniform(usize, Expr),
    /// Writes the item's own slot.
    StoreOwn(usize, Expr),
    /// Writes the slot that the permutation selects.
    StorePermuted(usize, Permutation, Expr),
    /// Writes one of the item's values in the output.
    Output(usize, Expr),
    /// Combines a value into a cell in local memory, atomically. Each cell has one operation: see
    /// [`CELL_OPERATIONS`].
    Count(usize, Expr),
    /// Like [`Statement::Count`], in global memory and across groups.
    CountGlobal(usize, Expr),
    /// A barrier of the group.
    Barrier,
    /// A group operation: kind, destination, value.
    Group(GroupOperation, Target, Expr),
    /// An operation of each sub-group: kind, the variable for the result, value.
    SubGroup(GroupOperation, usize, Expr),
    /// A branch, taken if the condition is not 0.
    If { uniform: bool, condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// Repeats the body.
    Loop(Loop),
    /// A branch of each sub-group, taken if the condition is not 0 for all of its items or, if not
    /// `all`, for any.
    Vote { all: bool, condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// A loop of each sub-group: its items run the body together until none of them has an
    /// iteration left.
    Rounds(Loop),
    /// Runs the block whose number is the value modulo their number and one more, which has none.
    Switch(Expr, Vec<Vec<Statement>>),
    /// Leaves the loop if the condition is not 0.
    Break(Expr),
    /// Leaves the loop and the one around it if the condition is not 0, both loops of single items.
    BreakTwo(Expr),
    /// Continues with the loop's next iteration if the condition is not 0.
    Continue(Expr),
    /// Ends the item, or the call of a function, if the condition is not 0.
    Return(Expr),
    /// Calls a function: its index, the variable for the result, the arguments. The second argument
    /// is uniform.
    Call(usize, usize, Expr, Expr),
}

/// A counted loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// True if all items execute the same number of iterations. Only such a loop may have barriers.
    pub uniform: bool,
    /// True if the test follows the body, which then runs at least once.
    pub do_while: bool,
    /// Receives the iteration number: a uniform variable in a uniform loop, else a private one.
    pub counter: usize,
    /// Number of iterations.
    pub count: Expr,
    pub body: Vec<Statement>,
}

/// A function that may have barriers. It has its own variables: its arguments are private variable
/// 0 and uniform variable 0. It calls only functions with higher indices.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub body: Vec<Statement>,
    pub result: Expr,
}

/// Representation of a private variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    U8,
    U16,
    U32,
    /// The value is in the upper half.
    U64,
    /// Sixteen bits of the value, as a floating-point number.
    F32,
    /// The complement of the value in the last of four lanes.
    Vector,
}

/// Location of the second local array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// A static variable of the image.
    Static,
    /// Memory that the launch provides.
    Dynamic,
    /// Memory requested by the kernel itself.
    Requested,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    pub types: [Type; VARIABLES],
    pub storage: Storage,
    pub functions: Vec<Function>,
    pub body: Vec<Statement>,
}

/// The sizes of a launch, x first, and its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub group: [u32; 3],
    pub groups: [u32; 3],
    /// Values of [`Expr::Argument`].
    pub arguments: [u32; 2],
    /// Items of a sub-group, if the kernel uses sub-groups.
    pub sub_group: Option<u32>,
}

/// The arguments of launches of the corpus.
pub const ARGUMENTS: [u32; 2] = [3, 10];

/// Factor of the upper half of a ballot, which is then combined with the lower half by xor.
pub const BALLOT_FACTOR: u32 = 3;

/// Operation of each cell.
pub const CELL_OPERATIONS: [Combine; CELLS] = [Combine::Plus, Combine::BitOr, Combine::BitXor, Combine::Maximum];

impl Shape {
    /// Number of items of a group.
    pub fn group_items(&self) -> usize {
        self.group.iter().product::<u32>() as usize
    }

    /// Number of groups of the launch.
    pub fn group_count(&self) -> usize {
        self.groups.iter().product::<u32>() as usize
    }
}

impl Type {
    /// The part of a value that survives a store.
    pub fn kept(self, value: u32) -> u32 {
        match self {
            Type::U8 => value & 0xff,
            Type::U16 | Type::F32 => value & 0xffff,
            Type::U32 | Type::U64 | Type::Vector => value,
        }
    }
}

impl Op {
    /// Result of the operation.
    pub fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Op::Add => a.wrapping_add(b),
            Op::Subtract => a.wrapping_sub(b),
            Op::Multiply => a.wrapping_mul(b),
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::ShiftRight => a >> (b & 31),
            Op::Remainder => a % (b | 1),
            Op::Less => u32::from(a < b),
            Op::Equal => u32::from(a == b),
        }
    }
}

impl Combine {
    /// Result of the operation.
    pub fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Combine::Plus => a.wrapping_add(b),
            Combine::Minimum => a.min(b),
            Combine::Maximum => a.max(b),
            Combine::BitAnd => a & b,
            Combine::BitOr => a | b,
            Combine::BitXor => a ^ b,
        }
    }
}

impl GroupOperation {
    /// True if all items get the same result.
    pub fn is_uniform(self) -> bool {
        use GroupOperation::{All, Any, Broadcast, None, Reduce};
        matches!(self, Reduce(_) | Broadcast(_) | Any | All | None)
    }

    /// True if it reads the values of single items, which then have to be there. Others take the
    /// items that have not returned.
    pub fn needs_everyone(self) -> bool {
        use GroupOperation::{Broadcast, Permute, Select, SelectReverse, ShiftLeft, ShiftRight};
        matches!(self, Broadcast(_) | Permute(_) | Select | SelectReverse | ShiftLeft(_) | ShiftRight(_))
    }
}

impl Expr {
    /// Makes a binary operation.
    pub fn binary(op: Op, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// True if all items of a group get the same value.
    pub fn is_uniform(&self) -> bool {
        match self {
            Expr::Constant(_) | Expr::Uniform(_) | Expr::Argument(_) | Expr::Cell(_) => true,
            Expr::GroupSize | Expr::GroupLinear => true,
            Expr::Slot(_, index) | Expr::Input(index) => index.is_uniform(),
            Expr::Binary(_, a, b) => a.is_uniform() && b.is_uniform(),
            Expr::Variable(_) | Expr::Element(_) | Expr::LocalId(_) | Expr::LocalLinear => false,
            Expr::Own(_) | Expr::Mixed(_) | Expr::SubGroup(_) => false,
        }
    }

    /// Calls `visit` for this expression and all subexpressions.
    pub fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Element(inner) | Expr::Input(inner) | Expr::Slot(_, inner) | Expr::Mixed(inner) => inner.visit(visit),
            Expr::Binary(_, a, b) => {
                a.visit(visit);
                b.visit(visit);
            }
            _ => {}
        }
    }
}

impl Statement {
    /// Expressions of this statement, without those of nested statements.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Statement::Assign(_, e) | Statement::AssignUniform(_, e) | Statement::StoreOwn(_, e) => vec![e],
            Statement::StorePermuted(_, _, e) | Statement::Output(_, e) | Statement::Group(_, _, e) => vec![e],
            Statement::Count(_, e) | Statement::CountGlobal(_, e) | Statement::SubGroup(_, _, e) => vec![e],
            Statement::Break(e) | Statement::BreakTwo(e) | Statement::Continue(e) | Statement::Return(e) => vec![e],
            Statement::Switch(e, _) => vec![e],
            Statement::AssignElement(a, b) | Statement::Call(_, _, a, b) => vec![a, b],
            Statement::If { condition, .. } | Statement::Vote { condition, .. } => vec![condition],
            Statement::Loop(Loop { count, .. }) | Statement::Rounds(Loop { count, .. }) => vec![count],
            Statement::Barrier => vec![],
        }
    }

    /// Blocks of nested statements.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match self {
            Statement::If { then, otherwise, .. } | Statement::Vote { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop(Loop { body, .. }) | Statement::Rounds(Loop { body, .. }) => vec![body],
            Statement::Switch(_, blocks) => blocks.iter().map(Vec::as_slice).collect(),
            _ => vec![],
        }
    }

    /// Calls `visit` for this statement and all nested ones.
    pub fn visit(&self, visit: &mut impl FnMut(&Statement)) {
        visit(self);
        self.blocks().into_iter().flatten().for_each(|inner| inner.visit(visit));
    }

    /// True if `found` holds for this statement or a nested one.
    pub fn any(&self, found: &dyn Fn(&Statement) -> bool) -> bool {
        found(self) || self.blocks().into_iter().flatten().any(|inner| inner.any(found))
    }

    /// True if all items of a group, or of a sub-group, execute it together: it has, or contains, a
    /// barrier, or an operation of theirs.
    pub fn is_collective(&self) -> bool {
        use Statement::{Barrier, Call, Group, Rounds, SubGroup, Vote};
        let waits =
            |s: &Statement| matches!(s, Barrier | Group(..) | Call(..) | SubGroup(..) | Vote { .. } | Rounds(_));
        let uniform = |s: &Statement| matches!(s, Statement::AssignUniform(..));
        let uniform_flow = |s: &Statement| {
            matches!(s, Statement::If { uniform: true, .. } | Statement::Loop(Loop { uniform: true, .. }))
        };
        self.any(&|s| waits(s) || uniform(s) || uniform_flow(s))
    }
}

impl Kernel {
    /// True if it uses local memory, which the kernel then initialises first.
    pub fn uses_local_memory(&self) -> bool {
        self.uses_cells() || (0..GLOBAL_ARRAY).any(|array| self.uses_array(array))
    }

    /// True if it uses this array.
    pub fn uses_array(&self, array: usize) -> bool {
        let writes = |s: &Statement| match s {
            Statement::StoreOwn(written, _) | Statement::StorePermuted(written, ..) => *written == array,
            _ => false,
        };
        self.any(&writes, &|e| matches!(e, Expr::Own(read) | Expr::Slot(read, _) if *read == array))
    }

    /// True if it uses cells in local memory.
    pub fn uses_cells(&self) -> bool {
        self.any(&|s| matches!(s, Statement::Count(..)), &|e| matches!(e, Expr::Cell(_)))
    }

    fn any(&self, statement: &dyn Fn(&Statement) -> bool, expr: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        let mut look = |e: &Expr| found |= expr(e);
        self.functions.iter().for_each(|f| f.result.visit(&mut look));
        self.statements(&mut |s| s.expressions().into_iter().for_each(|e| e.visit(&mut look)));
        self.statements(&mut |s| found |= statement(s));
        found
    }

    /// Calls `visit` for every statement of the kernel and its functions.
    pub fn statements(&self, visit: &mut impl FnMut(&Statement)) {
        let bodies = self.functions.iter().map(|f| &f.body).chain([&self.body]);
        bodies.flatten().for_each(|s| s.visit(visit));
    }
}
