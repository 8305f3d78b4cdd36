//! Runs random kernels lane by lane and as rows, and compares what they do.
//!
//! *Invariant:* each lane runs the same blocks with the same values in both. Faults that are put
//! into the analyses or the plan on purpose are found soon.

use super::{
    dominators::Graph,
    graph::BlockId,
    jumps::Source,
    lane_items::{Item, observe},
    lane_program::{LaneProgram, PARAMETERS},
    layout::Layout,
    loop_forest::Forest,
    operation::{Operation, Shape},
    plan_rows::plan_by,
    row_run::{Checked, Counts, LANES, LINES, Row},
    rows::{End, Mask, RowBlock, RowPlan},
    shapes::{RULES, Rule},
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

/// A deliberate fault.
type Fault = fn(&LaneProgram, &mut RowPlan);

/// How often random programs have a property.
#[derive(Default, Debug)]
struct Tally {
    programs: usize,
    left_out: usize,
    blocks: usize,
    loops: usize,
    again: usize,
    kept: usize,
    folded: usize,
    trapped: usize,
    entry: usize,
    counts: Counts,
}

fn words() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 20..6000)
}

/// Plans and runs the program made of `words`.
fn check(words: &[u32], rules: &[Rule], fault: Option<Fault>, tally: &mut Tally) -> Checked<()> {
    let mut source = Source::new(words);
    let length = if source.chance(50) { LANES } else { LANES / LINES };
    let made = LaneProgram::new(&mut source, length as u64);
    let Some((program, items)) = made.and_then(|mut program| {
        let items = observe(&mut program, LANES as u64, &mut source)?;
        Some((program, items))
    }) else {
        tally.left_out += 1;
        return Ok(());
    };
    let shapes = PARAMETERS.map(|(shape, ..)| shape);
    let plan = plan_by(rules, &program.cfg, &program.facts, &shapes, [LANES, LANES / length].map(|count| count as u32));
    let mut plan = plan.map_err(|error| TestCaseError::fail(error.to_string()))?;
    if let Some(fault) = fault {
        fault(&program, &mut plan);
    }
    let mut row = Row::new(&program, &plan);
    row.all_edges = source.chance(50);
    row.run()?;
    compare(&row, &items)?;
    tally.add(&program, &plan, &row);
    Ok(())
}

/// Compares the lanes of a row with those that ran alone.
fn compare(row: &Row<'_>, alone: &[Item]) -> Checked<()> {
    prop_assert_eq!(row.trapped != 0, alone.iter().any(|item| item.trapped));
    for (lane, (together, alone)) in row.items.iter().zip(alone).enumerate() {
        let ended = row.trapped == 0 || row.trapped & (1 << lane) != 0;
        let events = if ended { alone.events.len() } else { together.events.len().min(alone.events.len()) };
        prop_assert_eq!(&together.events[..], &alone.events[..events], "lane {}", lane);
        prop_assert!(row.trapped & (1 << lane) == 0 || alone.trapped);
    }
    Ok(())
}

