//! Writes expressions as C++.
//!
//! In: an expression, and its context. Out: C++ source whose value is a `std::uint32_t`, or
//! converts to one. *Invariant:* an operand that is itself an operation has parentheses.

use super::language::*;

/// The private variables.
pub(super) const VARIABLE_NAMES: [&str; VARIABLES] = ["a", "b", "c", "d", "e", "kept"];
/// The uniform variables.
pub(super) const UNIFORM_NAMES: [&str; UNIFORMS] = ["m", "n", "k"];
/// The arrays with a slot for each item.
pub(super) const ARRAY_NAMES: [&str; ARRAYS] = ["tile", "block", "shared"];
/// The arguments of the kernel.
pub(super) const ARGUMENT_NAMES: [&str; 2] = ["rounds", "limit"];

/// Context of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// A work-item of a kernel with this number of dimensions.
    Item(usize),
    /// A loop over items whose counter is `i`.
    LoopNest,
}

impl Reader {
    /// Text of an expression.
    pub(super) fn text(self, e: &Expr) -> String {
        match e {
            Expr::Constant(value) => format!("{value}u"),
            Expr::Variable(variable) => self.variable(*variable),
            Expr::Uniform(variable) => UNIFORM_NAMES[*variable].to_owned(),
            Expr::Argument(number) => ARGUMENT_NAMES[*number].to_owned(),
            Expr::Element(index) => self.element(index),
            Expr::LocalId(dimension) => self.local_id(*dimension),
            Expr::LocalLinear => self.position().to_owned(),
            Expr::GroupSize => "size".to_owned(),
            Expr::GroupLinear => "group".to_owned(),
            Expr::Input(index) => format!("input[{} % {INPUTS}]", self.operand(index)),
            Expr::Own(array) => format!("{}[{}]", ARRAY_NAMES[*array], self.position()),
            Expr::Slot(array, index) => format!("{}[{} % size]", ARRAY_NAMES[*array], self.operand(index)),
            Expr::Cell(cell) => format!("counters[{cell}]"),
            Expr::Mixed(inner) => match self {
                Reader::Item(_) => format!("mixed(item, {})", self.text(inner)),
                Reader::LoopNest => format!("mixed({}, {})", self.local_id(0), self.text(inner)),
            },
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::SubGroup(query) => unreachable!("{query:?} does not occur in the corpus"),
        }
    }

    /// A private variable.
    pub(super) fn variable(self, variable: usize) -> String {
        match self {
            Reader::Item(_) => VARIABLE_NAMES[variable].to_owned(),
            Reader::LoopNest => format!("{}[i]", VARIABLE_NAMES[variable]),
        }
    }

    /// An element of the private array.
    pub(super) fn element(self, index: &Expr) -> String {
        let item = if self == Reader::LoopNest { "[i]" } else { "" };
        format!("row{item}[{} % {ELEMENTS}]", self.operand(index))
    }

    /// The item's position in its group.
    pub(super) fn position(self) -> &'static str {
        match self {
            Reader::Item(_) => "local",
            Reader::LoopNest => "i",
        }
    }

    fn local_id(self, dimension: usize) -> String {
        match self {
            Reader::Item(dimensions) if dimension >= dimensions => "0u".to_owned(),
            Reader::Item(dimensions) => format!("std::uint32_t(item.get_local_id({}))", dimensions - 1 - dimension),
            Reader::LoopNest => format!("launch.local_id(i, {dimension})"),
        }
    }

    fn binary(self, op: Op, a: &Expr, b: &Expr) -> String {
        let (left, right) = (self.operand(a), self.operand(b));
        match op {
            Op::Add => format!("{left} + {right}"),
            Op::Subtract => format!("{left} - {right}"),
            Op::Multiply => format!("{left} * {right}"),
            Op::And => format!("{left} & {right}"),
            Op::Or => format!("{left} | {right}"),
            Op::Xor => format!("{left} ^ {right}"),
            Op::ShiftRight => format!("{left} >> ({right} & 31u)"),
            Op::Remainder => match b {
                Expr::Constant(value) => format!("{left} % {}u", value | 1),
                _ => format!("{left} % ({right} | 1u)"),
            },
            Op::Less => format!("{left} < {right}"),
            Op::Equal => format!("{left} == {right}"),
        }
    }

    fn operand(self, e: &Expr) -> String {
        let text = self.text(e);
        if matches!(e, Expr::Binary(..)) { format!("({text})") } else { text }
    }
}

/// The C++ operation on two values.
pub(super) fn combined(combine: Combine, a: &str, b: &str) -> String {
    match combine {
        Combine::Plus => format!("{a} + {b}"),
        Combine::Minimum => format!("std::min({a}, {b})"),
        Combine::Maximum => format!("std::max({a}, {b})"),
        Combine::BitAnd => format!("{a} & {b}"),
        Combine::BitOr => format!("{a} | {b}"),
        Combine::BitXor => format!("{a} ^ {b}"),
    }
}

/// Lines of text, indented by two spaces a level.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) depth: usize,
}

impl Lines {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line and indents the following ones.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Closes a block opened by [`Lines::open`].
    pub(super) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }
}
