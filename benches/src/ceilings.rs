//! Measures the limits of the processor, and the floors of kernels that they make.
//!
//! In: processes that measure nothing but the machine. Out: rates on all cores, and for a kernel's
//! work the least time that it takes. *Invariant:* the rates are medians of processes that ran in
//! turn with the kernels: the bandwidth of a virtual machine changes within minutes.

use crate::error::BenchError;
use crate::figure::Figure;
use crate::floor::Floor;
use crate::lab::Lab;
use crate::run::{self, Program, Readings};
use crate::{stats, table};

/// The work of a kernel, by the limit that it meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Work {
    /// Bytes read and written.
    Copied(f64),
    /// Bytes read, with next to nothing written.
    Read(f64),
    /// Fused multiply-adds of f32, or as many other operations.
    MultiplyAdds(f64),
    /// Increments of elements of a table.
    Increments(f64),
    /// Bytes read and written, and fused multiply-adds: the limit is what takes longer.
    Either(f64, f64),
}

/// Peak rates, per second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceilings {
    copy: f64,
    read: f64,
    multiply_add: f64,
    increment: f64,
}

/// The program that measures peak rates, once a process.
pub(crate) fn program(lab: &Lab) -> Result<Program, BenchError> {
    lab.build_peer("ceilings").map(Program::new)
}

impl Ceilings {
    /// The median rates of these processes of [`program`].
    pub(crate) fn of<'a>(processes: impl Iterator<Item = &'a Readings> + Clone) -> Result<Self, BenchError> {
        let rate = |name| Ok(stats::median(&run::medians(processes.clone(), name)?).unwrap_or_default());
        Ok(Self {
            copy: rate("copy")?,
            read: rate("read")?,
            multiply_add: rate("multiply-add")?,
            increment: rate("increment")?,
        })
    }

    /// The floor of a kernel with this work.
    pub(crate) fn floor(&self, figure: &Figure, work: Work) -> Option<Floor> {
        let (limit, seconds, bytes) = match work {
            Work::Either(bytes, count) if bytes / self.copy >= count / self.multiply_add => {
                return self.floor(figure, Work::Copied(bytes));
            }
            Work::Either(_, count) => return self.floor(figure, Work::MultiplyAdds(count)),
            Work::Copied(bytes) => ("traffic", bytes / self.copy, bytes),
            Work::Read(bytes) => ("traffic", bytes / self.read, bytes),
            Work::MultiplyAdds(count) => ("arithmetic", count / self.multiply_add, 0.0),
            Work::Increments(count) => ("increments", count / self.increment, 0.0),
        };
        Floor::of(figure, limit, seconds, bytes)
    }

    /// All rates in one sentence, as they were beside the kernels of `part`.
    pub(crate) fn describe(&self, part: &str) -> String {
        let giga = |rate: f64| table::number(rate * 1e-9);
        format!(
            "{part}: limits of all cores, measured in the same run: copying {} GB/s, reading {} GB/s, fused multiply-adds {} G/s \
             in f32, increments of private tables {} G/s.",
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
        assert_eq!([Work::Either(8e9, 8e9), Work::Either(1e9, 8e9)].map(seconds), [8.0, 2.0]);
    }
}
