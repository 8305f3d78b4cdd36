//! Measures the time to build a program with one kernel.
//!
//! *Invariant:* both compilers compile and link a complete program at -O2; the peer's does not use
//! SYCL, so that the ratio is the cost of the headers and of stage 1.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program};

use super::findings::Findings;

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let ours = compiler(lab, lab.sinter_cc(), "cpu/one_kernel.cpp", "one_kernel");
    let peer = compiler(lab, lab.clang(), "peers/no_kernel.cpp", "no_kernel");
    // Untimed: loads the compilers and headers into the page cache.
    ours.seconds()?;
    peer.seconds()?;
    let rounds = run::alternate("compile", lab.effort.rounds, || ours.seconds(), || peer.seconds())?;
    let (ours, peer): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    let figure = Figure::new("compile", "compile a one-kernel program, -O2", Unit::Seconds, &ours)
        .beside("clang++ -O2, the same without SYCL", &peer)
        .goal(Goal::AtMost(2.0));
    Ok(vec![figure].into())
}

fn compiler(lab: &Lab, compiler: std::path::PathBuf, source: &str, name: &str) -> Program {
    let source = lab.source(source).display().to_string();
    let output = lab.built(name).display().to_string();
    Program::new(compiler).arguments(["-O2", "-std=c++17", &source, "-o", &output])
}
