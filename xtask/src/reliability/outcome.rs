//! Result of a campaign, and the tables of all campaigns.
//!
//! *Invariant:* a campaign without any try is skipped with its reason, or failed; never passed.

use std::{collections::BTreeMap, fmt::Write};

/// Number of messages kept for each kind of failure.
const KEPT: usize = 3;
/// Number of characters kept of a message.
const LENGTH: usize = 400;

/// Failures of one kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Failures {
    pub(super) count: u64,
    pub(super) messages: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) tries: u64,
    pub(super) failures: BTreeMap<&'static str, Failures>,
    /// Events in tries that passed, by kind.
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// Parts that were not tried, with the reason.
    pub(super) skipped: Vec<String>,
}

impl Outcome {
    pub(super) fn skip(&mut self, reason: impl Into<String>) {
        self.skipped.push(reason.into());
    }

    pub(super) fn count(&mut self, kind: &'static str, number: u64) {
        *self.counts.entry(kind).or_default() += number;
    }

    pub(super) fn fail(&mut self, kind: &'static str, message: impl AsRef<str>) {
        let failures = self.failures.entry(kind).or_default();
        failures.count += 1;
        if failures.messages.len() < KEPT {
            failures.messages.push(message.as_ref().trim().chars().take(LENGTH).collect());
        }
    }

    /// Records a failure unless `holds`.
    pub(super) fn expect(&mut self, holds: bool, kind: &'static str, message: impl FnOnce() -> String) {
        if !holds {
            self.fail(kind, message());
        }
    }

    pub(super) fn failed(&self) -> u64 {
        let counted: u64 = self.failures.values().map(|failures| failures.count).sum();
        counted + u64::from(self.tries == 0 && self.skipped.is_empty())
    }

    fn verdict(&self) -> &'static str {
        match (self.failed(), self.tries) {
            (0, 0) => "skipped",
            (0, _) => "passed",
            _ => "failed",
        }
    }

    /// The counts, then the skipped parts.
    fn details(&self) -> String {
        let counts = self.counts.iter().map(|(kind, count)| format!("{kind}: {count}"));
        let failures = self.failures.iter().map(|(kind, failures)| format!("failed, {kind}: {}", failures.count));
        let skipped = self.skipped.iter().map(|reason| format!("skipped: {reason}"));
        failures.chain(counts).chain(skipped).collect::<Vec<_>>().join("; ")
    }
}

/// One row of the tables.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) outcome: Outcome,
    pub(super) seconds: u64,
}

pub(super) fn markdown(seed: u64, rows: &[Row]) -> String {
    let mut text =
        format!("Seed {seed}.\n\n| campaign | tries | failures | seconds | details |\n|---|--:|--:|--:|---|\n");
    for Row { name, outcome, seconds } in rows {
        let (tries, failed) = (outcome.tries, outcome.failed());
        let details = outcome.details().replace('|', "\\|").replace('\n', " ");
        let _ = writeln!(text, "| {name} | {tries} | {failed} | {seconds} | {details} |");
    }
    for Row { name, outcome, .. } in rows {
        for (kind, failures) in &outcome.failures {
            let _ = write!(text, "\n{name}, {kind}:\n");
            failures
                .messages
                .iter()
                .for_each(|message| text += &format!("\n    {}\n", message.replace('\n', "\n    ")));
        }
    }
    text
}

pub(super) fn json(seed: u64, rows: &[Row]) -> String {
    let rows: Vec<_> = rows.iter().map(object).collect();
    format!("{{\"seed\":{seed},\"campaigns\":[\n{}\n]}}\n", rows.join(",\n"))
}

fn object(row: &Row) -> String {
    let Row { name, outcome, seconds } = row;
    let counts: Vec<_> = outcome.counts.iter().map(|(kind, count)| format!("{}:{count}", string(kind))).collect();
    let failures = outcome.failures.iter().map(|(kind, failures)| {
        format!("{}:{{\"count\":{},\"messages\":{}}}", string(kind), failures.count, array(&failures.messages))
    });
    format!(
        "{{\"name\":{},\"verdict\":\"{}\",\"tries\":{},\"failed\":{},\"seconds\":{seconds},\"counts\":{{{}}},\
         \"failures\":{{{}}},\"skipped\":{}}}",
        string(name),
        outcome.verdict(),
        outcome.tries,
        outcome.failed(),
        counts.join(","),
        failures.collect::<Vec<_>>().join(","),
        array(&outcome.skipped)
    )
}

fn array(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| string(text)).collect::<Vec<_>>().join(","))
}

fn string(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c < ' ' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let mut bad = Outcome { tries: 3, ..Outcome::default() };
        bad.count("killed", 2);
        (0..5).for_each(|number| bad.fail("wrong | result", format!("line {number}\nsaid \"no\"")));
        let mut skipped = Outcome::default();
        skipped.skip("gdb is missing");
        let row = |name, outcome| Row { name, outcome, seconds: 1 };
        vec![row("kills", bad), row("debuggers", skipped)]
    }

    #[test]
    fn the_table_has_a_row_for_each_campaign_and_the_first_messages() {
        let text = markdown(7, &rows());
        assert!(text.starts_with("Seed 7.\n"), "{text}");
        assert!(text.contains("| kills | 3 | 5 | 1 | failed, wrong \\| result: 5; killed: 2 |\n"), "{text}");
        assert!(text.contains("| debuggers | 0 | 0 | 1 | skipped: gdb is missing |\n"), "{text}");
        assert!(text.contains("    line 2\n    said") && !text.contains("line 3"), "{text}");
    }

    #[test]
    fn json_is_escaped() {
        let text = json(7, &rows());
        assert!(text.contains(r#""name":"kills","verdict":"failed","tries":3,"failed":5"#), "{text}");
        assert!(text.contains(r#""line 0\u000asaid \"no\"""#), "{text}");
        assert!(text.contains(r#""verdict":"skipped","tries":0,"failed":0"#), "{text}");
    }

    #[test]
    fn nothing_tried_is_a_failure_without_a_reason() {
        assert_eq!(Outcome::default().failed(), 1);
        assert_eq!(rows()[1].outcome.failed(), 0);
        assert_eq!(Outcome { tries: 1, ..Outcome::default() }.failed(), 0);
    }
}
