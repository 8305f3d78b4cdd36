//! Values of lanes as functions of the lane.
//!
//! In: an [`Operation`] and what is known of its operands. Out: what is known of its result, a
//! [`Form`]. *Invariant:* whatever is claimed holds for the lanes that are live and whose value is
//! not poison, if it holds for these lanes' operands.
//!
//! A narrow linear value keeps its base as an integer of 64 bits. It can be read signed or
//! unsigned; where no live lane is negative, both readings have the same base. Lines whose bases
//! are multiples of a power of two that their lanes do not reach never wrap in between: there the
//! base is cut to the width and read anew. Nor do they carry beyond it, so that what takes only the
//! bits above is the same for all, and what takes all bits below keeps the step.

use super::operation::{Exact, Operation, Shape, Term};

/// All that is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) shape: Shape,
    /// Bounds as a signed number.
    range: Range,
    /// Zero bits at the end of each base, or of a value that lanes share.
    zeros: u32,
    /// True for a linear value whose base has to be cut to the width, and extended again, or to the
    /// bits of a mask.
    pub(super) cut: bool,
}

/// A literal or the form of a value; `None` if nothing is known yet.
pub(super) type Operand = Option<(Form, u32)>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    low: i64,
    high: i64,
}

const LINEAR_BITS: u32 = 64;

impl Range {
    const FULL: Self = Self { low: i64::MIN, high: i64::MAX };

    /// All signed numbers of a width; of 0 and more than 64 bits, no bounds.
    fn signed(bits: u32) -> Self {
        match bits {
            1..64 => Self { low: -1 << (bits - 1), high: (1 << (bits - 1)) - 1 },
            _ => Self::FULL,
        }
    }

    /// All unsigned numbers of a width.
    fn unsigned(bits: u32) -> Self {
        let high = if (1..63).contains(&bits) { (1 << bits) - 1 } else { i64::MAX };
        Self { low: 0, high }
    }

    fn fits(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The numbers of both; `self` where there are none.
    fn and(self, other: Self) -> Self {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        if both.low <= both.high { both } else { self }
    }

    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// A range that includes `other`, too, such that a sequence of them ends soon.
    fn widened(self, other: Self) -> Self {
        let low = match other.low {
            low if low >= self.low => self.low,
            0.. => 0,
            _ => i64::MIN,
        };
        Self { low, high: if other.high <= self.high { self.high } else { i64::MAX } }
    }

    /// The hull of a function of both that has its extremes at the corners.
    fn corners(self, other: Self, of: impl Fn(i128, i128) -> i128) -> (i128, i128) {
        let [a, b, c, d] = [self.low, self.high, self.low, self.high].map(i128::from);
        let (low, high) = (i128::from(other.low), i128::from(other.high));
        let all = [of(a, low), of(b, low), of(c, high), of(d, high)];
        (all.iter().copied().fold(i128::MAX, i128::min), all.iter().copied().fold(i128::MIN, i128::max))
    }
}

impl Form {
    pub(super) const ANY: Self = Self::of_range(Shape::Any, Range::FULL);
    pub(super) const SAME: Self = Self::of_range(Shape::Same, Range::FULL);
    pub(super) const SAME_IN_LINE: Self = Self::of_range(Shape::SameInLine, Range::FULL);

    const fn of_range(shape: Shape, range: Range) -> Self {
        Self { shape, range, zeros: 0, cut: false }
    }

    pub(super) fn new(shape: Shape, bounds: Option<(i64, i64)>) -> Self {
        Self::of_range(shape, bounds.map_or(Range::FULL, |(low, high)| Range { low, high }))
    }

    fn literal(number: i64) -> Self {
        Self { zeros: number.trailing_zeros(), ..Self::new(Shape::Same, Some((number, number))) }
    }

    fn linear(step: i64, in_lines: bool, range: Range) -> Self {
        Self::of_range(Shape::of_step(step, true, in_lines), range)
    }

    /// A linear result whose base is cut to `bits` bits, in lines of `length` lanes: only if no
    /// lane of a line wraps.
    fn of_cut_base(self, step: i64, signed: bool, in_lines: bool, (bits, length): (u32, u32)) -> Self {
        let reach = step.checked_mul(i64::from(length) - 1).filter(|_| step > 0 && (2..LINEAR_BITS).contains(&bits));
        match reach {
            Some(reach) if reach < 1 << self.zeros.min(bits - 1) => {
                Self { shape: Shape::of_step(step, signed, in_lines), cut: true, ..self }
            }
            _ => self,
        }
    }

