//! Computes the minimum time of a kernel from its work and the measured limits of the device.
//!
//! *Invariant:* all rates were measured in the same run; the larger of the two times is the floor.

use std::collections::HashMap;

use super::cases::{Ceiling, Row};
use crate::error::BenchError;
use crate::figure::Figure;
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

/// A kernel's time relative to its floor.
#[derive(Debug)]
pub(super) struct Floor {
    title: String,
    limit: &'static str,
    // The floor in seconds.
    floor: f64,
    // GB/s of the minimum traffic; 0 if that is not the limit.
    ours: f64,
    peer: f64,
    bytes: f64,
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
    // Figures of kernels are in milliseconds.
    let ours = stats::median(&figure.samples)? * 1e-3;
    let peer = stats::median(&figure.peer.as_ref()?.samples)? * 1e-3;
    (floor > 0.0).then(|| Floor { title: figure.title.clone(), limit, floor, ours, peer, bytes: work.bytes })
}

/// The floors as a table with its heading, if there are any.
pub(super) fn section(floors: &[Floor]) -> Option<(&'static str, String)> {
    (!floors.is_empty()).then(|| ("Floors", table(floors)))
}

fn table(floors: &[Floor]) -> String {
    let header = ["kernel", "limit", "floor ms", "Sinter reaches", "peer reaches", "Sinter GB/s", "peer GB/s"];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(floors.iter().map(Floor::row));
    table::render(&rows)
}

impl Floor {
    fn row(&self) -> Vec<String> {
        let percent = |seconds: f64| format!("{:.1} %", 100.0 * self.floor / seconds);
        let rate = |seconds: f64| format!("{:.0}", self.bytes / seconds * 1e-9);
        vec![
            self.title.clone(),
            self.limit.to_owned(),
            table::number(self.floor * 1e3),
            percent(self.ours),
            percent(self.peer),
            rate(self.ours),
            rate(self.peer),
        ]
    }
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
        assert_eq!((found.limit, found.floor), ("traffic", 1e-3));
        let found = floor_of(4e9, 6e10).unwrap();
        assert_eq!((found.limit, found.floor), ("arithmetic", 2e-3));
    }

    #[test]
    fn the_table_shows_the_fraction_that_is_reached() {
        let text = table(&[floor_of(4e9, 0.0).unwrap()]);
        assert!(text.contains("| 50.0 %") && text.contains("| 25.0 %") && text.contains("| 2000 "), "{text}");
    }

    #[test]
    fn unknown_work_has_no_floor() {
        assert!(floor_of(0.0, 0.0).is_none());
    }
}
