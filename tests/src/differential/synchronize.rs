//! Inserts barriers between racing accesses of different items, and removes invalid statements.
//!
//! In: any kernel of the generators. Out: a kernel without data races, whose barriers are reached
//! by all items that have not returned, and whose group operations precede any return, as do those
//! of sub-groups that read single items.
//! *Invariant:* unknown facts are assumed to be the worst case, so there may be a redundant barrier
//! but never a missing one. [`super::interpret`] checks that while it runs.

use super::language::{ARRAYS, Expr, Function, GroupOperation, Kernel, Loop, Statement, VARIABLES};

/// Accesses since the last barrier, as a bit set: four bits for each array, then two for the cells.
type Accesses = u32;
const OWN_READ: Accesses = 1;
const OWN_WRITE: Accesses = 2;
const ANY_READ: Accesses = 4;
const PERMUTED: Accesses = 8;
const COUNTED: Accesses = 1 << (4 * ARRAYS);
const CELL_READ: Accesses = 2 << (4 * ARRAYS);
const EVERYTHING: Accesses = (4 << (4 * ARRAYS)) - 1;
/// Variable for a value that is computed before a barrier and stored after it.
const SPARE: usize = VARIABLES - 1;

/// Makes a kernel valid.
pub fn synchronize(kernel: &Kernel) -> Kernel {
    let mut functions: Vec<Function> = kernel.functions.clone();
    for number in (0..functions.len()).rev() {
        let mut walk = Walk { functions: &functions, first: number + 1, accesses: EVERYTHING, ..Walk::default() };
        let mut body = walk.block(&functions[number].body, Place { function: true, ..Place::OUTSIDE });
        // An early return needs a result that reads no memory of other items.
        if touched_by(&functions[number].result) != 0 {
            body.extend(walk.plain(&Statement::Assign(0, functions[number].result.clone())));
            functions[number].result = Expr::Variable(0);
        }
        functions[number].body = body;
    }
    let mut walk = Walk { functions: &functions, ..Walk::default() };
    let body = walk.block(&kernel.body, Place::OUTSIDE);
    Kernel { types: kernel.types, storage: kernel.storage, functions, body }
}

/// Position of a statement.
#[derive(Clone, Copy)]
struct Place {
    function: bool,
    /// `Some` if `break` and `continue` reach a loop, with true for one whose items leave it
    /// together.
    around: Option<bool>,
    /// True if that loop and the one around it are of single items.
    two: bool,
    /// The operations of sub-groups that are possible.
    sub_group: Possible,
}

impl Place {
    const OUTSIDE: Place = Place { function: false, around: None, two: false, sub_group: Possible::All };
}

/// Operations of a sub-group that are possible in a block.
#[derive(Clone, Copy, PartialEq)]
enum Possible {
    /// Its items reach the block together.
    All,
    /// Some of them may have returned.
    OfTheRest,
    /// Some of them may be elsewhere.
    None,
}

impl Possible {
    fn allows(self, operation: GroupOperation) -> bool {
        match self {
            Possible::All => true,
            Possible::OfTheRest => !operation.needs_everyone(),
            Possible::None => false,
        }
    }
}

#[derive(Default)]
struct Walk<'k> {
    functions: &'k [Function],
    /// The first function that may be called at this position.
    first: usize,
    accesses: Accesses,
    /// True if an item may have returned while others continue.
    returned: bool,
}

