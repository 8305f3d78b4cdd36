//! Writes a suite's report to `NAME.json` and `NAME.md`, and its table to stdout.
//!
//! *Invariant:* both files name the machine and the tools, and the failed parts.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::error::BenchError;
use crate::figure::Figure;
use crate::lab;
use crate::machine::Description;
use crate::table;

const READING_NOTE: &str = "Every ratio is Sinter divided by its peer, the median over pairs of processes run in turn; smaller is \
better. Absolute times and the goals they are compared with are only indicative: they depend on the machine and on what else \
runs there.";

/// Results of a suite.
#[derive(Debug)]
pub(crate) struct Report {
    /// Name of the suite and of the files.
    pub(crate) suite: &'static str,
    /// Description of the machine.
    pub(crate) machine: Description,
    /// Figures in the order of the table.
    pub(crate) figures: Vec<Figure>,
    /// Further tables: heading and text.
    pub(crate) tables: Vec<(&'static str, String)>,
    /// Observations that are not numbers.
    pub(crate) notes: Vec<String>,
    /// Parts that could not be measured, with the reasons.
    pub(crate) failures: Vec<(String, String)>,
}

impl Report {
    /// An empty report of `suite`.
    pub(crate) fn new(suite: &'static str, machine: Description) -> Self {
        Self { suite, machine, figures: Vec::new(), tables: Vec::new(), notes: Vec::new(), failures: Vec::new() }
    }

    fn to_json(&self) -> Value {
        let failures: Vec<_> =
            self.failures.iter().map(|(part, reason)| json!({"part": part, "reason": reason})).collect();
        json!({
            "suite": self.suite,
            "machine": self.machine,
            "figures": self.figures.iter().map(Figure::to_json).collect::<Vec<_>>(),
            "notes": self.notes,
            "failures": failures,
        })
    }

    fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n{READING_NOTE}\n", self.suite, table::markdown(&self.figures));
        for (heading, table) in &self.tables {
            text += &format!("\n## {heading}\n\n{table}");
        }
        text += &list("Notes", self.notes.iter().cloned());
        text += &list("Not measured", self.failures.iter().map(|(part, reason)| format!("{part}: {reason}")));
        text += &list("Machine", self.machine.iter().map(|(name, value)| format!("{name}: {value}")));
        text
    }
}

/// Writes both files into `folder` and prints the table.
pub(crate) fn write(folder: &Path, report: &Report) -> Result<(), BenchError> {
    save(folder, report)?;
    print(&report.to_markdown())
}

/// Writes both files into `folder`.
pub(crate) fn save(folder: &Path, report: &Report) -> Result<(), BenchError> {
    lab::make_folder(folder)?;
    write_file(&folder.join(format!("{}.json", report.suite)), &format!("{:#}\n", report.to_json()))?;
    write_file(&folder.join(format!("{}.md", report.suite)), &report.to_markdown())
}

fn list(title: &str, items: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for item in items {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "* {}", item.replace('\n', "\n  "));
    }
    if text.is_empty() { text } else { format!("\n## {title}\n\n{text}") }
}

fn write_file(path: &Path, text: &str) -> Result<(), BenchError> {
    fs::write(path, text).map_err(|source| BenchError::Write { path: path.to_owned(), source })
}

// A reader that closes the pipe has read enough.
fn print(text: &str) -> Result<(), BenchError> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(source) if source.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(BenchError::Write { path: "stdout".into(), source })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    fn report() -> Report {
        Report {
            suite: "cpu",
            machine: Description::from([("cpu".to_owned(), "A 100".to_owned())]),
            figures: vec![Figure::new("start", "start", Unit::Milliseconds, &[0.001])],
            tables: vec![("Floors", "| a |\n".to_owned())],
            notes: Vec::new(),
            failures: vec![("stream".to_owned(), "first line\nsecond line".to_owned())],
        }
    }

    #[test]
    fn the_results_file_tells_machine_figures_and_failures() {
        let value = report().to_json();
        assert_eq!(value["machine"]["cpu"], "A 100");
        assert_eq!(value["figures"][0]["id"], "start");
        assert_eq!(value["failures"][0]["part"], "stream");
    }

    #[test]
    fn empty_lists_have_no_heading_and_long_items_stay_indented() {
        let text = report().to_markdown();
        assert!(!text.contains("## Notes"), "{text}");
        assert!(text.contains("## Floors\n\n| a |\n"), "{text}");
        assert!(text.contains("## Not measured\n\n* stream: first line\n  second line\n"), "{text}");
    }
}
