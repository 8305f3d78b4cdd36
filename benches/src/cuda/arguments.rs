//! The command line of the GPU suite.
//!
//! *Invariant:* a part of the suite is a row of [`Part`]; all names on the command line are defined
//! here.

use std::path::PathBuf;

/// A part of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// copy, mul, add, triad, dot.
    Stream,
    /// Matrix product, n-body, stencils, sums, histogram, Black-Scholes, Mandelbrot.
    Fixed,
    /// Kernels whose shape is a run-time value.
    Special,
    /// The same, without a word in the program about values that repeat.
    Observed,
    /// Many small kernels, each in the usual style of SYCL and of CUDA.
    Patterns,
    /// An empty kernel through SYCL and through the C interface.
    Launch,
    /// Commands with accessors beside USM in an in-order queue.
    Buffers,
    /// Translator and linker beside NVRTC.
    Compile,
    /// The first launch of a process: cold, and from disk.
    First,
    /// First processes of 20 small programs beside their second ones.
    Programs,
}

/// Options of the GPU suite.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only this part of the suite; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(super) only: Vec<Part>,
    /// Fill this folder with everything that another machine needs, and measure nothing.
    #[arg(long, value_name = "DIR")]
    pub(super) stage: Option<PathBuf>,
    /// Use the programs of such a folder.
    #[arg(long, value_name = "DIR", conflicts_with = "stage")]
    pub(super) prebuilt: Option<PathBuf>,
    /// Folder of libsinter.so and libsinter_translate.so.
    #[arg(long, value_name = "DIR")]
    pub(super) library: Option<PathBuf>,
    /// Small sizes on any device, with Sinter's programs as their own peers: tests the suite
    /// itself.
    #[arg(long)]
    pub(super) rehearse: bool,
}
