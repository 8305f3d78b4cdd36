//! Emits the operations of groups and of sub-groups as IR.
//!
//! In: an operation and the item's value. Out: a call of the builtin. *Invariant:* a value from an
//! item that does not exist is 0.

use super::{language::*, llvm::Writer};

/// The items that an operation combines.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    Group,
    SubGroup,
}

/// The type that a value has in an operation.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// An integer of so many bits.
    Integer(u32),
    Float,
}

/// Bits below a value in an integer of 64 bits: sums of a sub-group do not overflow it.
const BELOW: u32 = 20;

impl Writer<'_> {
    pub(super) fn group_operation(&mut self, operation: GroupOperation, target: Target, e: &Expr) {
        let value = self.value(e);
        let result = self.operation(Scope::Group, Form::Integer(32), operation, &value);
        match target {
            Target::Variable(variable) => self.store_variable(variable, &result),
            Target::Uniform(variable) => self.line(&format!("store i32 {result}, ptr %uniform.{variable}")),
        }
    }

    /// An operation in the type of the variable for its result.
    pub(super) fn sub_group_operation(&mut self, operation: GroupOperation, variable: usize, e: &Expr) {
        use GroupOperation::{ExclusiveScan, InclusiveScan, Reduce};
        let is_arithmetic = |c: Combine| matches!(c, Combine::Plus | Combine::Minimum | Combine::Maximum);
        let form = match (self.kernel.types[variable], operation) {
            (Type::U8, _) => Form::Integer(8),
            (Type::U16, _) => Form::Integer(16),
            (Type::U64, _) => Form::Integer(64),
            (Type::F32, Reduce(c) | InclusiveScan(c) | ExclusiveScan(c)) if is_arithmetic(c) => Form::Float,
            _ => Form::Integer(32),
        };
        let value = self.value(e);
        let value = match self.kernel.types[variable] {
            Type::F32 => self.assign(&format!("and i32 {value}, 65535")),
            _ => value,
        };
        let result = self.operation(Scope::SubGroup, form, operation, &value);
        self.store_variable(variable, &result);
    }

    /// A vote with an `i1`.
    pub(super) fn vote_of_sub_group(&mut self, name: &str, own: &str) -> String {
        self.assign(&format!("call zeroext i1 @__acpp_sscp_sub_group_{name}(i1 zeroext {own})"))
    }

    fn operation(&mut self, scope: Scope, form: Form, operation: GroupOperation, value: &str) -> String {
        use GroupOperation as G;
        match operation {
            G::Reduce(c) => self.combined(scope, form, "reduce", c, value),
            G::InclusiveScan(c) => self.combined(scope, form, "inclusive_scan", c, value),
            G::ExclusiveScan(c) => self.combined(scope, form, "exclusive_scan", c, value),
            G::Broadcast(sender) => {
                let size = self.size(scope);
                let sender = self.assign(&format!("urem i32 {sender}, {size}"));
                let moved = self.widened(form, value);
                self.moved(scope, form, "broadcast", &format!("i32 {sender}, {moved}"))
            }
            G::Any => self.vote(scope, "any", value),
            G::All => self.vote(scope, "all", value),
            G::None => self.vote(scope, "none", value),
            G::ShiftLeft(steps) => self.from(scope, form, "shift_left", ("add", steps), value),
            G::ShiftRight(steps) => self.from(scope, form, "shift_right", ("sub", steps), value),
            G::Permute(mask) => self.from(scope, form, "permute", ("xor", mask), value),
            G::SelectReverse => {
                let (position, size) = (self.position(scope), self.size(scope));
                let last = self.assign(&format!("sub i32 {size}, 1"));
                let mirrored = self.assign(&format!("sub i32 {last}, {position}"));
                self.selected(scope, form, value, &mirrored)
            }
            G::Select => {
                let own = match form {
                    Form::Integer(bits @ (8 | 16)) => self.assign(&format!("and i32 {value}, {}", (1 << bits) - 1)),
                    _ => value.to_owned(),
                };
                let size = self.size(scope);
                let place = self.assign(&format!("urem i32 {own}, {size}"));
                self.selected(scope, form, value, &place)
            }
            G::Ballot => self.ballot(value),
        }
    }

    fn combined(&mut self, scope: Scope, form: Form, name: &str, combine: Combine, value: &str) -> String {
        let value = self.widened(form, value);
        let start = match (name, form) {
            ("exclusive_scan", Form::Integer(64)) => format!(", i64 {}", 5u64 << BELOW),
            ("exclusive_scan", Form::Integer(bits)) => format!(", i{bits} 5"),
            ("exclusive_scan", Form::Float) => ", float 5.0".to_owned(),
            _ => String::new(),
        };
        let suffix = match form {
            Form::Integer(bits) => format!("u{bits}"),
            Form::Float => "f32".to_owned(),
        };
        let arguments = format!("i32 {}, {value}{start}", combine_number(combine));
        self.called(scope, form, &format!("{name}_{suffix}"), &arguments)
    }

    /// The value of an item at another position, which `step` computes, or 0 if there is none.
    fn from(&mut self, scope: Scope, form: Form, name: &str, step: (&str, u32), value: &str) -> String {
        let value = self.widened(form, value);
        let (operator, distance) = step;
        let moved = self.moved(scope, form, name, &format!("{value}, i32 {distance}"));
        let (own, size) = (self.position(scope), self.size(scope));
        let other = self.assign(&format!("{operator} i32 {own}, {distance}"));
        let inside = self.assign(&format!("icmp ult i32 {other}, {size}"));
        self.assign(&format!("select i1 {inside}, i32 {moved}, i32 0"))
    }

    fn selected(&mut self, scope: Scope, form: Form, value: &str, place: &str) -> String {
        let value = self.widened(form, value);
        self.moved(scope, form, "select", &format!("{value}, i32 {place}"))
    }

    fn moved(&mut self, scope: Scope, form: Form, name: &str, arguments: &str) -> String {
        let Form::Integer(bits) = form else { unreachable!("numbers are moved as integers") };
        self.called(scope, form, &format!("{name}_i{bits}"), arguments)
    }

    /// The result of a builtin as an `i32`.
    fn called(&mut self, scope: Scope, form: Form, name: &str, arguments: &str) -> String {
        let group = if scope == Scope::Group { "work_group" } else { "sub_group" };
        let result = self.assign(&format!("call {} @__acpp_sscp_{group}_{name}({arguments})", form.name()));
        match form {
            Form::Integer(64) => {
                let upper = self.assign(&format!("lshr i64 {result}, {BELOW}"));
                self.assign(&format!("trunc i64 {upper} to i32"))
            }
            Form::Integer(32) => result,
            Form::Integer(_) => self.assign(&format!("zext {} {result} to i32", form.name())),
            Form::Float => self.assign(&format!("fptoui float {result} to i32")),
        }
    }

    /// A value in the form of an operation, behind its type.
    fn widened(&mut self, form: Form, value: &str) -> String {
        let made = match form {
            Form::Integer(64) => {
                let wide = self.assign(&format!("zext i32 {value} to i64"));
                self.assign(&format!("shl i64 {wide}, {BELOW}"))
            }
            Form::Integer(32) => value.to_owned(),
            Form::Integer(_) => self.assign(&format!("trunc i32 {value} to {}", form.name())),
            Form::Float => self.assign(&format!("uitofp i32 {value} to float")),
        };
        format!("{} {made}", form.name())
    }

    fn vote(&mut self, scope: Scope, name: &str, value: &str) -> String {
        let odd = self.assign(&format!("trunc i32 {value} to i1"));
        let vote = match scope {
            Scope::SubGroup => self.vote_of_sub_group(name, &odd),
            Scope::Group => self.assign(&format!("call zeroext i1 @__acpp_sscp_work_group_{name}(i1 zeroext {odd})")),
        };
        self.assign(&format!("zext i1 {vote} to i32"))
    }

    /// The ballot of all items that run it.
    fn ballot(&mut self, value: &str) -> String {
        let odd = self.assign(&format!("trunc i32 {value} to i1"));
        let all = self.assign("call i64 @__acpp_sscp_sub_group_active()");
        let votes = self.assign(&format!("call i64 @__acpp_sscp_sub_group_ballot(i64 {all}, i1 zeroext {odd})"));
        let low = self.assign(&format!("trunc i64 {votes} to i32"));
        let upper = self.assign(&format!("lshr i64 {votes}, 32"));
        let upper = self.assign(&format!("trunc i64 {upper} to i32"));
        let upper = self.assign(&format!("mul i32 {upper}, {BALLOT_FACTOR}"));
        self.assign(&format!("xor i32 {low}, {upper}"))
    }

    fn position(&mut self, scope: Scope) -> String {
        self.value(&if scope == Scope::Group { Expr::LocalLinear } else { Expr::SubGroup(Query::Lane) })
    }

    fn size(&mut self, scope: Scope) -> String {
        self.value(&if scope == Scope::Group { Expr::GroupSize } else { Expr::SubGroup(Query::Size) })
    }
}

impl Form {
    fn name(self) -> String {
        match self {
            Form::Integer(bits) => format!("i{bits}"),
            Form::Float => "float".to_owned(),
        }
    }
}

/// Number of an operation in the interface of builtins.
fn combine_number(combine: Combine) -> u32 {
    match combine {
        Combine::Plus => 0,
        Combine::Minimum => 2,
        Combine::Maximum => 3,
        Combine::BitAnd => 4,
        Combine::BitOr => 5,
        Combine::BitXor => 6,
    }
}
