//! Results of each analysis on small functions.

use super::dominators::{Tree, going_on};
use super::graph::ValueId;
use super::layout::Layout;
use super::plan::{BarrierPlan, Tracking, plan};
use super::regions::Regions;
use super::sample::Sample;
use super::uniformity::Uniformity;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

impl Sample {
    fn plan(&self) -> BarrierPlan {
        plan(&self.cfg)
    }

    fn uniform(&self, names: &str) -> Vec<bool> {
        let layout = Layout::of(&self.cfg);
        let uniformity = Uniformity::of(&layout);
        names.split_whitespace().map(|name| uniformity.is_uniform(self.value(name))).collect()
    }

    fn live(&self, state: usize) -> String {
        self.names(&self.plan().states[state].live)
    }

    fn recomputed(&self, state: usize) -> String {
        self.names(&self.plan().states[state].recomputed)
    }

    fn objects(&self) -> String {
        self.names(&self.plan().objects)
    }

    fn next(&self) -> Vec<Vec<u32>> {
        self.plan().states.iter().map(|state| state.next.iter().copied().collect()).collect()
    }

    fn tracking(&self) -> Tracking {
        self.plan().tracking
    }
}

/// A loop with a uniform trip count that reduces in local memory, with an `if` for half of the
/// items.
const REDUCTION: &str = "
    uniform n, divergent id
    entry: a = effect; b0 = barrier; jump -> head
    head: i = phi entry:- latch:j; c = cheap i n; branch c -> body done
    body: d = cheap id i; branch d -> half latch
    half: v = effect a; store a v; jump -> latch
    latch: b1 = barrier; j = cheap i; jump -> head
    done: effect a; return";

#[test]
fn a_reduction_goes_on_in_step() {
    let sample = Sample::new(REDUCTION);
    assert_eq!(sample.tracking(), Tracking::Uniform);
    assert_eq!(sample.next(), [vec![1], vec![0, 2], vec![0, 2]]);
    assert_eq!((sample.live(1), sample.live(2)), ("a".into(), "a i".into()));
    assert_eq!(sample.uniform("n id i c j d v"), [true, false, true, true, true, false, false]);
}

#[test]
fn a_kernel_without_barriers_has_one_state() {
    let plan = Sample::new("divergent d\n entry: branch d -> a b\n a: return\n b: return").plan();
    assert_eq!(plan.states.len(), 1);
    assert_eq!(plan.states[0].next, BTreeSet::from([0]));
    assert_eq!((plan.tracking, plan.kept.len(), plan.objects.len()), (Tracking::Uniform, 0, 0));
}

#[test]
fn an_early_return_must_be_remembered() {
    let early = |source: &str| {
        let text = "SOURCE d\n entry: branch d -> out work\n work: b = barrier; jump -> out\n out: return";
        Sample::new(&text.replace("SOURCE", source)).tracking()
    };
    assert_eq!(early("divergent"), Tracking::PerItem);
    assert_eq!(early("uniform"), Tracking::Uniform);
}

#[test]
fn an_endless_loop_of_barriers_is_in_step_or_not() {
    let endless = |exit: &str| {
        let text = "divergent d\n entry: jump -> head\n head: b = barrier; branch d -> left right\n left: effect; jump -> head\n right: EXIT";
        Sample::new(&text.replace("EXIT", exit))
    };
    assert_eq!(endless("jump -> head").next(), [[1], [1]]);
    assert_eq!(endless("jump -> head").tracking(), Tracking::Uniform);
    assert_eq!(endless("return").tracking(), Tracking::PerItem);
    assert_eq!(endless("unreachable").tracking(), Tracking::Uniform);
    assert_eq!(endless("c = barrier; jump -> head").tracking(), Tracking::PerItem);
}

#[test]
fn branches_that_only_meet_at_returns_decide_nothing() {
    let sample = Sample::new(
        "divergent d
         entry: b = barrier; branch d -> left right
         left: effect; return
         right: return",
    );
    assert_eq!(sample.next(), [[1], [0]]);
    assert_eq!(sample.tracking(), Tracking::Uniform);
}

