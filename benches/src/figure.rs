//! A figure: samples with a unit, beside those of a peer, with a goal.
//!
//! *Invariant:* the i-th samples of a figure and its peer were measured next to each other in one
//! run.

use serde_json::{Value, json};

use crate::stats;

/// Unit of a figure. Programs report seconds, KiB or counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Reported by programs without conversion.
    Seconds,
    /// Converted from seconds.
    Milliseconds,
    /// Converted from seconds.
    Microseconds,
    /// Converted from KiB.
    Mebibytes,
}

impl Unit {
    /// The unit's symbol.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Mebibytes => "MiB",
        }
    }

    fn scale(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e3,
            Self::Microseconds => 1e6,
            Self::Mebibytes => 1.0 / 1024.0,
        }
    }
}

/// Goal of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Upper bound for our time divided by the peer's.
    Ratio(f64),
    /// Largest median of ours, in the figure's unit. Only indicative: the number is for the
    /// reference machine.
    AtMost(f64),
    /// Largest difference of our median to the peer's, in the figure's unit.
    Above(f64),
    /// No goal: a part of another figure, shown to explain it.
    None,
}

/// Result of comparing a figure with its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The goal is reached.
    Met,
    /// The goal is not reached.
    Missed,
    /// The figure has no goal.
    Open,
}

impl Verdict {
    /// The verdict in tables.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Met => "yes",
            Self::Missed => "no",
            Self::Open => "-",
        }
    }
}

/// The samples of the peer of a figure.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Description of the peer, for the reader.
    pub(crate) name: &'static str,
    /// Its samples, in the figure's unit.
    pub(crate) samples: Vec<f64>,
}

/// A measured quantity.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// Identifies the figure for scripts; unique in the suite.
    pub(crate) id: String,
    /// Description for the reader.
    pub(crate) title: String,
    /// Unit of all samples.
    pub(crate) unit: Unit,
    /// Our samples, one per round.
    pub(crate) samples: Vec<f64>,
    /// The peer with its samples.
    pub(crate) peer: Option<Peer>,
    /// Goal, with which the verdict is determined.
    pub(crate) goal: Goal,
    /// The part of a limit of the machine that ours reaches, and the limit.
    pub(crate) reached: Option<(f64, &'static str)>,
}

impl Figure {
    /// A figure from `samples` in the units of the programs.
    pub(crate) fn new(id: impl Into<String>, title: impl Into<String>, unit: Unit, samples: &[f64]) -> Self {
        Self::in_unit(id, title, unit, scaled(unit, samples))
    }

    /// A figure from `samples` in its own unit.
    pub(crate) fn in_unit(id: impl Into<String>, title: impl Into<String>, unit: Unit, samples: Vec<f64>) -> Self {
        let (id, title) = (id.into(), title.into());
        Self { id, title, unit, samples, peer: None, goal: Goal::None, reached: None }
    }

    /// Adds the peer's samples, in the figure's unit.
    pub(crate) fn beside_in_unit(mut self, name: &'static str, samples: Vec<f64>) -> Self {
        self.peer = Some(Peer { name, samples });
        self
    }

    /// Adds the peer's samples, in the units of the programs.
    pub(crate) fn beside(self, name: &'static str, samples: &[f64]) -> Self {
        let samples = scaled(self.unit, samples);
        self.beside_in_unit(name, samples)
    }

    /// Changes id and title.
    pub(crate) fn called(mut self, id: String, title: String) -> Self {
        (self.id, self.title) = (id, title);
        self
    }

    /// Adds the chosen work-group size to the title, unless it is empty.
    pub(crate) fn in_groups(mut self, size: &str) -> Self {
        if !size.is_empty() {
            self.title = format!("{} ({size})", self.title);
        }
        self
    }

    /// Sets the goal.
    pub(crate) fn goal(mut self, goal: Goal) -> Self {
        self.goal = goal;
        self
    }

    /// Adds the part of a limit that ours reaches.
    pub(crate) fn reaching(mut self, part: f64, limit: &'static str) -> Self {
        self.reached = Some((part, limit));
        self
    }

    /// Median of the ratios of all pairs.
    pub(crate) fn ratio(&self) -> Option<f64> {
        stats::median(&self.ratios()?)
    }

    // Difference of our median to the peer's.
    fn excess(&self) -> Option<f64> {
        Some(stats::median(&self.samples)? - stats::median(&self.peer.as_ref()?.samples)?)
    }

    /// Compares with the goal. A ratio is rounded to two decimals first: more is noise.
    pub(crate) fn verdict(&self) -> Verdict {
        let reached = match self.goal {
            Goal::Ratio(limit) => self.ratio().map(|ratio| (ratio * 100.0).round() / 100.0 <= limit),
            Goal::AtMost(limit) => stats::median(&self.samples).map(|median| median <= limit),
            Goal::Above(limit) => self.excess().map(|excess| excess <= limit),
            Goal::None => None,
        };
        match reached {
            Some(true) => Verdict::Met,
            Some(false) => Verdict::Missed,
            None => Verdict::Open,
        }
    }