impl Tally {
    fn add(&mut self, program: &LaneProgram, plan: &RowPlan, row: &Row<'_>) {
        self.programs += 1;
        self.blocks += plan.blocks.len();
        self.loops += Forest::of(&Graph::of_blocks(&Layout::of(&program.cfg)), 0).loops.len();
        self.trapped += usize::from(row.trapped != 0);
        for block in &plan.blocks {
            let mut ways = program.cfg.blocks[block.block.index()].successors.clone();
            ways.dedup();
            match block.end {
                End::Again { .. } => self.again += 1,
                End::Branch(_) => self.kept += 1,
                End::Go(_) if ways.len() > 1 => self.folded += 1,
                _ => {}
            }
            self.entry += usize::from(block.mask == Mask::Entry);
        }
        let (sum, more) = (&mut self.counts, &row.counts);
        sum.runs += more.runs;
        sum.empty += more.empty;
        sum.skipped += more.skipped;
        sum.edges += more.edges;
        sum.whole += more.whole;
        sum.shared += more.shared;
        sum.linear += more.linear;
        sum.in_lines += more.in_lines;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_row_does_what_its_lanes_do(words in words()) {
        check(&words, &RULES, None, &mut Tally::default())?;
    }
}

/// The number of random programs of `count` that are run before one fails, and what they are like.
fn right(count: usize, rules: &[Rule], fault: Option<Fault>) -> (usize, Tally) {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut tally = Tally::default();
    let mut programs = std::iter::repeat_with(|| words().new_tree(&mut runner).unwrap().current()).take(count);
    let wrong = programs.position(|words| check(&words, rules, fault, &mut tally).is_err());
    (wrong.unwrap_or(count), tally)
}

#[test]
fn random_rows_are_of_all_sorts() {
    let (count, tally) = right(400, &RULES, None);
    println!("{tally:?}");
    assert_eq!(count, 400);
    let Tally { programs, loops, again, kept, folded, trapped, entry, counts, .. } = tally;
    assert!(programs > 200 && loops > again + 200, "{tally:?}");
    let Counts { empty, skipped, edges, whole, shared, linear, in_lines, .. } = counts;
    let often = [again, kept, folded, entry, empty, skipped, edges - whole, whole, shared, linear, in_lines];
    assert!(trapped >= 10 && often.iter().all(|&count| count >= 100), "{tally:?}");
}

/// Checks that a fault is found within 400 programs.
#[track_caller]
fn found(rules: &[Rule], fault: Option<Fault>) {
    let (count, _) = right(400, rules, fault);
    println!("found after {count} programs");
    assert!(count < 400);
}

#[test]
fn a_missing_rule_is_found() {
    found(&RULES[1..], None);
    found(&RULES[..1], None);
}

#[test]
fn a_missing_skip_is_found() {
    found(&RULES, Some(|_, plan| plan.blocks.iter_mut().for_each(|block| block.skip = None)));
    found(&RULES, Some(enter_uniform_loops));
}

/// Removes the skips that jump over headers of uniform loops.
fn enter_uniform_loops(program: &LaneProgram, plan: &mut RowPlan) {
    let forest = Forest::of(&Graph::of_blocks(&Layout::of(&program.cfg)), 0);
    let place = |id: BlockId| plan.blocks.iter().position(|block| block.block == id);
    let again =
        |id: BlockId| plan.blocks.iter().any(|block| matches!(block.end, End::Again { header, .. } if header == id));
    let headers = forest.loops.iter().map(|one| one.header).filter(|&header| !again(header));
    let uniform: Vec<_> = headers.filter_map(place).collect();
    let skipped = |(at, block): (usize, &RowBlock)| {
        let to = block.skip.and_then(place)?;
        uniform.iter().any(|header| (at..to).contains(header)).then_some(at)
    };
    let wrong: Vec<_> = plan.blocks.iter().enumerate().filter_map(skipped).collect();
    wrong.into_iter().for_each(|at| plan.blocks[at].skip = None);
}

#[test]
fn a_wrong_mask_is_found() {
    found(&RULES, Some(|_, plan| plan.blocks.iter_mut().for_each(|block| block.mask = Mask::Entry)));
    let edges: [Fault; 2] = [
        |_, plan| plan.blocks.iter_mut().flat_map(|block| &mut block.edges).for_each(|edge| edge.whole = true),
        |_, plan| plan.blocks.iter_mut().flat_map(|block| &mut block.edges).for_each(|edge| edge.mask = false),
    ];
    edges.into_iter().for_each(|fault| found(&RULES, Some(fault)));
}

#[test]
fn a_forgotten_value_is_found() {
    found(
        &RULES,
        Some(|program, plan| {
            let layout = Layout::of(&program.cfg);
            let values: Vec<_> = layout.instructions(BlockId(0)).map(|(value, _)| value).collect();
            let headers = plan.blocks.iter_mut().filter(|block| !block.forgotten.is_empty());
            headers.for_each(|block| block.forgotten.extend(&values));
        }),
    );
}

#[test]
fn a_wrong_shape_is_found() {
    let linear: [Fault; 4] = [
        |_, plan| {
            replace(plan, |shape| {
                if let Shape::Linear { signed, .. } | Shape::LinearInLine { signed, .. } = shape {
                    *signed = !*signed
                }
            })
        },
        |_, plan| {
            replace(plan, |shape| {
                if let Shape::LinearInLine { step, signed } = *shape {
                    *shape = Shape::Linear { step, signed }
                }
            })
        },
        |_, plan| {
            replace(plan, |shape| {
                if *shape == Shape::SameInLine {
                    *shape = Shape::Same
                }
            })
        },
        |_, plan| {
            replace(plan, |shape| {
                if let Shape::Linear { .. } = shape {
                    *shape = Shape::Same
                }
            })
        },
    ];
    linear.into_iter().for_each(|fault| found(&RULES, Some(fault)));
}

#[test]
fn a_base_that_wraps_is_found() {
    found(&RULES, Some(|_, plan| plan.cut.fill(false)));
}

#[test]
fn a_carry_is_found() {
    let faults: [Fault; 2] = [
        |program, plan| {
            for (shape, fact) in plan.shapes.iter_mut().zip(&program.facts) {
                if matches!((&fact.operation, &shape), (Operation::Divide { .. }, Shape::Any)) {
                    *shape = Shape::Same;
                }
            }
        },
        |program, plan| {
            for (cut, fact) in plan.cut.iter_mut().zip(&program.facts) {
                *cut &= !matches!(fact.operation, Operation::And(_) | Operation::Xor(_));
            }
        },
    ];
    faults.into_iter().for_each(|fault| found(&RULES, Some(fault)));
}

fn replace(plan: &mut RowPlan, by: impl Fn(&mut Shape)) {
    plan.shapes.iter_mut().skip(PARAMETERS.len()).for_each(by);
}
