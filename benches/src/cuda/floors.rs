//! Computes the minimum time of a kernel from its work and the measured limits of the device.
//!
//! *Invariant:* all rates were measured in the same run; the larger of the two times is the floor.

use std::collections::HashMap;

use super::cases::{Ceiling, Row};
use crate::error::BenchError;
use crate::figure::Figure;
use crate::floor::Floor;
use crate::pair::Effort;
use crate::session::{Session, Work};
use crate::{stats, table};

/// Peak rates of the device, per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ceilings {
    copy: f64,
    read: f64,
    single: f64,
    double: f64,
    root: f64,
}

impl Ceilings {
    /// Measures the rates with the peer's program.
    pub(super) fn measure(session: &mut Session, effort: &Effort) -> Result<Self, BenchError> {
        let work = session.list()?;
        let mut rate = |name: &str| -> Result<f64, BenchError> {
            let amount = work.get(name).map_or(0.0, |work| work.bytes + work.operations);
            let samples = (0..effort.rounds).map(|_| session.time(name, 5)).collect::<Result<Vec<_>, _>>()?;
            Ok(stats::median(&samples).map_or(f64::NAN, |seconds| amount / seconds))
        };
        Ok(Self {
            copy: rate("copy")?,
            read: rate("read")?,
            single: rate("fma_f32")?,
            double: rate("fma_f64")?,
            root: rate("root_f32")?,
        })
    }

    fn of(&self, ceiling: Ceiling) -> f64 {
        match ceiling {
            Ceiling::Copy => self.copy,
            Ceiling::Read => self.read,
            Ceiling::Single => self.single,
            Ceiling::Double => self.double,
        }
    }

    /// All rates in one sentence.
    pub(super) fn describe(&self) -> String {
        let tera = |rate: f64| table::number(rate * 1e-12);
        format!(
            "Measured limits: device-to-device copy {} TB/s, reading {} TB/s, fused multiply-adds {} T/s in f32 and {} T/s in f64, \
             reciprocal roots {} T/s. Floors count the arithmetic that the algorithm needs as so many fused multiply-adds.",
            tera(self.copy),
            tera(self.read),
            tera(self.single),
            tera(self.double),
            tera(self.root)
        )
    }
}

/// The floor of a measured kernel, if its work and the limits are known.
pub(super) fn floor(
    figure: &Figure,
    row: &Row,
    work: &HashMap<String, Work>,
    known: Option<&Ceilings>,
) -> Option<Floor> {
    let (known, work) = (known?, work.get(row.case.test)?);
    let traffic = work.bytes / known.of(row.traffic);
    let arithmetic = work.operations / known.of(row.arithmetic);
    let (floor, limit) = if arithmetic > traffic { (arithmetic, "arithmetic") } else { (traffic, "traffic") };
    Floor::of(figure, limit, floor, work.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::cases::FIXED;
    use crate::figure::Unit;

    const KNOWN: Ceilings = Ceilings { copy: 4e12, read: 4e12, single: 3e13, double: 1.5e13, root: 4e12 };

    fn floor_of(bytes: f64, operations: f64) -> Option<Floor> {
        let row = &FIXED[0];
        let case = &row.case;
        let figure = Figure::new(case.id, case.title, Unit::Milliseconds, &[0.002]).beside("nvcc", &[0.004]);
        let work = HashMap::from([(case.test.to_owned(), Work { bytes, operations, group: String::new() })]);
        floor(&figure, row, &work, Some(&KNOWN))
    }

    #[test]
    fn the_larger_of_traffic_and_arithmetic_is_the_floor() {
        let found = floor_of(4e9, 1.0).unwrap();
        assert_eq!((found.limit, found.seconds), ("traffic", 1e-3));
        let found = floor_of(4e9, 6e10).unwrap();
        assert_eq!((found.limit, found.seconds), ("arithmetic", 2e-3));
    }
}