impl Walk<'_> {
    fn block(&mut self, statements: &[Statement], place: Place) -> Vec<Statement> {
        statements.iter().flat_map(|statement| self.statement(statement, place)).collect()
    }

    fn statement(&mut self, statement: &Statement, place: Place) -> Vec<Statement> {
        match statement {
            Statement::Barrier => self.barrier(),
            Statement::If { uniform: true, condition, then, otherwise } => {
                let mut made = self.barrier_before(touched_by(condition));
                let before = self.accesses;
                let then = self.block(then, place);
                let after_then = std::mem::replace(&mut self.accesses, before);
                let otherwise = self.block(otherwise, place);
                self.accesses |= after_then;
                made.push(Statement::If { uniform: true, condition: condition.clone(), then, otherwise });
                made
            }
            Statement::Loop(l) if l.uniform => self.uniform_loop(l, place),
            Statement::If { .. } | Statement::Loop(_) | Statement::Switch(..) => self.divergent(statement, place),
            Statement::BreakTwo(_) => vec![],
            Statement::Vote { .. } | Statement::Rounds(_) => self.divergent(statement, place),
            Statement::SubGroup(operation, ..) if self.returned && operation.needs_everyone() => vec![],
            Statement::Break(e) | Statement::Continue(e) => {
                let allowed = place.around.is_some_and(|uniform| !uniform || e.is_uniform());
                if allowed { self.plain(statement) } else { vec![] }
            }
            Statement::Return(e) if place.function && !e.is_uniform() => vec![],
            Statement::Return(e) => {
                let made = self.plain(statement);
                self.returned |= !e.is_uniform();
                made
            }
            Statement::Group(..) | Statement::Call(..) => self.collective(statement),
            _ => self.plain(statement),
        }
    }

    fn barrier(&mut self) -> Vec<Statement> {
        self.accesses = 0;
        vec![Statement::Barrier]
    }

    /// Records accesses, after a barrier if they conflict with earlier ones.
    fn barrier_before(&mut self, accesses: Accesses) -> Vec<Statement> {
        let made = if conflict(self.accesses, accesses) { self.barrier() } else { vec![] };
        self.accesses |= accesses;
        made
    }

    fn plain(&mut self, statement: &Statement) -> Vec<Statement> {
        let (reads, all) = (reads(statement), touched(statement));
        if !conflict(all & !reads, reads) {
            let mut made = self.barrier_before(all);
            made.push(statement.clone());
            return made;
        }
        let value = statement.expressions()[0].clone();
        let mut made = self.barrier_before(reads);
        made.push(Statement::Assign(SPARE, value));
        made.extend(self.barrier());
        let store = with_value(statement, Expr::Variable(SPARE));
        self.accesses = touched(&store);
        made.push(store);
        made
    }

    /// Group operations are undefined once an item has returned.
    fn collective(&mut self, statement: &Statement) -> Vec<Statement> {
        let refused = match statement {
            Statement::Call(function, ..) => {
                *function < self.first
                    || *function >= self.functions.len()
                    || (self.returned && self.needs_everyone(&self.functions[*function].body))
            }
            _ => self.returned,
        };
        if refused {
            return self.barrier();
        }
        let made = self.plain(statement);
        if matches!(statement, Statement::Call(..)) {
            self.accesses = EVERYTHING;
        }
        made
    }

    fn needs_everyone(&self, body: &[Statement]) -> bool {
        body.iter().any(|s| {
            s.any(&|s| match s {
                Statement::Group(..) => true,
                Statement::SubGroup(operation, ..) => operation.needs_everyone(),
                Statement::Call(function, ..) => self.needs_everyone(&self.functions[*function].body),
                _ => false,
            })
        })
    }

    fn uniform_loop(&mut self, l: &Loop, place: Place) -> Vec<Statement> {
        let mut made = self.barrier_before(touched_by(&l.count));
        self.accesses |= l.body.iter().fold(0, |all, s| all | touched(s));
        let calls = |s: &Statement| matches!(s, Statement::Call(..));
        if l.body.iter().any(|s| s.any(&calls)) {
            self.accesses = EVERYTHING;
        }
        let around = self.accesses;
        self.returned |= l.body.iter().any(may_return_alone);
        let body = self.block(&l.body, Place { around: Some(true), ..place });
        self.accesses |= around;
        made.push(Statement::Loop(Loop { body, ..l.clone() }));
        made
    }

    /// A divergent block cannot have a barrier, so writes that conflict with reads in it are
    /// dropped.
    fn divergent(&mut self, statement: &Statement, place: Place) -> Vec<Statement> {
        let around = place.around.filter(|uniform| !uniform);
        let inner = reads_inside(statement);
        let returned = self.returned || statement.any(&|s| matches!(s, Statement::Return(_)));
        let sub_group = if returned { Possible::OfTheRest } else { Possible::All };
        let Some(statement) = unsynchronized(statement, inner, Place { around, sub_group, ..place }) else {
            return vec![];
        };
        self.returned |= statement.any(&|s| matches!(s, Statement::Return(_)));
        let mut made = self.barrier_before(touched(&statement));
        made.push(statement);
        made
    }
}