#[test]
fn a_trap_parts_nobody() {
    let sample = Sample::new(
        "uniform n, divergent d
         entry: jump -> head
         head: i = phi entry:- check:j; b = barrier; jump -> check
         check: j = cheap i; c = cheap j n; branch d -> trap next
         next: branch c -> head2 done
         head2: jump -> check2
         check2: branch d -> trap head3
         head3: p = phi check2:n; done2 = barrier; jump -> done
         trap: t = phi check:- check2:n; effect t; unreachable
         done: return",
    );
    assert_eq!(sample.tracking(), Tracking::Uniform);
    assert_eq!(sample.uniform("i j p t"), [true, true, true, false]);
    assert_eq!(sample.next(), [vec![1], vec![0, 2], vec![0]]);
}

#[test]
fn phis_diverge_where_paths_from_a_divergent_branch_meet() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: x = pure u; branch d -> left right
         left: jump -> meet
         right: y = pure u; jump -> meet
         meet: p = phi left:u right:x; z = pure u; branch u -> more after
         more: jump -> after
         after: q = phi meet:u more:x; return",
    );
    assert_eq!(sample.uniform("x y p z q"), [true, false, false, true, true]);
}

#[test]
fn what_leaves_a_loop_at_different_times_diverges() {
    let sample = Sample::new(
        "uniform n, divergent d
         entry: jump -> head
         head: i = phi entry:- head:j; j = cheap i; s = effect; c = pure d i; branch c -> head out
         out: last = pure j; steady = pure n; b = barrier; branch last -> again done
         again: b2 = barrier; jump -> done
         done: return",
    );
    assert_eq!(sample.uniform("i j last steady"), [false, false, false, true]);
    assert_eq!(sample.tracking(), Tracking::PerItem);
}

#[test]
fn effects_and_addresses_diverge() {
    let sample = Sample::new("uniform u\n entry: a = alloca; g = cheap a; l = effect u; p = pure l; return");
    assert_eq!(sample.uniform("u a g l p"), [true, false, false, false, false]);
}

#[test]
fn an_effect_that_ends_a_block_parts_items() {
    let sample = Sample::new(
        "uniform u
         entry: effect -> left right
         left: jump -> meet
         right: b = barrier; jump -> meet
         meet: p = phi left:u right:-; return",
    );
    assert_eq!((sample.uniform("p"), sample.tracking()), (vec![false], Tracking::PerItem));
}

#[test]
fn values_that_a_group_has_alike_are_shared() {
    let sample = Sample::new(
        "uniform n, divergent id
         entry: a = effect; jump -> head
         head: i = phi entry:- latch:j; p = pure id; q = pure n; b1 = barrier; c = cheap i n; branch c -> latch done
         latch: effect p q; j = cheap i; jump -> head
         done: effect a p q; return",
    );
    assert_eq!(
        (sample.names(&sample.plan().kept), sample.names(&sample.plan().shared)),
        ("a i p q".into(), "i q".into())
    );
}

#[test]
fn nothing_is_shared_where_items_part() {
    let sample = Sample::new(
        "uniform n, divergent id
         entry: q = pure n; branch id -> wait leave
         wait: b1 = barrier; effect q; return
         leave: return",
    );
    let plan = sample.plan();
    assert_eq!((plan.tracking, sample.names(&plan.kept), plan.shared.len()), (Tracking::PerItem, "q".into(), 0));
}

#[test]
fn a_phi_reads_at_the_end_of_its_predecessor() {
    let sample = Sample::new(
        "uniform u
         entry: x = effect; y = effect; branch u -> left right
         left: b1 = barrier; jump -> meet
         right: b2 = barrier; jump -> meet
         meet: p = phi left:x right:y; b3 = barrier; effect p; return",
    );
    assert_eq!([1, 2, 3].map(|state| sample.live(state)), ["x", "y", "p"]);
    assert_eq!(sample.names(&sample.plan().kept), "x y p");
}

