//! Generates the kernels of the corpus: every pair of features, and most triples.
//!
//! Out: named kernels. *Invariant:* the list is constant, so that the files in `corpus/` can be
//! compared with it.

use super::{language::*, synchronize::synchronize};

/// Kernels in the corpus.
const SIZE: usize = 72;
/// Work-group sizes with which every kernel of the corpus runs.
pub const GROUP_SIZES: [u32; 5] = [1, 7, 32, 64, 256];

/// A kernel of the corpus.
pub struct Entry {
    pub name: String,
    pub dimensions: usize,
    pub kernel: Kernel,
}

/// Features of a kernel: a value of each axis, as an index into its names.
type Features = [usize; 7];

/// Names of the features. An empty name is the absence of a feature.
const AXES: [&[&str]; 7] = [
    &["", "for", "do_while", "nested_for", "divergent_for"],
    &["", "uniform_if", "divergent_if"],
    &["", "break", "continue", "return_all", "return_some"],
    &["1d", "2d", "3d"],
    &["accessor", "group_memory", "global_memory"],
    &["barrier", "reduce", "broadcast", "scan", "any_of", "atomic"],
    &["", "array", "call"],
];

// Indices of the axes.
const LOOP: usize = 0;
const CONDITION: usize = 1;
const EXIT: usize = 2;
const DIMENSIONS: usize = 3;
const MEMORY: usize = 4;
const OPERATION: usize = 5;
const STORAGE: usize = 6;

/// The whole corpus.
pub fn corpus() -> Vec<Entry> {
    let all: Vec<(Features, Vec<usize>)> = all_features().into_iter().map(|f| (f, triples(&f))).collect();
    let (mut seen, mut chosen) = (vec![false; PAIRS * PAIRS * PAIRS], Vec::new());
    while chosen.len() < SIZE {
        let new = |(_, triples): &&(Features, Vec<usize>)| triples.iter().filter(|triple| !seen[**triple]).count();
        // The first of equally good ones, so that the order of the features decides.
        let (best, triples) = all.iter().rev().max_by_key(new).expect("features");
        triples.iter().for_each(|triple| seen[*triple] = true);
        chosen.push(*best);
    }
    chosen.sort();
    chosen.iter().map(entry).collect()
}

/// All combinations of features.
fn all_features() -> Vec<Features> {
    let count: usize = AXES.iter().map(|axis| axis.len()).product();
    (0..count).map(nth_features).filter(is_possible).collect()
}

fn nth_features(mut number: usize) -> Features {
    AXES.map(|axis| {
        let value = number % axis.len();
        number /= axis.len();
        value
    })
}

fn is_possible(features: &Features) -> bool {
    let name = |axis: usize| AXES[axis][features[axis]];
    let leaves_loop = matches!(name(EXIT), "break" | "continue");
    let needs_everyone = matches!(name(OPERATION), "reduce" | "broadcast" | "scan" | "any_of");
    let leaves_nothing = leaves_loop && name(LOOP).is_empty();
    let leaves_others = name(EXIT) == "return_some" && needs_everyone;
    !leaves_nothing && !leaves_others
}

/// Number of pairs of an axis and a value.
const PAIRS: usize = 7 * 8;

/// All triples of features that occur together, encoded as numbers.
fn triples(features: &Features) -> Vec<usize> {
    let axes = (0..7usize).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| [a, b, c])));
    axes.map(|axes| axes.iter().fold(0, |number, axis| number * PAIRS + axis * 8 + features[*axis])).collect()
}

fn entry(features: &Features) -> Entry {
    let names = (0..7).map(|axis| AXES[axis][features[axis]]).filter(|name| !name.is_empty());
    let name = names.collect::<Vec<_>>().join("_");
    let name = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("straight_{name}") } else { name };
    Entry { name, dimensions: features[DIMENSIONS] + 1, kernel: synchronize(&Builder { features }.kernel()) }
}

// Variables of a kernel: `a` is exchanged between items, `b` accumulates, `c` counts the iterations
// of a divergent loop.
const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
// Uniform variables: iterations of the loop, result of a group operation, iterations of the inner
// loop.
const M: usize = 0;
const N: usize = 1;
const K: usize = 2;

fn a() -> Expr {
    Expr::Variable(A)
}

fn b() -> Expr {
    Expr::Variable(B)
}

