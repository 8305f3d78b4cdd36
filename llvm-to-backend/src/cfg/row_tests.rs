//! Plans of small kernels for rows of lanes.

use super::{
    flow::NoRows,
    graph::{Kind, Variation},
    operation::{Exact, Fact, Operation, Shape, Term},
    plan_rows,
    rows::{End, Mask, RowPlan},
    sample::Sample,
};
use std::time::{Duration, Instant};

impl Sample {
    fn rows(&self, lanes: u32) -> Result<RowPlan, NoRows> {
        let shape = |source: &Variation| if *source == Variation::Uniform { Shape::Same } else { Shape::Any };
        let shapes: Vec<_> = self.cfg.parameters.iter().map(shape).collect();
        plan_rows(&self.cfg, &self.facts(), &shapes, [lanes, 1])
    }

    fn row_text(&self) -> String {
        self.rows(8).unwrap().text(&self.cfg).to_string()
    }

    /// The shapes of some values in a row of 8.
    fn shapes(&self, names: &str) -> String {
        let plan = self.rows(8).unwrap();
        let shape = |name: &str| plan.shapes[self.value(name).index()].to_string();
        names.split_whitespace().map(shape).collect::<Vec<_>>().join(" ")
    }

    fn facts(&self) -> Vec<Fact> {
        let other = |_| fact(Operation::Other, 64, 1);
        let instructions = self.cfg.blocks.iter().flat_map(|block| &block.instructions);
        let facts = instructions.zip(&self.texts).map(|(one, text)| match one.kind {
            Kind::Phi(_) => fact(Operation::Other, text.split_once(':').map_or(64, |_| 64), 1),
            _ => self.fact(text),
        });
        self.cfg.parameters.iter().map(other).chain(facts).collect()
    }

    fn fact(&self, text: &str) -> Fact {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (name, bits) = name.split_once(':').map_or((name, 64), |(name, bits)| (name, bits.parse().unwrap()));
        let (name, flags) = name.split_once('.').unwrap_or((name, ""));
        let exact = Exact { signed: flags.contains('s'), unsigned: flags.contains('u') };
        let terms: Vec<_> = rest.split_whitespace().filter(|_| name != "phi").map(|word| self.term(word)).collect();
        let two = || [terms[0].0, terms[1].0];
        let operation = match name {
            "lane" => Operation::Lane,
            "add" => Operation::Add(two(), exact),
            "sub" => Operation::Sub(two(), exact),
            "mul" => Operation::Mul(two(), exact),
            "shl" => Operation::Shl(two(), exact),
            "and" => Operation::And(two()),
            "xor" => Operation::Xor(two()),
            "div" | "rem" => {
                let (Term::Literal(by), of) = (terms[1].0, terms[0].0) else { panic!("{text}") };
                if name == "div" { Operation::Divide { of, by } } else { Operation::Remainder { of, by } }
            }
            "sext" | "zext" => Operation::Extend { of: terms[0].0, signed: name == "sext", from: 32 },
            "trunc" => Operation::Truncate { of: terms[0].0, to: bits, exact },
            "address" => Operation::Address { base: terms[0].0, indices: terms[1..].to_vec() },
            "select" => Operation::Select { condition: terms[0].0, values: [terms[1].0, terms[2].0] },
            "effect" => Operation::Divergent,
            "alloca" => Operation::Private { size: 16, in_lines: false },
            "line" => Operation::Line,
            _ => Operation::Other,
        };
        fact(operation, bits, if name == "effect" { 30 } else { 1 })
    }

    /// An operand and the number that it is multiplied with.
    fn term(&self, word: &str) -> (Term, i64) {
        let (word, scale) = word.split_once('*').map_or((word, 1), |(word, scale)| (word, scale.parse().unwrap()));
        let term = word.parse().map_or_else(|_| Term::Value(self.value(word)), Term::Literal);
        (term, scale)
    }
}