#[test]
fn several_barriers_in_one_block() {
    let sample = Sample::new(
        "uniform u
         entry: x = effect; b1 = barrier; effect x; y = effect; b2 = barrier; b3 = barrier; effect y; return",
    );
    assert_eq!(sample.next(), [[1], [2], [3], [0]]);
    assert_eq!([1, 2, 3].map(|state| sample.live(state)), ["x", "y", "y"]);
    let layout = Layout::of(&sample.cfg);
    let regions = Regions::of(&layout, ["b1", "b2", "b3"].map(|name| sample.value(name)).to_vec());
    assert_eq!((0..4).flat_map(|state| regions.ranges(state)).collect::<Vec<_>>(), [1..3, 3..6, 6..7, 7..9]);
}

#[test]
fn ranges_go_round_a_loop() {
    let sample = Sample::new(REDUCTION);
    let layout = Layout::of(&sample.cfg);
    let regions = Regions::of(&layout, ["b0", "b1"].map(|name| sample.value(name)).to_vec());
    let [body, done] = ["body", "done"].map(|label| layout.range(sample.block(label)));
    let latch = layout.range(sample.block("latch"));
    let ranges = regions.ranges(2);
    assert!(ranges.contains(&(latch.start..latch.start + 1)) && ranges.contains(&(latch.start + 1..latch.end)));
    assert!(ranges.contains(&body) && ranges.contains(&done));
    assert!(!ranges.contains(&layout.range(sample.block("entry"))));
}

#[test]
fn cheap_values_are_computed_again_where_they_are_read() {
    let sample = Sample::new(
        "uniform u, divergent d
         entry: a = cheap d; b = cheap a u; c = cheap a b; k = pure d; m = cheap k; b1 = barrier; b2 = barrier; effect c; effect m; return",
    );
    assert_eq!([sample.recomputed(1), sample.recomputed(2)], ["", "a b c"]);
    assert_eq!([sample.live(1), sample.live(2)], ["m", "m"]);
}

#[test]
fn long_computations_are_kept() {
    let chain = |length: usize| {
        let body: String = (1..=length).map(|k| format!("v{k} = cheap v{};", k - 1)).collect();
        Sample::new(&format!("divergent v0\n entry: {body} b = barrier; effect v{length}; return"))
    };
    assert_eq!(chain(8).live(1), "");
    assert_eq!(chain(9).live(1), "v9");
}

#[test]
fn content_that_is_read_after_a_barrier_stays() {
    let objects = |code: &str| Sample::new(&format!("uniform u\n entry: a = alloca; {code}; return")).objects();
    assert_eq!(objects("b = barrier; p = cheap a; store p u; effect p"), "a");
    assert_eq!(objects("b = barrier; start a; store a u; effect a"), "");
    assert_eq!(objects("start a; store a u; effect a; b = barrier; start a; store a u"), "");
    assert_eq!(objects("store a u; effect a; b = barrier"), "");
    assert_eq!(objects("store a u; b = barrier; start a; b2 = barrier; effect a"), "a");
}

#[test]
fn content_in_a_loop_is_followed_round_it() {
    let objects = |start: &str| {
        let text = format!(
            "uniform u
             entry: a = alloca; jump -> head
             head: {start} store a u; effect a; b = barrier; branch u -> head out
             out: return"
        );
        Sample::new(&text).objects()
    };
    assert_eq!((objects("start a;").as_str(), objects("e = effect a;").as_str()), ("", "a"));
}

#[test]
fn a_known_address_holds_its_alloca_in_place() {
    let objects = |code: &str| Sample::new(&format!("uniform u\n {code}")).objects();
    // Through memory: any later effect may use the alloca, whatever its lifetime markers say.
    assert_eq!(objects("entry: a = alloca; store u a; b = barrier; start a; effect; return"), "a");
    assert_eq!(objects("entry: a = alloca; store u a; effect; return"), "");
    // Through a kept value.
    assert_eq!(objects("entry: a = alloca; p = pure a u; b = barrier; start a; effect p; return"), "a");
    // Through the branch taken.
    let way = "entry: a = alloca; c = cheap a; branch c -> x x2\n x: jump -> x2\n x2: b = barrier; effect; return";
    assert_eq!(objects(way), "a");
    // A computation that starts again from the address keeps nothing.
    assert_eq!(objects("entry: a = alloca; p = cheap a; b = barrier; start a; effect p; effect a; return"), "");
}

