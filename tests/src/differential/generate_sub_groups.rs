//! Generates random kernels with operations of sub-groups.
//!
//! Out: a proptest strategy. *Invariant:* each case requires a size of sub-groups, so that every
//! translation has the same ones.

use super::{
    generate::{Case, case_with, condition, count, divergent, expr, operation, operator, simple, uniform_expr},
    language::*,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Sizes of sub-groups.
pub const SIZES: [u32; 6] = [1, 4, 8, 16, 32, 64];

/// A whole case.
pub fn case() -> impl Strategy<Value = Case> {
    (case_with(Some(statement(2))), select(&SIZES[..])).prop_map(|(mut case, size)| {
        case.shape.sub_group = Some(size);
        case
    })
}

/// A step of a block that all items of a sub-group reach.
fn statement(depth: u32) -> BoxedStrategy<Statement> {
    let value =
        || prop_oneof![3 => expr(), 1 => (operator(), expr(), query()).prop_map(|(op, a, b)| Expr::binary(op, a, b))];
    let kind = prop_oneof![6 => operation(), 1 => Just(GroupOperation::Ballot)];
    let exchange = (kind, 0..VARIABLES - 1, value())
        .prop_map(|(operation, variable, e)| Statement::SubGroup(operation, variable, e));
    let assignment = (0..VARIABLES - 1, value()).prop_map(|(variable, e)| Statement::Assign(variable, e));
    let flat = prop_oneof![6 => exchange, 1 => assignment].boxed();
    if depth == 0 {
        return flat;
    }
    let vote = (any::<bool>(), condition(expr()), block(depth - 1), block(depth - 1))
        .prop_map(|(all, condition, then, otherwise)| Statement::Vote { all, condition, then, otherwise });
    let rounds = (any::<bool>(), 0..VARIABLES - 1, count(expr()), block(depth - 1)).prop_map(
        |(do_while, counter, count, body)| Statement::Rounds(Loop { uniform: false, do_while, counter, count, body }),
    );
    prop_oneof![4 => flat, 1 => vote, 1 => rounds].boxed()
}

/// A block that a sub-group runs together.
fn block(depth: u32) -> BoxedStrategy<Vec<Statement>> {
    let leave = (any::<bool>(), condition(uniform_expr()))
        .prop_map(|(skip, condition)| if skip { Statement::Continue(condition) } else { Statement::Break(condition) });
    let step = prop_oneof![
        4 => statement(depth),
        3 => simple(),
        1 => divergent(1),
        1 => condition(expr()).prop_map(Statement::Return),
        1 => leave,
    ];
    vec(step, 0..=4).boxed()
}

fn query() -> impl Strategy<Value = Expr> {
    select(vec![Query::Lane, Query::Size, Query::Number, Query::Count]).prop_map(Expr::SubGroup)
}
