//! Generates random kernels.
//!
//! Out: proptest strategies, so that a failure shrinks. *Invariant:* expressions that must be
//! uniform have only uniform parts; everything else that is not allowed in a kernel is removed by
//! [`super::synchronize`].

use super::{execute::Variant, language::*, llvm::Style};
use proptest::{collection::vec, prelude::*, sample::select};
use sinter_core::{OptLevel, Rows};

/// A kernel, a launch, the style of its IR, and its translation.
#[derive(Debug, Clone)]
pub struct Case {
    pub kernel: Kernel,
    pub shape: Shape,
    pub style: Style,
    pub variants: [Variant; 3],
}

/// A whole case, translated without optimisation, to quick code and to full code.
pub fn case() -> impl Strategy<Value = Case> {
    case_with(None)
}

/// Like [`case`], with more kinds of statements in uniform blocks.
pub(super) fn case_with(more: Option<BoxedStrategy<Statement>>) -> impl Strategy<Value = Case> {
    let rows = || select(&[Rows::Off, Rows::Of(4), Rows::Of(8), Rows::Of(16), Rows::Of(64)][..]);
    let literals = || select(&[[false, false], [false, false], [true, false], [false, true], [true, true]][..]);
    let variant = move |level: OptLevel| {
        let choices = (any::<bool>(), rows(), literals());
        choices.prop_map(move |(fixed, rows, literals)| Variant { level, fixed, rows, literals })
    };
    let variants = [OptLevel::O0, OptLevel::O1, OptLevel::O3].map(|level| variant(level).boxed());
    (kernel(more), shape(), style(), variants).prop_map(|(kernel, shape, style, variants)| Case {
        kernel,
        shape,
        style,
        variants,
    })
}

/// Passes that an image may have gone through before its translation.
pub const PASSES: [Option<&str>; 4] =
    [None, Some("function(mem2reg,simplifycfg)"), Some("default<O1>"), Some("default<O2>")];

fn style() -> impl Strategy<Value = Style> {
    let passes = select(&PASSES[..]);
    (any::<bool>(), passes).prop_map(|(generic_pointers, passes)| Style { generic_pointers, passes })
}

fn shape() -> impl Strategy<Value = Shape> {
    let sizes = select(vec![[1, 1, 1], [2, 1, 1], [7, 1, 1], [32, 1, 1], [64, 1, 1], [256, 1, 1], [13, 1, 1]]);
    let solids = [1..=8u32, 1..=4, 1..=3];
    let argument = || prop_oneof![4 => 0..20u32, 1 => select(vec![32, 64, 100, u32::MAX]), 1 => any::<u32>()];
    (prop_oneof![sizes, solids.prop_map(|sizes| sizes)], [1..=3u32, 1..=2, 1..=2], [argument(), argument()])
        .prop_map(|(group, groups, arguments)| Shape { group, groups, arguments, sub_group: None })
}

fn kernel(more: Option<BoxedStrategy<Statement>>) -> impl Strategy<Value = Kernel> {
    let types = select(vec![Type::U32, Type::U8, Type::U16, Type::U64, Type::F32, Type::Vector]);
    let storage = select(vec![Storage::Static, Storage::Dynamic, Storage::Requested]);
    let types = [types.clone(), types.clone(), types.clone(), types.clone(), types];
    let body = uniform_block(2, 4, more.clone());
    let functions = vec((body, expr()).prop_map(|(body, result)| Function { body, result }), 0..=2);
    (types, storage, functions, uniform_block(3, 8, more)).prop_map(|([a, b, c, d, e], storage, functions, body)| {
        // The spare variable keeps any value unchanged.
        Kernel { types: [a, b, c, d, e, Type::U32], storage, functions, body }
    })
}

fn boxed(strategy: impl Strategy<Value = Expr> + 'static) -> BoxedStrategy<Expr> {
    strategy.boxed()
}

/// An expression with a value for each item.
pub(super) fn expr() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        3 => (0..VARIABLES - 1).prop_map(Expr::Variable),
        2 => Just(Expr::LocalLinear),
        1 => (0..3usize).prop_map(Expr::LocalId),
        2 => (0..ARRAYS).prop_map(Expr::Own),
        2 => uniform_leaf(),
    ];
    boxed(leaf.prop_recursive(3, 8, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            4 => (operator(), inner.clone(), inner).prop_map(|(op, a, b)| Expr::binary(op, a, b)),
            1 => boxed.clone().prop_map(Expr::Element),
            1 => boxed.clone().prop_map(Expr::Input),
            2 => (0..ARRAYS, boxed.clone()).prop_map(|(array, index)| Expr::Slot(array, index)),
            1 => boxed.prop_map(Expr::Mixed),
        ]
    }))
}

