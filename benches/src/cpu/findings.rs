//! Results of one part of the CPU suite, and its programs.
//!
//! *Invariant:* a program runs only on the host device.

use std::path::PathBuf;

use crate::ceilings::{Ceilings, Work};
use crate::figure::Figure;
use crate::floor::{self, Floor};
use crate::run::Program;

/// Results that a part adds to the report.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) figures: Vec<Figure>,
    pub(super) floors: Vec<Floor>,
    pub(super) notes: Vec<String>,
}

impl From<Vec<Figure>> for Findings {
    fn from(figures: Vec<Figure>) -> Self {
        Self { figures, ..Self::default() }
    }
}

impl Findings {
    /// Adds a kernel's figure and its floor.
    pub(super) fn add(&mut self, figure: Figure, work: Work, known: &Ceilings) {
        let floor = known.floor(&figure, work);
        self.figures.push(floor::beside(figure, floor.as_ref()));
        self.floors.extend(floor);
    }
}

/// A program on the host device only, where no figure includes the enumeration of other devices.
/// Its kernels run full code from their first launch.
pub(super) fn host_program(path: PathBuf) -> Program {
    Program::new(path).variable("SINTER_VISIBILITY_MASK", "host").variable("SINTER_JIT_MODE", "sync")
}
