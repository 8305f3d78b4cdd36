//! Times of kernels beside the least time that the machine allows.
//!
//! In: a figure of a kernel and its floor. Out: a table with the fraction of the floor that Sinter
//! and its peer reach. *Invariant:* the limits behind a floor were measured in the same run.

use crate::figure::Figure;
use crate::{stats, table};

/// A kernel's time relative to its floor.
#[derive(Debug)]
pub(crate) struct Floor {
    title: String,
    /// The limit that makes the floor.
    pub(crate) limit: &'static str,
    /// The floor.
    pub(crate) seconds: f64,
    ours: f64,
    peer: f64,
    // The minimum traffic; 0 if it is not known.
    bytes: f64,
}

impl Floor {
    /// The floor of a figure in milliseconds with a peer, if there is one.
    pub(crate) fn of(figure: &Figure, limit: &'static str, seconds: f64, bytes: f64) -> Option<Self> {
        let ours = stats::median(&figure.samples)? * 1e-3;
        let peer = stats::median(&figure.peer.as_ref()?.samples)? * 1e-3;
        (seconds > 0.0).then(|| Self { title: figure.title.clone(), limit, seconds, ours, peer, bytes })
    }

    /// The fraction of the limit that we reach.
    pub(crate) fn reached(&self) -> f64 {
        self.seconds / self.ours
    }

    fn row(&self) -> Vec<String> {
        let percent = |seconds: f64| format!("{:.1} %", 100.0 * self.seconds / seconds);
        let rate = |seconds: f64| match self.bytes {
            0.0 => "-".to_owned(),
            bytes => format!("{:.0}", bytes / seconds * 1e-9),
        };
        vec![
            self.title.clone(),
            self.limit.to_owned(),
            table::number(self.seconds * 1e3),
            percent(self.ours),
            percent(self.peer),
            rate(self.ours),
            rate(self.peer),
        ]
    }
}

/// A figure with the part of its limit that it reaches.
pub(crate) fn beside(figure: Figure, floor: Option<&Floor>) -> Figure {
    match floor {
        Some(floor) => figure.reaching(floor.reached(), floor.limit),
        None => figure,
    }
}

/// The floors as a table with its heading, if there are any.
pub(crate) fn section(floors: &[Floor]) -> Option<(&'static str, String)> {
    (!floors.is_empty()).then(|| ("Floors", table(floors)))
}

fn table(floors: &[Floor]) -> String {
    let header = ["kernel", "limit", "floor ms", "Sinter reaches", "peer reaches", "Sinter GB/s", "peer GB/s"];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(floors.iter().map(Floor::row));
    table::render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    fn floor(seconds: f64, bytes: f64) -> Option<Floor> {
        let figure = Figure::new("copy", "copy", Unit::Milliseconds, &[0.002]).beside("nvcc", &[0.004]);
        Floor::of(&figure, "traffic", seconds, bytes)
    }

    #[test]
    fn the_table_shows_the_fraction_that_is_reached() {
        let text = table(&[floor(1e-3, 4e9).unwrap()]);
        assert!(text.contains("| 50.0 %") && text.contains("| 25.0 %") && text.contains("| 2000 "), "{text}");
    }

    #[test]
    fn a_figure_shows_the_part_of_its_limit() {
        let figure = Figure::new("copy", "copy", Unit::Milliseconds, &[0.002]);
        assert_eq!(beside(figure.clone(), floor(1e-3, 4e9).as_ref()).reached, Some((0.5, "traffic")));
        assert_eq!(beside(figure, None).reached, None);
    }

    #[test]
    fn unknown_work_has_no_floor() {
        assert!(floor(0.0, 0.0).is_none());
    }
}