fn uniform_leaf() -> impl Strategy<Value = Expr> + Clone {
    prop_oneof![
        2 => (0..20u32).prop_map(Expr::Constant),
        3 => (0..UNIFORMS).prop_map(Expr::Uniform),
        2 => (0..2usize).prop_map(Expr::Argument),
        1 => Just(Expr::GroupSize),
        1 => Just(Expr::GroupLinear),
        1 => (0..CELLS).prop_map(Expr::Cell),
    ]
}

/// An expression with one value for the group.
pub(super) fn uniform_expr() -> BoxedStrategy<Expr> {
    boxed(uniform_leaf().prop_recursive(2, 5, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            4 => (operator(), inner.clone(), inner).prop_map(|(op, a, b)| Expr::binary(op, a, b)),
            1 => boxed.clone().prop_map(Expr::Input),
            2 => (0..ARRAYS, boxed).prop_map(|(array, index)| Expr::Slot(array, index)),
        ]
    }))
}

pub(super) fn operator() -> impl Strategy<Value = Op> + Clone {
    use Op::{Add, And, Equal, Less, Multiply, Or, Remainder, ShiftRight, Subtract, Xor};
    select(vec![Add, Subtract, Multiply, And, Or, Xor, ShiftRight, Remainder, Less, Equal])
}

/// A condition that sometimes holds.
pub(super) fn condition(of: BoxedStrategy<Expr>) -> impl Strategy<Value = Expr> {
    let test = select(vec![Op::Less, Op::Equal, Op::And]);
    (test, of, 0..6u32).prop_map(|(op, e, value)| match op {
        Op::And => Expr::binary(Op::And, e, Expr::Constant(1)),
        op => Expr::binary(op, Expr::binary(Op::And, e, Expr::Constant(7)), Expr::Constant(value)),
    })
}

pub(super) fn count(of: BoxedStrategy<Expr>) -> impl Strategy<Value = Expr> {
    of.prop_map(|e| Expr::binary(Op::And, e, Expr::Constant(3)))
}

/// Statements of single items, valid in any block.
pub(super) fn simple() -> impl Strategy<Value = Statement> {
    prop_oneof![
        4 => (0..VARIABLES - 1, expr()).prop_map(|(variable, e)| Statement::Assign(variable, e)),
        1 => (expr(), expr()).prop_map(|(index, e)| Statement::AssignElement(index, e)),
        3 => (0..ARRAYS, expr()).prop_map(|(array, e)| Statement::StoreOwn(array, e)),
        1 => (0..OUTPUTS, expr()).prop_map(|(number, e)| Statement::Output(number, e)),
        1 => (0..CELLS, expr()).prop_map(|(cell, e)| Statement::Count(cell, e)),
        1 => (0..CELLS, expr()).prop_map(|(cell, e)| Statement::CountGlobal(cell, e)),
    ]
}

fn divergent_block(depth: u32) -> BoxedStrategy<Vec<Statement>> {
    if depth == 0 {
        return vec(simple(), 0..=2).boxed();
    }
    let statement = prop_oneof![
        6 => simple(),
        2 => divergent(depth - 1),
        1 => condition(expr()).prop_map(Statement::Break),
        1 => condition(expr()).prop_map(Statement::Continue),
        1 => condition(expr()).prop_map(Statement::Return),
    ];
    vec(statement, 0..=3).boxed()
}

/// Divergent control flow.
pub(super) fn divergent(depth: u32) -> BoxedStrategy<Statement> {
    let choice = (condition(expr()), divergent_block(depth), divergent_block(depth))
        .prop_map(|(condition, then, otherwise)| Statement::If { uniform: false, condition, then, otherwise });
    let repeat = (any::<bool>(), 0..VARIABLES - 1, count(expr()), divergent_block(depth)).prop_map(
        |(do_while, counter, count, body)| Statement::Loop(Loop { uniform: false, do_while, counter, count, body }),
    );
    let switch = (expr(), vec(divergent_block(depth), 1..=4)).prop_map(|(e, blocks)| Statement::Switch(e, blocks));
    if depth == 0 {
        return prop_oneof![3 => choice, 3 => repeat, 1 => switch].boxed();
    }
    prop_oneof![3 => choice, 3 => repeat, 1 => switch, 1 => two_loops()].boxed()
}

