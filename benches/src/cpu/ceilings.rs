//! Measures the limits of the processor, and the floors of kernels that they make.
//!
//! In: nothing but the machine. Out: rates on all cores, and for a kernel's work the least time
//! that it takes. *Invariant:* all rates are of one process of the same run as the kernels.

use crate::error::BenchError;
use crate::figure::Figure;
use crate::floor::Floor;
use crate::lab::Lab;
use crate::run::Program;
use crate::table;

/// The work of a kernel, by the limit that it meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Work {
    /// Bytes read and written.
    Copied(f64),
    /// Bytes read, with next to nothing written.
    Read(f64),
    /// Fused multiply-adds of f32, or as many other operations.
    MultiplyAdds(f64),
    /// Increments of elements of a table.
    Increments(f64),
}

/// Peak rates, per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ceilings {
    copy: f64,
    read: f64,
    multiply_add: f64,
    increment: f64,
}

impl Ceilings {
    pub(super) fn measure(lab: &Lab) -> Result<Self, BenchError> {
        let rates = Program::new(lab.build_peer("ceilings")?).run()?;
        Ok(Self {
            copy: rates.median("copy")?,
            read: rates.median("read")?,
            multiply_add: rates.median("multiply-add")?,
            increment: rates.median("increment")?,
        })
    }

    /// The floor of a kernel with this work.
    pub(super) fn floor(&self, figure: &Figure, work: Work) -> Option<Floor> {
        let (limit, seconds, bytes) = match work {
            Work::Copied(bytes) => ("traffic", bytes / self.copy, bytes),
            Work::Read(bytes) => ("traffic", bytes / self.read, bytes),
            Work::MultiplyAdds(count) => ("arithmetic", count / self.multiply_add, 0.0),
            Work::Increments(count) => ("increments", count / self.increment, 0.0),
        };
        Floor::of(figure, limit, seconds, bytes)
    }

    /// All rates in one sentence.
    pub(super) fn describe(&self) -> String {
        let giga = |rate: f64| table::number(rate * 1e-9);
        format!(
            "Measured limits on all cores: copying {} GB/s, reading {} GB/s, fused multiply-adds {} G/s in f32, increments of \
             private tables {} G/s. Floors count the arithmetic that an algorithm needs as so many fused multiply-adds.",
            giga(self.copy),
            giga(self.read),
            giga(self.multiply_add),
            giga(self.increment)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    #[test]
    fn each_kind_of_work_has_its_limit() {
        let known = Ceilings { copy: 1e9, read: 2e9, multiply_add: 4e9, increment: 8e9 };
        let figure = Figure::new("x", "x", Unit::Milliseconds, &[1.0]).beside("OpenMP", &[1.0]);
        let seconds = |work| known.floor(&figure, work).unwrap().seconds;
        let work = [Work::Copied(8e9), Work::Read(8e9), Work::MultiplyAdds(8e9), Work::Increments(8e9)];
        assert_eq!(work.map(seconds), [8.0, 4.0, 2.0, 1.0]);
    }
}