fn uniform(variable: usize) -> Expr {
    Expr::Uniform(variable)
}

fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

fn add(a: Expr, b: Expr) -> Expr {
    Expr::binary(Op::Add, a, b)
}

fn times(a: Expr, factor: u32) -> Expr {
    Expr::binary(Op::Multiply, a, constant(factor))
}

fn bits(a: Expr, mask: u32) -> Expr {
    Expr::binary(Op::And, a, constant(mask))
}

fn equal(a: Expr, value: u32) -> Expr {
    Expr::binary(Op::Equal, a, constant(value))
}

struct Builder<'f> {
    features: &'f Features,
}

impl Builder<'_> {
    fn is(&self, axis: usize, name: &str) -> bool {
        AXES[axis][self.features[axis]] == name
    }

    /// The array through which the kernel exchanges values: 0, 1 or [`GLOBAL_ARRAY`].
    fn array(&self) -> usize {
        self.features[MEMORY]
    }

    fn kernel(&self) -> Kernel {
        let input = Expr::Input(Box::new(add(Expr::LocalLinear, Expr::GroupLinear)));
        let mut body = vec![Statement::Assign(A, input), Statement::Assign(B, Expr::Mixed(Box::new(a())))];
        body.extend(self.exit("return_all", Statement::Return(equal(Expr::GroupLinear, 1))));
        let some = Expr::binary(Op::Remainder, Expr::LocalLinear, constant(3));
        body.extend(self.exit("return_some", Statement::Return(equal(some, 2))));
        body.extend(self.loops());
        if self.is(STORAGE, "array") {
            let kept = Expr::Element(Box::new(add(Expr::LocalLinear, constant(1))));
            body.push(Statement::Assign(B, add(times(b(), 3), kept)));
        }
        body.push(Statement::Output(0, Expr::binary(Op::Xor, a(), b())));
        let functions = if self.is(STORAGE, "call") { vec![self.function()] } else { vec![] };
        Kernel { types: [Type::U32; VARIABLES], storage: Storage::Requested, functions, body }
    }

    fn exit(&self, name: &str, statement: Statement) -> Option<Statement> {
        self.is(EXIT, name).then_some(statement)
    }

    fn loops(&self) -> Vec<Statement> {
        let repeat = |uniform: bool, do_while: bool, counter: usize, count: Expr, body: Vec<Statement>| {
            Statement::Loop(Loop { uniform, do_while, counter, count, body })
        };
        match AXES[LOOP][self.features[LOOP]] {
            "for" => vec![repeat(true, false, M, Expr::Argument(0), self.round())],
            "do_while" => vec![repeat(true, true, M, bits(Expr::GroupLinear, 3), self.round())],
            "nested_for" => {
                let inner = repeat(true, false, K, add(uniform(M), constant(1)), self.round());
                let after = Statement::Assign(B, add(times(b(), 5), uniform(M)));
                vec![repeat(true, false, M, Expr::Argument(0), vec![inner, after])]
            }
            "divergent_for" => {
                let rounds = bits(Expr::LocalLinear, 3);
                let mut made = vec![repeat(false, false, C, rounds, self.divergent_round())];
                made.extend(self.step());
                made
            }
            _ => self.step(),
        }
    }

    /// An iteration of a uniform loop.
    fn round(&self) -> Vec<Statement> {
        let counter = if self.is(LOOP, "nested_for") { K } else { M };
        let mut made = Vec::new();
        made.extend(self.exit("continue", Statement::Continue(equal(uniform(counter), 1))));
        made.extend(self.step());
        // The value that ends the loop comes from another item.
        let ends = bits(Expr::Slot(self.array(), Box::new(constant(5))), 1);
        made.extend(self.exit("break", Statement::Break(ends)));
        made
    }

    fn divergent_round(&self) -> Vec<Statement> {
        let counter = || Expr::Variable(C);
        let mut made = Vec::new();
        made.extend(self.exit("continue", Statement::Continue(equal(bits(add(a(), counter()), 3), 1))));
        made.push(Statement::Assign(A, add(times(a(), 3), counter())));
        made.extend(self.exit("break", Statement::Break(equal(bits(a(), 7), 2))));
        made
    }

    /// The work of an iteration: an exchange, the operation, and an accumulation.
    fn step(&self) -> Vec<Statement> {
        let mut made = self.exchange();
        made.extend(self.operation());
        match AXES[STORAGE][self.features[STORAGE]] {
            "array" => made.push(Statement::AssignElement(add(Expr::LocalLinear, uniform(M)), a())),
            "call" => made.push(Statement::Call(0, A, add(a(), b()), add(uniform(M), constant(1)))),
            _ => {}
        }
        match AXES[CONDITION][self.features[CONDITION]] {
            "uniform_if" => {
                let condition = bits(add(Expr::GroupLinear, uniform(M)), 1);
                let otherwise = vec![Statement::Assign(B, add(b(), constant(100)))];
                vec![Statement::If { uniform: true, condition, then: made, otherwise }]
            }
            "divergent_if" => {
                let then = vec![Statement::Assign(B, times(add(b(), constant(1)), 3)), Statement::Output(1, a())];
                let otherwise = vec![Statement::CountGlobal(0, bits(a(), 15))];
                made.push(Statement::If { uniform: false, condition: bits(a(), 1), then, otherwise });
                made
            }
            _ => made,
        }
    }

    fn exchange(&self) -> Vec<Statement> {
        let neighbour = Expr::Slot(self.array(), Box::new(add(Expr::LocalLinear, constant(1))));
        vec![Statement::StoreOwn(self.array(), add(a(), b())), Statement::Assign(A, add(times(a(), 7), neighbour))]
    }

    fn operation(&self) -> Vec<Statement> {
        let group = |operation: GroupOperation, target: Target| Statement::Group(operation, target, bits(a(), 0xff));
        let use_result = || Statement::Assign(B, add(b(), uniform(N)));
        match AXES[OPERATION][self.features[OPERATION]] {
            "reduce" => vec![group(GroupOperation::Reduce(Combine::Plus), Target::Uniform(N)), use_result()],
            "broadcast" => vec![group(GroupOperation::Broadcast(5), Target::Uniform(N)), use_result()],
            "scan" => {
                let inclusive = group(GroupOperation::InclusiveScan(Combine::Plus), Target::Variable(C));
                let exclusive = group(GroupOperation::ExclusiveScan(Combine::Maximum), Target::Variable(B));
                vec![exclusive, inclusive, Statement::Assign(B, add(times(b(), 9), Expr::Variable(C)))]
            }
            "any_of" => vec![group(GroupOperation::All, Target::Uniform(N)), use_result()],
            "atomic" => vec![
                Statement::Count(0, bits(a(), 0xff)),
                Statement::Count(3, bits(a(), 0xff)),
                Statement::AssignUniform(N, add(Expr::Cell(0), Expr::Cell(3))),
                use_result(),
            ],
            _ => vec![],
        }
    }

    /// A function with barriers that exchanges its argument with neighbours.
    fn function(&self) -> Function {
        let value = || Expr::Variable(A);
        let opposite = Expr::Slot(self.array(), Box::new(add(Expr::LocalLinear, uniform(K))));
        let body = vec![
            Statement::StorePermuted(self.array(), Permutation::Reverse, value()),
            Statement::Assign(A, add(times(value(), 3), opposite)),
        ];
        let repeat = Loop { uniform: true, do_while: false, counter: K, count: bits(uniform(M), 3), body };
        Function { body: vec![Statement::Loop(repeat)], result: add(value(), uniform(M)) }
    }
}

/// The launch of a kernel with groups of `size` items, one of [`GROUP_SIZES`].
pub fn shape(dimensions: usize, size: u32) -> Shape {
    let plane = match size {
        7 => [7, 1],
        32 => [8, 4],
        64 => [16, 4],
        256 => [16, 16],
        other => [other, 1],
    };
    let solid = match size {
        7 => [1, 7, 1],
        32 => [4, 4, 2],
        64 => [4, 4, 4],
        256 => [8, 8, 4],
        other => [other, 1, 1],
    };
    match dimensions {
        1 => Shape { group: [size, 1, 1], groups: [3, 1, 1], arguments: ARGUMENTS, sub_group: None },
        2 => Shape { group: [plane[0], plane[1], 1], groups: [2, 2, 1], arguments: ARGUMENTS, sub_group: None },
        _ => Shape { group: solid, groups: [2, 1, 2], arguments: ARGUMENTS, sub_group: None },
    }
}