fn fact(operation: Operation, bits: u32, cost: u32) -> Fact {
    Fact { operation, needs_lane: false, cost, bits, range: None }
}

/// An `if` in a loop that lanes leave in different rounds, as in a picture of the Mandelbrot set.
const ESCAPE: &str = "
    uniform n, uniform out
    entry: x = lane; p = address out x*4; c = pure x; jump -> head
    head: i = phi entry:- latch:i2; a = phi entry:c latch:a2; in = pure a; branch in -> then latch
    then: b = pure a c; jump -> latch
    latch: a2 = phi head:a then:b; i2 = add i 1; less = pure i2 n; go = pure a2 less; branch go -> head done
    done: count = phi latch:i2; store p count; return";

#[test]
fn a_divergent_loop_runs_until_no_lane_is_left() {
    let expected = "\
parameters: v0 same v1 same
b0: all lanes
    v2 linear(1) v3 linear(4) v4 any
    edges b1+mask; go to b1
b1: own lanes
    v6 same v7 any v8 any
    edges b2+mask b3; go to b2
b2: own lanes
    v10 any
    edges b3+blend; go to b3
b3: lanes of b1
    v12 any v13 same v14 same v15 any
    edges b1+mask b4+blend; again from b1, then b4
b4: all lanes
    v17 any
    edges; return
";
    assert_eq!(Sample::new(ESCAPE).row_text(), expected);
}

/// A sum under a condition that differs between lanes.
const SUM: &str = "
    uniform n, uniform data
    entry: x = lane; c = pure x; branch c -> before end
    before: jump -> head
    head: k = phi before:- head:k2; s = phi before:- head:s2; p = address data k*32 x*4; v = load p; s2 = pure s v; k2 = add k 1; more = pure k2 n; branch more -> head behind
    behind: s3 = phi head:s2; jump -> end
    end: r = phi entry:- behind:s3; q = address data x*4; store q r; return";

#[test]
fn a_uniform_loop_is_skipped_without_lanes() {
    let expected = "\
parameters: v0 same v1 same
b0: all lanes
    v2 linear(1) v3 any
    edges b1+mask b4; go to b1
b1: own lanes, or skip to b4
    edges b2; go to b2
b2: lanes of b1
    v6 same v7 any v8 linear(4) v9 any v10 any v11 same v12 same
    edges b2 b3; branch to b2 b3
b3: lanes of b1
    v14 any
    edges b4+blend; go to b4
b4: all lanes
    v16 any v17 linear(4)
    edges; return
";
    assert_eq!(Sample::new(SUM).row_text(), expected);
}

/// The plan of a kernel that is refused.
fn refused(text: &str) -> String {
    Sample::new(text).rows(8).unwrap_err().to_string()
}

#[test]
fn code_that_is_not_canonical_is_refused() {
    let cases = [
        ("entry: branch u -> a b\n a: return\n b: return", "it has 2 returns"),
        ("entry: jump -> spin\n spin: jump -> spin", "a loop never reaches the end of the kernel"),
        (
            "entry: branch u -> a b\n a: branch u -> b out\n b: branch u -> a out\n out: return",
            "a loop has several entries",
        ),
        (
            "entry: branch u -> head out\n head: branch u -> head out\n out: return",
            "a loop has no preheader, or several latches",
        ),
        (
            "entry: branch u -> in out\n in: jump -> head\n head: branch u -> head out\n out: return",
            "a block is reached from a loop and from elsewhere",
        ),
        (
            "entry: jump -> head\n head: x = effect; branch u -> head out\n out: effect x; return",
            "a value leaves its loop without a phi",
        ),
        ("entry: effect -> a b\n a: jump -> b\n b: return", "a block does not end in a branch"),
    ];
    cases.iter().for_each(|(text, reason)| assert_eq!(refused(&format!("uniform u\n {text}")), *reason));
}