    /// The number of lowest bits, all zeros in the base, in which alone the lanes of a line differ.
    fn own_bits(self, length: u32) -> Option<u32> {
        let reach = self.step()?.checked_mul(i64::from(length) - 1).filter(|reach| *reach >= 0)?;
        Some(LINEAR_BITS - reach.leading_zeros()).filter(|bits| *bits <= self.zeros.min(LINEAR_BITS - 2))
    }

    /// The same as the form of a value of `bits` bits, within `bounds` if they are known otherwise.
    pub(super) fn of_width(self, bits: u32, bounds: Option<(i64, i64)>) -> Self {
        match (self.shape, bounds) {
            (shape, _) if shape.signed().is_some() && !(1..=LINEAR_BITS).contains(&bits) => Self::ANY,
            _ if !(1..=LINEAR_BITS).contains(&bits) => Self { range: Range::FULL, ..self },
            (_, Some((low, high))) => {
                Self { range: self.range.and(Range::signed(bits)).and(Range { low, high }), ..self }
            }
            (_, None) => Self { range: self.range.and(Range::signed(bits)), ..self },
        }
    }

    /// True if a linear or uniform narrow value can be read `signed` with its base.
    fn reads(self, signed: bool) -> bool {
        self.is_same() || self.shape.signed().is_some_and(|own| own == signed || self.range.low >= 0)
    }

    /// The difference between neighbours; `None` if it is not constant.
    fn step(self) -> Option<i64> {
        self.shape.step()
    }

    /// True if neighbours have the same value.
    fn is_same(self) -> bool {
        self.step() == Some(0)
    }

    /// The value of one of two operands of `bits` bits, the same one for all lanes of a line.
    pub(super) fn either(self, other: Self, bits: u32) -> Self {
        let range = self.range.hull(other.range);
        let lines = in_lines(&[self, other]);
        let shape = match (self.step(), other.step()) {
            (Some(0), Some(0)) => same(lines),
            (Some(a), Some(b)) if a == b => match reading(&[self, other], bits, Exact::both()) {
                Some(signed) => Shape::of_step(a, signed, lines),
                None => Shape::Any,
            },
            _ => Shape::Any,
        };
        Self { shape, range, zeros: self.zeros.min(other.zeros), cut: false }
    }

