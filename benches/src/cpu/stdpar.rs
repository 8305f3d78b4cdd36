//! Compares parallel algorithms of ISO C++ with libstdc++ over TBB.
//!
//! Both programs are made of one file.
//!
//! *Invariant:* no kernel is translated by the measured processes: an earlier one fills the cache.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program, Readings};

use super::findings::{Findings, host_program};

const PEER: &str = "libstdc++ and TBB, clang -O3 -march=native";
const SOURCE: &str = "cpu/stdpar";
/// Elements of the large calls, and samples of each call in a process.
const SIZES: [usize; 2] = [10_000_000, 5];
/// Name of a reading, elements, unit and goal of our time beside the peer's.
type Row = (&'static str, &'static str, Unit, Goal);
const ROWS: [Row; 30] = [
    ("for_each.1000", "for_each, 10^3 floats", Unit::Microseconds, Goal::Ratio(1.0)),
    ("transform.1000", "transform, 10^3 floats", Unit::Microseconds, Goal::Ratio(1.0)),
    ("reduce.1000", "reduce, 10^3 floats", Unit::Microseconds, Goal::None),
    ("transform_reduce.1000", "transform_reduce, 10^3 floats", Unit::Microseconds, Goal::None),
    ("inclusive_scan.1000", "inclusive_scan, 10^3 floats", Unit::Microseconds, Goal::None),
    ("min_element.1000", "min_element, 10^3 floats", Unit::Microseconds, Goal::None),
    ("copy_if.1000", "copy_if, 10^3 floats", Unit::Microseconds, Goal::None),
    ("find.1000", "find, 10^3 floats, absent", Unit::Microseconds, Goal::None),
    ("merge.1000", "merge of halves, 10^3 floats", Unit::Microseconds, Goal::None),
    ("set_union.1000", "set_union, 10^3 floats", Unit::Microseconds, Goal::None),
    ("set_intersection.1000", "set_intersection, 10^3 floats", Unit::Microseconds, Goal::None),
    ("set_difference.1000", "set_difference, 10^3 floats", Unit::Microseconds, Goal::None),
    ("set_symmetric_difference.1000", "set_symmetric_difference, 10^3 floats", Unit::Microseconds, Goal::None),
    ("sort.1000", "sort, 10^3 floats", Unit::Microseconds, Goal::None),
    ("sort_by.1000", "sort by a lambda, 10^3 floats", Unit::Microseconds, Goal::None),
    ("for_each.10000000", "for_each, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    ("transform.10000000", "transform, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    ("reduce.10000000", "reduce, 10^7 floats", Unit::Milliseconds, Goal::None),
    ("transform_reduce.10000000", "transform_reduce, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    ("inclusive_scan.10000000", "inclusive_scan, 10^7 floats", Unit::Milliseconds, Goal::None),
    ("min_element.10000000", "min_element, 10^7 floats", Unit::Milliseconds, Goal::None),
    ("copy_if.10000000", "copy_if, 10^7 floats", Unit::Milliseconds, Goal::None),
    ("find.10000000", "find, 10^7 floats, absent", Unit::Milliseconds, Goal::None),
    ("merge.10000000", "merge of halves, 10^7 floats", Unit::Milliseconds, Goal::None),
    ("set_union.10000000", "set_union, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    ("set_intersection.10000000", "set_intersection, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    ("set_difference.10000000", "set_difference, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    (
        "set_symmetric_difference.10000000",
        "set_symmetric_difference, 10^7 floats",
        Unit::Milliseconds,
        Goal::Ratio(1.0),
    ),
    ("sort.10000000", "sort, 10^7 floats", Unit::Milliseconds, Goal::Ratio(1.0)),
    ("sort_by.10000000", "sort by a lambda, 10^7 floats", Unit::Milliseconds, Goal::None),
];

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let peer = Program::new(lab.build_plain_peer(SOURCE, &["-march=native", "-ltbb"])?).arguments(SIZES);
    let cache = lab.fresh_cache("stdpar")?;
    let ours = host_program(lab.build_ours_with(SOURCE, &["--stdpar"])?).variable("SINTER_CACHE_DIR", cache);
    let ours = ours.arguments(SIZES);
    ours.run()?;
    let rounds = run::alternate("stdpar", lab.effort.rounds, || ours.run_warm(), || peer.run())?;
    ROWS.iter().map(|row| figure(row, &rounds)).collect::<Result<Vec<_>, _>>().map(Findings::from)
}

fn figure((name, title, unit, goal): &Row, rounds: &[(Readings, Readings)]) -> Result<Figure, BenchError> {
    let ours = run::medians(rounds.iter().map(|(ours, _)| ours), name)?;
    let peer = run::medians(rounds.iter().map(|(_, peer)| peer), name)?;
    Ok(Figure::new(format!("stdpar.{name}"), *title, *unit, &ours).beside(PEER, &peer).goal(*goal))
}