#[test]
fn a_row_of_one_lane_has_one_value_of_each() {
    let plan = Sample::new(ESCAPE).rows(1).unwrap();
    assert!(plan.shapes.iter().all(|shape| *shape == Shape::Same));
    assert!(plan.blocks.iter().all(|block| block.mask == Mask::Entry && block.skip.is_none()));
    assert!(!plan.blocks.iter().any(|block| matches!(block.end, End::Again { .. })));
}

#[test]
fn narrow_values_are_linear_as_long_as_they_do_not_wrap() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = lane; t = trunc:32 x; wide = sext t; a = add:32 t u; b = add.s:32 t u; c = add.u:32 t u; s = sext b; z = zext b; y = zext c; w = add x u; m = mul w 12; n = sub u w; e = sub w x; effect t wide a b c s z y w m n e; return",
    );
    assert_eq!(sample.shapes("t wide a b c"), "linear(1) linear(1) any linear(1) linear(1, unsigned)");
    assert_eq!(sample.shapes("s z y"), "linear(1) any linear(1)");
    assert_eq!(sample.shapes("w m n e"), "linear(1) linear(12) linear(-1) same");
}

#[test]
fn lines_that_begin_at_multiples_carry_no_further() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = lane; g = mul u 16; i = add g x; t = trunc:32 i; q = div x 16; r = rem x 16; a = and i 15; h = and i -8; \
         l = and i 23; c = div t 24; m = rem t 24; k = rem:32 t 64; v = and t -16; n = xor x -1; f = xor i 8; \
         b = xor i 7; effect q r a h l c m k v n f b; return",
    );
    assert_eq!(sample.shapes("q r a h l"), "same linear(1) linear(1) same linear(1)");
    assert_eq!(sample.shapes("c m k v n f b"), "same linear(1) linear(1) same linear(-1) linear(1) linear(-1)");
}

#[test]
fn lines_that_begin_elsewhere_carry() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = lane; i = add x u; e = mul x 2; f = sub u x; q = div i 16; r = rem i 16; a = and i 15; \
         h = and i -8; n = div x 4; o = rem x 12; p = div e 8; b = and e 7; w = and x 5; z = div f 64; s = xor i 7; \
         t = xor x 5; v = xor x 3; effect q r a h n o p b w z s t v; return",
    );
    let shapes = sample.shapes("q r a h n o p b w z s t v");
    assert!(shapes.split(' ').all(|shape| shape == "any"), "{shapes}");
}

#[test]
fn a_reading_stays_that_of_the_operands() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = lane; s = trunc:32 u; t = trunc:32 x; v = sub.u:32 s t; effect v; return",
    );
    let mut facts = sample.facts();
    // The operand `s` may be negative although the difference is not.
    facts[sample.value("v").index()].range = Some((45, 52));
    let plan = plan_rows(&sample.cfg, &facts, &[Shape::Same, Shape::Any], [8, 1]).unwrap();
    assert_eq!(plan.shapes[sample.value("v").index()], Shape::Linear { step: -1, signed: false });
}

#[test]
fn addresses_follow_their_indices() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = lane; t = trunc:32 x; v = add.u:32 t u; p = address u x*8 t*4; q = address u v*4; r = address d x*4; o = alloca; k = load p; l = load u; effect p q r o k l; return",
    );
    assert_eq!(sample.shapes("p q r o k l"), "linear(12) any any linear(16) any same");
}

#[test]
fn counters_step_by_what_is_the_same() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = lane; jump -> head
         head: i = phi entry:x head:i2; j = phi entry:x head:j2; i2 = add i u; j2 = add j x; more = pure u; branch more -> head out
         out: k = phi head:i; effect k; return",
    );
    assert_eq!(sample.shapes("i i2 j j2 k"), "linear(1) linear(1) any any linear(1)");
}