    /// The form of a value that had the form `self` before, and `next` by what is known now, which
    /// is less: a signed reading may become an unsigned one, and a base one for each line, never
    /// the other way round.
    pub(super) fn or_later(self, next: Self) -> Self {
        let lines = in_lines(&[self, next]);
        let shape = match (self.step(), next.step()) {
            (Some(old), Some(new)) if old == new => match (self.shape.signed(), next.shape.signed()) {
                (old, new) if old != Some(false) || new != Some(true) => {
                    Shape::of_step(next.step().unwrap_or(0), new.unwrap_or(true), lines)
                }
                _ => Shape::Any,
            },
            _ => Shape::Any,
        };
        Self { shape, range: self.range.widened(next.range), zeros: self.zeros.min(next.zeros), cut: next.cut }
    }
}

impl Exact {
    const fn both() -> Self {
        Self { signed: true, unsigned: true }
    }
}

/// True if a function of such operands has a value or base for each line.
fn in_lines(operands: &[Form]) -> bool {
    operands.iter().any(|form| form.shape.is_in_lines())
}

/// The shape of a value that neighbours share.
fn same(in_lines: bool) -> Shape {
    Shape::of_step(0, true, in_lines)
}

/// The reading in which a result of `bits` bits is a true integer function of its operands.
fn reading(operands: &[Form], bits: u32, exact: Exact) -> Option<bool> {
    let all = |signed: bool| operands.iter().all(|form| form.reads(signed));
    match bits {
        LINEAR_BITS.. => Some(true),
        _ if exact.signed && all(true) => Some(true),
        _ if exact.unsigned && all(false) => Some(false),
        _ => None,
    }
}

/// The form of a term, and its width if it is a value. `value` gives that of a value.
pub(super) fn operand(term: Term, value: impl Fn(super::ValueId) -> Operand) -> Operand {
    match term {
        Term::Value(id) => value(id),
        Term::Literal(number) => Some((Form::literal(number), 0)),
        Term::Constant => Some((Form::SAME, 0)),
    }
}

/// The result of an operation other than [`Operation::Other`], of `bits` bits, in lines of `length`
/// lanes. `form` gives the form of a term; the result is `None` if a form that it depends on is.
pub(super) fn result(operation: &Operation, bits: u32, length: u32, form: impl Fn(Term) -> Operand) -> Option<Form> {
    let both = |terms: &[Term; 2]| Some([form(terms[0])?.0, form(terms[1])?.0]);
    let size = (bits, length);
    Some(match operation {
        Operation::Other | Operation::Divergent => Form::ANY,
        Operation::Uniform => Form::SAME,
        // Lines begin at multiples of their length.
        Operation::Lane => Form {
            zeros: length.trailing_zeros(),
            ..Form::linear(1, false, Range { low: 0, high: i64::from(i32::MAX) })
        },
        Operation::Line => Form::linear(0, true, Range { low: 0, high: i64::from(i32::MAX) }),
        Operation::Add(terms, exact) => combined(both(terms)?, size, *exact, i64::checked_add, |a, b| a + b),
        Operation::Sub(terms, exact) => combined(both(terms)?, size, *exact, i64::checked_sub, |a, b| a - b),
        Operation::Mul(terms, exact) => {
            let [a, b] = both(terms)?;
            if a.is_same() && !b.is_same() { scaled(b, a, size, *exact) } else { scaled(a, b, size, *exact) }
        }
        Operation::Shl([of, by], exact) => shifted(form(*of)?.0, form(*by)?.0, *by, size, *exact),
        Operation::And(terms) => masked(both(terms)?, length),
        Operation::Xor(terms) => inverted(both(terms)?, size),
        Operation::Divide { of, by } => divided(form(*of)?.0, *by, size),
        Operation::Remainder { of, by } => remainder(form(*of)?.0, *by, length),
        Operation::Extend { of, signed, from } => extended(form(*of)?.0, *signed, (*from, length)),
        Operation::Truncate { of, to, exact } => truncated(form(*of)?.0, (*to, length), *exact),
        Operation::Address { base, indices } => address(form(*base)?.0, indices, form)?,
        Operation::Select { condition, values } => chosen(form(*condition)?.0, values, both(values)?, bits),
        Operation::Same(term) => frozen(form(*term)?.0, bits),
        Operation::Exchange { lane } if form(*lane)?.0.shape == Shape::Same => Form::SAME,
        Operation::Exchange { .. } => Form::ANY,
        Operation::Private { size, in_lines } => match i64::try_from(*size) {
            Ok(step) => Form::linear(step, *in_lines, Range::FULL),
            Err(_) => Form::ANY,
        },
    })
}

/// A sum or difference.
fn combined(
    forms: [Form; 2],
    size: (u32, u32),
    exact: Exact,
    steps: impl Fn(i64, i64) -> Option<i64>,
    ends: impl Fn(i128, i128) -> i128,
) -> Form {
    let [a, b] = forms;
    let (range, exact) = bounded(a.range.corners(b.range, ends), size.0, exact);
    let step = a.step().zip(b.step()).and_then(|(a, b)| steps(a, b));
    linear(&forms, step, size, exact, Form { zeros: a.zeros.min(b.zeros), ..Form::of_range(Shape::Any, range) })
}

/// `form` with the shape of a function of `forms` with this step, if it is constant.
fn linear(forms: &[Form; 2], step: Option<i64>, size: (u32, u32), exact: Exact, form: Form) -> Form {
    let lines = in_lines(forms);
    match (step, reading(forms, size.0, exact)) {
        (Some(0), _) => Form { shape: same(lines), ..form },
        (Some(step), Some(signed)) => Form { shape: Shape::of_step(step, signed, lines), ..form },
        (Some(step), None) => {
            let signed = forms.iter().find_map(|form| form.shape.signed()).unwrap_or(true);
            form.of_cut_base(step, signed, lines, size)
        }
        (None, _) => form,
    }
}

/// The bounds of a result of `bits` bits that lies within `ends` before it wraps, and what is known
/// about wrapping.
fn bounded((low, high): (i128, i128), bits: u32, exact: Exact) -> (Range, Exact) {
    let full = Range::signed(bits);
    let fits = i128::from(full.low) <= low && high <= i128::from(full.high);
    if !fits && !exact.signed {
        return (full, exact);
    }
    let clamp = |end: i128| end.clamp(i128::from(full.low), i128::from(full.high)) as i64;
    (Range { low: clamp(low), high: clamp(high) }, Exact { signed: true, ..exact })
}

/// A product with a uniform value.
fn scaled(of: Form, by: Form, size: (u32, u32), exact: Exact) -> Form {
    let (range, exact) = bounded(of.range.corners(by.range, |a, b| a * b), size.0, exact);
    let factor = (by.range.low == by.range.high).then_some(by.range.low);
    // An unsigned reading of a negative factor is another factor.
    let exact = Exact { unsigned: exact.unsigned && by.range.low >= 0, ..exact };
    let step = match (of.step(), by.step()) {
        (Some(0), Some(0)) => Some(0),
        (Some(step), Some(0)) => factor.and_then(|factor| step.checked_mul(factor)),
        _ => None,
    };
    linear(&[of, by], step, size, exact, Form { zeros: of.zeros + by.zeros, ..Form::of_range(Shape::Any, range) })
}

/// A shift to the left: a product with a power of two that is positive in `bits` bits.
fn shifted(of: Form, by: Form, amount: Term, size: (u32, u32), exact: Exact) -> Form {
    match amount {
        Term::Literal(amount @ 0..62) if amount + 1 < i64::from(size.0) => {
            scaled(of, Form::literal(1 << amount), size, exact)
        }
        _ if of.is_same() && by.is_same() => {
            Form { zeros: of.zeros, ..Form::of_range(same(in_lines(&[of, by])), Range::FULL) }
        }
        _ => Form::ANY,
    }
}

/// A bitwise conjunction.
fn masked([a, b]: [Form; 2], length: u32) -> Form {
    let (of, by) = if a.range.low == a.range.high { (b, a) } else { (a, b) };
    let mask = by.range.low;
    let literal = a.range.low == a.range.high || b.range.low == b.range.high;
    // The non-negative operand with the lower bound limits the result.
    let limits = [a, b].into_iter().filter(|form| form.range.low >= 0).map(|form| form.range.high);
    let range = limits.min().map_or(Range::FULL, |high| Range { low: 0, high });
    let keeps = literal && mask >= 0 && mask & mask.wrapping_add(1) == 0 && of.range.fits(Range { low: 0, high: mask });
    match a.is_same() && b.is_same() {
        _ if keeps => Form { cut: false, ..of },
        true => Form { zeros: a.zeros.max(b.zeros), ..Form::of_range(same(in_lines(&[a, b])), range) },
        false if literal && by.shape == Shape::Same => chosen_bits(of, mask, Form::of_range(Shape::Any, range), length),
        false => Form::of_range(Shape::Any, range),
    }
}

/// `form` with the shape of the bits of a linear value that a mask has.
fn chosen_bits(of: Form, mask: i64, form: Form, length: u32) -> Form {
    let lines = of.shape.is_in_lines();
    let own = of.own_bits(length).map(|bits| (1_i64 << bits) - 1);
    match (own, of.shape.signed()) {
        (Some(own), Some(_)) if mask & own == 0 => {
            Form { shape: same(lines), zeros: of.zeros.max(mask.trailing_zeros()), ..form }
        }
        (Some(own), Some(_)) if mask & own == own => Form { shape: of.shape, zeros: of.zeros, cut: true, ..form },
        _ => form,
    }
}

/// A bitwise exclusive disjunction. To invert all bits that a number may have is to subtract it.
fn inverted([a, b]: [Form; 2], (bits, length): (u32, u32)) -> Form {
    let (of, by) = if a.range.low == a.range.high { (b, a) } else { (a, b) };
    let (mask, lines) = (by.range.low, of.shape.is_in_lines());
    let form = Form { zeros: a.zeros.min(b.zeros), ..Form::of_range(Shape::Any, Range::FULL) };
    let (Some(step), Some(signed)) = (of.step(), of.shape.signed()) else {
        return if a.is_same() && b.is_same() { Form { shape: same(in_lines(&[a, b])), ..form } } else { form };
    };
    if by.shape != Shape::Same || by.range.low != by.range.high {
        return form;
    }
    let inverts_all = mask == -1 && (bits >= LINEAR_BITS || of.reads(true));
    let within = Range { low: 0, high: mask };
    if let Some(back) = step.checked_neg()
        && (inverts_all || mask >= 0 && mask & mask.wrapping_add(1) == 0 && of.range.fits(within))
    {
        let range = if mask >= 0 { within } else { Range::FULL };
        return Form { zeros: 0, ..Form::of_range(Shape::of_step(back, true, lines), range) };
    }
    match of.own_bits(length).map(|bits| (1_i64 << bits) - 1) {
        Some(own) if mask & own == 0 => Form { shape: of.shape, cut: true, ..form },
        Some(own) if mask & own == own => Form { shape: Shape::of_step(-step, signed, lines), cut: true, ..form },
        _ => form,
    }
}

/// The quotient of an unsigned number of `bits` bits.
fn divided(of: Form, by: i64, (bits, length): (u32, u32)) -> Form {
    let most = u64::MAX >> (u64::BITS - bits.clamp(1, u64::BITS));
    let range = match of.range.low {
        0.. => Range { low: of.range.low / by, high: of.range.high / by },
        _ => Range { low: 0, high: (most / by.cast_unsigned()).cast_signed() },
    };
    let shares = of.own_bits(length).is_some_and(|own| own <= by.trailing_zeros());
    let shape = if shares { same(of.shape.is_in_lines()) } else { Shape::Any };
    let zeros = if by.count_ones() == 1 { of.zeros.saturating_sub(by.trailing_zeros()) } else { 0 };
    Form { zeros, ..Form::of_range(shape, range) }
}

/// The remainder of an unsigned number.
fn remainder(of: Form, by: i64, length: u32) -> Form {
    let high = if of.range.low >= 0 { of.range.high.min(by - 1) } else { by - 1 };
    let form = Form { zeros: of.zeros.min(by.trailing_zeros()), ..Form::of_range(Shape::Any, Range { low: 0, high }) };
    match of.step() {
        Some(step) if of.own_bits(length).is_some_and(|own| own <= by.trailing_zeros()) => {
            Form { shape: Shape::of_step(step, true, of.shape.is_in_lines()), cut: step != 0, ..form }
        }
        _ => form,
    }
}

/// An extension from `from` bits.
fn extended(of: Form, signed: bool, (from, length): (u32, u32)) -> Form {
    let range = if signed || of.range.low >= 0 { of.range.and(Range::signed(from)) } else { Range::unsigned(from) };
    let form = Form { zeros: of.zeros, ..Form::of_range(Shape::Any, range) };
    let lines = of.shape.is_in_lines();
    match of.step() {
        Some(0) => Form { shape: of.shape, ..form },
        Some(step) if from < LINEAR_BITS && of.reads(signed) => {
            Form { shape: Shape::of_step(step, true, lines), ..form }
        }
        Some(step) => form.of_cut_base(step, true, lines, (from, length)),
        None => form,
    }
}

/// A truncation to `to` bits.
fn truncated(of: Form, (to, length): (u32, u32), exact: Exact) -> Form {
    let fits = exact.signed || of.range.fits(Range::signed(to));
    let range = if fits { of.range.and(Range::signed(to)) } else { Range::signed(to) };
    let form = Form { zeros: of.zeros, ..Form::of_range(Shape::Any, range) };
    let lines = of.shape.is_in_lines();
    let linear = |step, signed| Form { shape: Shape::of_step(step, signed, lines), ..form };
    match of.step() {
        Some(0) => Form { shape: of.shape, ..form },
        Some(step) if to >= LINEAR_BITS => linear(step, true),
        Some(step) if of.reads(true) && fits => linear(step, true),
        Some(step) if of.range.fits(Range::unsigned(to)) => linear(step, false),
        Some(step) if of.reads(false) && exact.unsigned => linear(step, false),
        Some(step) => form.of_cut_base(step, true, lines, (to, length)),
        None => form,
    }
}

/// An address. Indices are read signed.
fn address(base: Form, indices: &[(Term, i64)], form: impl Fn(Term) -> Operand) -> Option<Form> {
    let (mut step, mut lines) = (base.step(), base.shape.is_in_lines());
    for &(term, scale) in indices {
        let (index, bits) = form(term)?;
        lines |= index.shape.is_in_lines();
        let index = index.step().filter(|_| bits >= LINEAR_BITS || index.reads(true));
        let offset = index.and_then(|index| index.checked_mul(scale));
        step = step.zip(offset).and_then(|(step, offset)| step.checked_add(offset));
    }
    Some(step.map_or(Form::ANY, |step| Form::linear(step, lines, Range::FULL)))
}

/// A selection of one of `values`, with the forms `forms`.
fn chosen(condition: Form, values: &[Term; 2], forms: [Form; 2], bits: u32) -> Form {
    let [yes, no] = forms;
    let either = yes.either(no, bits);
    let equal = values[0] == values[1] && values[0] != Term::Constant;
    let shape = match (condition.shape, either.shape) {
        (Shape::SameInLine, Shape::Same) if !equal => Shape::SameInLine,
        (Shape::SameInLine, Shape::Linear { step, signed }) if !equal => Shape::LinearInLine { step, signed },
        (Shape::Same | Shape::SameInLine, shape) => shape,
        (_, shape) if equal => shape,
        _ => Shape::Any,
    };
    Form { shape, ..either }
}

/// A value without poison. A narrow linear value has no bounds in lanes where it was poison, so
/// that its extensions would not be those of the lane's value.
fn frozen(of: Form, bits: u32) -> Form {
    match of.shape {
        shape if shape.signed().is_some() && bits < LINEAR_BITS => Form::ANY,
        shape => Form::of_range(shape, Range::FULL),
    }
}