/// A statement of a divergent block, without its invalid parts.
fn unsynchronized(statement: &Statement, reads: Accesses, place: Place) -> Option<Statement> {
    let block = |statements: &[Statement], place: Place| -> Vec<Statement> {
        statements.iter().filter_map(|s| unsynchronized(s, reads, place)).collect()
    };
    let apart = Place { sub_group: Possible::None, around: place.around.filter(|uniform| !uniform), ..place };
    match statement {
        Statement::If { condition, then, otherwise, .. } => {
            let (then, otherwise) = (block(then, apart), block(otherwise, apart));
            Some(Statement::If { uniform: false, condition: condition.clone(), then, otherwise })
        }
        Statement::Loop(l) => {
            let two = place.around == Some(false);
            let body = block(&l.body, Place { around: Some(false), two, ..apart });
            Some(Statement::Loop(Loop { uniform: false, body, ..l.clone() }))
        }
        Statement::Switch(e, blocks) => {
            let blocks = blocks.iter().map(|inner| block(inner, apart)).collect();
            Some(Statement::Switch(e.clone(), blocks))
        }
        Statement::BreakTwo(_) if !place.two => None,
        Statement::Vote { .. } | Statement::Rounds(_) if place.sub_group == Possible::None => None,
        Statement::Vote { all, condition, then, otherwise } => {
            let (then, otherwise) = (block(then, place), block(otherwise, place));
            Some(Statement::Vote { all: *all, condition: condition.clone(), then, otherwise })
        }
        Statement::Rounds(l) => {
            let body = block(&l.body, Place { around: Some(true), ..place });
            Some(Statement::Rounds(Loop { uniform: false, body, ..l.clone() }))
        }
        Statement::SubGroup(operation, ..) if !place.sub_group.allows(*operation) => None,
        Statement::Break(_) | Statement::Continue(_) if place.around.is_none() => None,
        Statement::Break(e) | Statement::Continue(e) if place.around == Some(true) && !e.is_uniform() => None,
        Statement::Return(_) if place.function => None,
        Statement::StorePermuted(..) | Statement::AssignUniform(..) => None,
        Statement::Barrier | Statement::Group(..) | Statement::Call(..) => None,
        Statement::StoreOwn(..) | Statement::Count(..) if conflict(writes(statement), reads) => None,
        _ => Some(statement.clone()),
    }
}

/// True if some items may return in a statement of a uniform block while others continue.
fn may_return_alone(statement: &Statement) -> bool {
    match statement {
        Statement::Return(e) => !e.is_uniform(),
        Statement::If { uniform: true, .. } | Statement::Loop(Loop { uniform: true, .. }) => {
            statement.blocks().into_iter().flatten().any(may_return_alone)
        }
        _ => statement.any(&|s| matches!(s, Statement::Return(_))),
    }
}

/// True if two accesses of different items may race.
fn conflict(before: Accesses, after: Accesses) -> bool {
    let array = |number: usize| {
        let (a, b) = (before >> (4 * number) & 15, after >> (4 * number) & 15);
        let one_way =
            |a: Accesses, b: Accesses| (a & OWN_WRITE != 0 && b & ANY_READ != 0) || (a & PERMUTED != 0 && b != 0);
        one_way(a, b) || one_way(b, a)
    };
    let cells = |a: Accesses, b: Accesses| a & COUNTED != 0 && b & CELL_READ != 0;
    (0..ARRAYS).any(array) || cells(before, after) || cells(after, before)
}

fn touched_by(expr: &Expr) -> Accesses {
    let mut all = 0;
    expr.visit(&mut |e| {
        all |= match e {
            Expr::Own(array) => OWN_READ << (4 * array),
            Expr::Slot(array, _) => ANY_READ << (4 * array),
            Expr::Cell(_) => CELL_READ,
            _ => 0,
        };
    });
    all
}

/// Reads of a statement itself.
fn reads(statement: &Statement) -> Accesses {
    statement.expressions().into_iter().fold(0, |all, e| all | touched_by(e))
}

fn writes(statement: &Statement) -> Accesses {
    match statement {
        Statement::StoreOwn(array, _) => OWN_WRITE << (4 * array),
        Statement::StorePermuted(array, ..) => PERMUTED << (4 * array),
        Statement::Count(..) => COUNTED,
        _ => 0,
    }
}

fn reads_inside(statement: &Statement) -> Accesses {
    let mut all = 0;
    statement.visit(&mut |s| all |= reads(s));
    all
}

/// Accesses of a statement and of nested ones.
fn touched(statement: &Statement) -> Accesses {
    let mut all = 0;
    statement.visit(&mut |s| all |= reads(s) | writes(s));
    all
}

fn with_value(statement: &Statement, value: Expr) -> Statement {
    match statement {
        Statement::StoreOwn(array, _) => Statement::StoreOwn(*array, value),
        Statement::StorePermuted(array, permutation, _) => Statement::StorePermuted(*array, *permutation, value),
        Statement::Count(cell, _) => Statement::Count(*cell, value),
        other => other.clone(),
    }
}