/// Two loops that items leave at once.
fn two_loops() -> impl Strategy<Value = Statement> {
    let some = || vec(simple(), 0..=2);
    let head = || (any::<bool>(), 0..VARIABLES - 1, count(expr()));
    let repeat = |(do_while, counter, count): (bool, usize, Expr), body: Vec<Statement>| {
        Statement::Loop(Loop { uniform: false, do_while, counter, count, body })
    };
    let inner = (head(), some(), condition(expr()), some()).prop_map(move |(head, before, condition, behind)| {
        repeat(head, [before, vec![Statement::BreakTwo(condition)], behind].concat())
    });
    (head(), some(), inner, some())
        .prop_map(move |(head, before, inner, behind)| repeat(head, [before, vec![inner], behind].concat()))
}

fn uniform_block(depth: u32, length: usize, more: Option<BoxedStrategy<Statement>>) -> BoxedStrategy<Vec<Statement>> {
    let anywhere = prop_oneof![
        8 => simple(),
        2 => (0..UNIFORMS, uniform_expr()).prop_map(|(variable, e)| Statement::AssignUniform(variable, e)),
        2 => (0..ARRAYS, permutation(), expr()).prop_map(|(array, p, e)| Statement::StorePermuted(array, p, e)),
        2 => Just(Statement::Barrier),
        3 => group_operation(),
        1 => (0..2usize, 0..VARIABLES - 1, expr(), uniform_expr())
            .prop_map(|(function, target, value, count)| Statement::Call(function, target, value, count)),
        1 => condition(expr()).prop_map(Statement::Return),
        1 => condition(uniform_expr()).prop_map(Statement::Return),
        2 => condition(uniform_expr()).prop_map(Statement::Break),
        1 => condition(uniform_expr()).prop_map(Statement::Continue),
        2 => divergent(1),
    ];
    let anywhere = match &more {
        Some(more) => prop_oneof![3 => anywhere, 2 => more.clone()].boxed(),
        None => anywhere.boxed(),
    };
    if depth == 0 {
        return vec(anywhere, 0..=3).boxed();
    }
    let statement = prop_oneof![5 => anywhere, 2 => uniform(depth - 1, more)];
    vec(statement, 1..=length).boxed()
}

/// Uniform control flow.
fn uniform(depth: u32, more: Option<BoxedStrategy<Statement>>) -> BoxedStrategy<Statement> {
    let block = uniform_block(depth, 3, more);
    let choice = (condition(uniform_expr()), block.clone(), block.clone())
        .prop_map(|(condition, then, otherwise)| Statement::If { uniform: true, condition, then, otherwise });
    let repeat =
        (any::<bool>(), 0..UNIFORMS, count(uniform_expr()), block).prop_map(|(do_while, counter, count, body)| {
            Statement::Loop(Loop { uniform: true, do_while, counter, count, body })
        });
    prop_oneof![choice, repeat].boxed()
}

fn permutation() -> impl Strategy<Value = Permutation> {
    prop_oneof![Just(Permutation::Reverse), (0..9u32).prop_map(Permutation::Rotate)]
}

fn group_operation() -> impl Strategy<Value = Statement> {
    (operation(), any::<bool>(), 0..UNIFORMS, 0..VARIABLES - 1, expr()).prop_map(|(operation, share, u, v, e)| {
        let target = if share && operation.is_uniform() { Target::Uniform(u) } else { Target::Variable(v) };
        Statement::Group(operation, target, e)
    })
}

/// An operation of a group or a sub-group.
pub(super) fn operation() -> impl Strategy<Value = GroupOperation> {
    use Combine::{BitAnd, BitOr, BitXor, Maximum, Minimum, Plus};
    let combine = select(vec![Plus, Minimum, Maximum, BitAnd, BitOr, BitXor]);
    prop_oneof![
        3 => combine.clone().prop_map(GroupOperation::Reduce),
        2 => combine.clone().prop_map(GroupOperation::InclusiveScan),
        2 => combine.prop_map(GroupOperation::ExclusiveScan),
        3 => (0..300u32).prop_map(GroupOperation::Broadcast),
        1 => Just(GroupOperation::Any),
        1 => Just(GroupOperation::All),
        1 => Just(GroupOperation::None),
        1 => (0..5u32).prop_map(GroupOperation::ShiftLeft),
        1 => (0..5u32).prop_map(GroupOperation::ShiftRight),
        1 => (0..8u32).prop_map(GroupOperation::Permute),
        1 => Just(GroupOperation::SelectReverse),
        1 => Just(GroupOperation::Select),
    ]
}