#[test]
fn a_trap_comes_before_the_code_that_all_others_run() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: c = pure d; branch c -> next fail
         next: e = effect d; branch u -> left right
         left: jump -> join
         right: jump -> join
         join: return
         fail: effect d; jump -> dead
         dead: unreachable",
    );
    let plan = sample.rows(8).unwrap();
    let order: Vec<_> = plan.blocks.iter().map(|block| block.block).collect();
    assert_eq!(order[..3], ["entry", "fail", "next"].map(|label| sample.block(label)));
    assert_eq!((plan.blocks[1].skip, &plan.blocks[1].end), (Some(sample.block("next")), &End::Never));
    assert!(plan.blocks.iter().all(|block| block.mask == Mask::Entry || block.end == End::Never));
}

#[test]
fn values_of_a_loop_are_forgotten_in_each_round() {
    let sample = Sample::new(ESCAPE);
    let forgotten = |label: &str| {
        let plan = sample.rows(8).unwrap();
        let block = plan.blocks.into_iter().find(|block| block.block == sample.block(label)).unwrap();
        sample.names(&block.forgotten)
    };
    assert_eq!((forgotten("entry").as_str(), forgotten("head").as_str()), ("", "in b i2 less go"));
}

/// A long kernel: a sequence of divergent diamonds and loops.
fn long_kernel() -> Sample {
    let mut text = String::from("uniform u, divergent d\n entry: x = lane; jump -> h0\n");
    for k in 0..200 {
        let before = if k == 0 { "entry".into() } else { format!("o{}", k - 1) };
        let work: String = (0..80).map(|i| format!("w{k}x{i} = add x {i}; ")).collect();
        text += &format!("h{k}: i{k} = phi {before}:- m{k}:j{k}; {work}a{k} = pure i{k} d; branch a{k} -> l{k} r{k}\n");
        text += &format!("l{k}: b{k} = pure i{k} d; jump -> m{k}\n r{k}: jump -> m{k}\n");
        text += &format!(
            "m{k}: p{k} = phi l{k}:b{k} r{k}:-; j{k} = add i{k} 1; c{k} = pure p{k}; branch c{k} -> h{k} o{k}\n"
        );
        text += &format!("o{k}: q{k} = phi m{k}:p{k}; effect q{k} w0; jump -> h{}\n", k + 1).replace(" w0;", ";");
    }
    Sample::new(&(text + "h200: effect x; return"))
}

#[test]
fn long_kernels_are_planned_quickly() {
    let sample = long_kernel();
    let facts = sample.facts();
    let begin = Instant::now();
    let plan = plan_rows(&sample.cfg, &facts, &[Shape::Same, Shape::Any], [8, 1]).unwrap();
    let taken = begin.elapsed();
    let again = plan.blocks.iter().filter(|block| matches!(block.end, End::Again { .. })).count();
    assert_eq!((plan.blocks.len(), again), (1002, 200));
    assert!(taken < Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 }), "{taken:?}");
    println!("{} values planned in {taken:?}", facts.len());
}

/// A row would wait at `b1` before the lanes of `right` have done their part.
const APART: &str = "
    uniform u, divergent d
    entry: x = effect; branch d -> left right
    left: l = effect; b1 = barrier; effect l; jump -> meet
    right: r = effect; b2 = barrier; effect r; jump -> meet
    meet: return";

#[test]
fn lanes_that_wait_at_different_barriers_are_told() {
    let waits = |text: &str| {
        let sample = Sample::new(text);
        sample.rows(8).unwrap().waits_too_early(&sample.cfg).is_some()
    };
    assert!(waits(APART));
    assert_eq!([1, 2].map(|n| waits(&APART.replace(&format!("b{n} = barrier; "), ""))), [true, false]);
    // The same for all lanes of a group, or for all that have not returned.
    assert!(!waits(&APART.replace("branch d", "branch u")));
    let returns = "divergent d
        entry: x = effect; branch d -> out stay
        stay: b1 = barrier; effect x; jump -> out
        out: return";
    assert!(!waits(returns));
    let loops = "divergent d
        entry: jump -> head
        head: b1 = barrier; effect; branch d -> head out
        out: return";
    assert!(!waits(loops));
}