    /// The figure in the form of the results file.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "title": self.title,
            "unit": self.unit.symbol(),
            "ours": samples_json(&self.samples),
            "peer": self.peer.as_ref().map(|peer| json!({"name": peer.name, "measured": samples_json(&peer.samples)})),
            "ratio": self.ratio(),
            "ratio_quartiles": self.ratio_quartiles(),
            "goal": self.goal_json(),
            "of_limit": self.reached.map(|(part, limit)| json!({"limit": limit, "part": part})),
            "reached": match self.verdict() { Verdict::Met => Some(true), Verdict::Missed => Some(false), Verdict::Open => None },
        })
    }

    /// Quartiles of the ratios of all pairs, as a measure of confidence in the median.
    pub(crate) fn ratio_quartiles(&self) -> Option<[f64; 2]> {
        stats::summary(&self.ratios()?).map(|found| [found.lower_quartile, found.upper_quartile])
    }

    fn ratios(&self) -> Option<Vec<f64>> {
        stats::paired_ratios(&self.samples, &self.peer.as_ref()?.samples)
    }

    fn goal_json(&self) -> Value {
        match self.goal {
            Goal::Ratio(limit) => json!({"kind": "ratio", "at_most": limit}),
            Goal::AtMost(limit) => json!({"kind": "indicative", "at_most": limit, "unit": self.unit.symbol()}),
            Goal::Above(limit) => json!({"kind": "above the peer", "at_most": limit, "unit": self.unit.symbol()}),
            Goal::None => Value::Null,
        }
    }
}

fn scaled(unit: Unit, samples: &[f64]) -> Vec<f64> {
    samples.iter().map(|sample| sample * unit.scale()).collect()
}

fn samples_json(samples: &[f64]) -> Value {
    let Some(found) = stats::summary(samples) else { return Value::Null };
    json!({
        "count": samples.len(),
        "minimum": found.minimum,
        "lower_quartile": found.lower_quartile,
        "median": found.median,
        "upper_quartile": found.upper_quartile,
        "maximum": found.maximum,
        "samples": samples,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triad(ours: &[f64], peer: &[f64]) -> Figure {
        Figure::new("stream.triad", "triad", Unit::Milliseconds, ours).beside("OpenMP", peer).goal(Goal::Ratio(1.0))
    }

    #[test]
    fn samples_are_kept_in_the_unit_of_the_figure() {
        let figure = triad(&[0.002], &[0.004]);
        assert_eq!(figure.samples, [2.0]);
        assert_eq!(figure.peer.as_ref().unwrap().samples, [4.0]);
        assert_eq!(figure.ratio(), Some(0.5));
    }

    #[test]
    fn a_chosen_group_size_is_part_of_the_title() {
        assert_eq!(triad(&[1.0], &[1.0]).in_groups("256").title, "triad (256)");
        assert_eq!(triad(&[1.0], &[1.0]).in_groups("").title, "triad");
    }

    #[test]
    fn a_ratio_goal_is_judged_at_two_decimals() {
        assert_eq!(triad(&[1.004], &[1.0]).verdict(), Verdict::Met);
        assert_eq!(triad(&[1.006], &[1.0]).verdict(), Verdict::Missed);
    }

    #[test]
    fn a_ratio_goal_without_a_peer_stays_open() {
        let figure = Figure::new("x", "x", Unit::Seconds, &[1.0]).goal(Goal::Ratio(1.0));
        assert_eq!(figure.verdict(), Verdict::Open);
    }

    #[test]
    fn an_absolute_goal_is_judged_by_the_median() {
        let figure = Figure::new("x", "x", Unit::Mebibytes, &[1024.0, 2048.0, 9e9]).goal(Goal::AtMost(2.0));
        assert_eq!(figure.verdict(), Verdict::Met);
    }

    #[test]
    fn a_goal_above_the_peer_is_judged_by_the_difference_of_the_medians() {
        let launch = |ours| {
            Figure::new("x", "x", Unit::Microseconds, &[ours]).beside("driver", &[2.7e-6]).goal(Goal::Above(0.15))
        };
        assert_eq!(launch(2.8e-6).verdict(), Verdict::Met);
        assert_eq!(launch(2.9e-6).verdict(), Verdict::Missed);
        assert_eq!(Figure::new("x", "x", Unit::Seconds, &[1.0]).goal(Goal::Above(1.0)).verdict(), Verdict::Open);
    }

    #[test]
    fn the_results_file_holds_samples_ratio_and_goal() {
        let value = triad(&[0.001, 0.002, 0.003], &[0.002, 0.002, 0.002]).to_json();
        assert_eq!(value["ours"]["median"], 2.0);
        assert_eq!(value["ours"]["count"], 3);
        assert_eq!(value["peer"]["name"], "OpenMP");
        assert_eq!(value["ratio"], 1.0);
        assert_eq!(value["goal"]["kind"], "ratio");
        assert_eq!(value["reached"], true);
    }
}