#[test]
fn code_that_never_runs_has_no_state() {
    let sample = Sample::new(
        "uniform u
         entry: x = effect; jump -> out
         lost: b0 = barrier; y = cheap x; jump -> out
         out: p = phi entry:x lost:y; b1 = barrier; effect p; return",
    );
    assert_eq!(sample.next(), [[1], [0]]);
    assert_eq!(sample.plan().states[1].barrier, Some(sample.value("b1")));
    assert_eq!(sample.names(&sample.plan().kept), "p");
}

#[test]
fn ends_that_are_never_passed_lead_nowhere() {
    let sample =
        Sample::new("uniform u\n entry: b = barrier; branch u -> spin dead\n spin: jump -> spin\n dead: unreachable");
    assert_eq!(sample.next(), [vec![1], vec![]]);
    assert_eq!(sample.tracking(), Tracking::Uniform);
}

#[test]
fn dominators_of_an_irreducible_loop() {
    let sample = Sample::new(
        "uniform u
         entry: branch u -> a b
         a: branch u -> b out
         b: branch u -> a spin
         spin: jump -> spin
         lost: jump -> out
         out: return",
    );
    let layout = Layout::of(&sample.cfg);
    let id = |label: &str| sample.block(label).0;
    let forward = Tree::dominators(&layout);
    assert_eq!(["a", "b", "out", "spin"].map(|label| forward.parent(id(label))), [0, 0, id("a"), id("b")].map(Some));
    assert!(forward.parent(id("lost")).is_none() && !forward.dominates(0, id("lost")));
    let backward = Tree::post_dominators(&layout, &going_on(&layout));
    assert_eq!(["entry", "b"].map(|label| backward.parent(id(label))), [Some(id("a")); 2]);
    assert!(backward.dominates(id("out"), 0) && backward.parent(id("spin")).is_none());
}

/// A long kernel: a loop nest of diamonds with 200 barriers, many values live across all of them,
/// and allocas.
fn long_kernel() -> Sample {
    let mut text = String::from("uniform u, divergent d\n entry: ");
    (0..100).for_each(|k| text += &format!("a{k} = alloca; e{k} = effect; q{k} = cheap d u; "));
    text += "jump -> h0\n";
    for k in 0..200 {
        let (previous, v) = (if k == 0 { "entry".into() } else { format!("m{}", k - 1) }, k % 100);
        let work: String = (0..80).map(|i| format!("w{k}x{i} = pure d u; ")).collect();
        text += &format!("h{k}: i{k} = phi {previous}:- m{k}:j{k}; {work}branch d -> l{k} r{k}\n");
        text += &format!("l{k}: store a{v} e{v}; x{k} = cheap q{v} d; effect w{k}x7; jump -> m{k}\n");
        text += &format!("r{k}: y{k} = pure i{k} e{v}; jump -> m{k}\n");
        text +=
            &format!("m{k}: p{k} = phi l{k}:x{k} r{k}:y{k}; b{k} = barrier; effect a{v} p{k} x; j{k} = cheap i{k}; ")
                .replace(" x;", ";");
        text += &format!("branch j{k} -> h{k} h{}\n", k + 1);
    }
    text += "h200: effect ";
    (0..100).for_each(|k| text += &format!("e{k} q{k} "));
    Sample::new(&(text + "; return"))
}

#[test]
fn long_kernels_are_planned_quickly() {
    let sample = long_kernel();
    assert!(Layout::of(&sample.cfg).values() > 18_000);
    let begin = Instant::now();
    let plan = sample.plan();
    let taken = begin.elapsed();
    assert_eq!((plan.states.len(), plan.tracking, plan.objects.len()), (201, Tracking::Uniform, 100));
    assert!(plan.kept.len() >= 300 && plan.states[200].live.contains(&ValueId(3)));
    assert!(taken < Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 }), "{taken:?}");
    println!("{} values planned in {taken:?}", Layout::of(&sample.cfg).values());
}
