//! The table of kernels that `SINTER_REPORT` enables.
//!
//! In: the variant records. Out: an aligned table. *Invariant:* writing it never fails a program.
#![forbid(unsafe_code)]

use crate::{
    settings::ReportTarget,
    statistics::{Statistics, VariantRecord, Verdict},
    trace::{
        self,
        totals::{Total, Totals},
    },
};
use sinter_core::{OptLevel, names::readable};
use std::{fs, io, io::Write, sync::atomic::Ordering, time::Duration};

const COLUMNS: usize = 9;
const HEADINGS: [&str; COLUMNS] =
    ["kernel", "device", "variant", "code", "source", "translate ms", "assemble ms", "load ms", "launches"];

fn milliseconds(duration: Duration) -> String {
    format!("{:.3}", duration.as_secs_f64() * 1e3)
}

fn tier(level: OptLevel) -> &'static str {
    match level {
        OptLevel::O0 => "O0",
        OptLevel::O1 => "quick",
        OptLevel::O3 => "full",
    }
}

/// The description of a variant; for code for values with its time, in times of code for all.
fn description(record: &VariantRecord) -> String {
    let text = &record.variant.description;
    match record.verdict.get() {
        Some(Verdict { ratio, .. }) if ratio.is_nan() => format!("{text} (not timed)"),
        Some(Verdict { ratio, is_kept: true }) => format!("{text} ({ratio:.2} of general)"),
        Some(Verdict { ratio, is_kept: false }) => format!("{text} ({ratio:.2} of general, dropped)"),
        None => text.clone(),
    }
}

fn cells(record: &VariantRecord) -> [String; COLUMNS] {
    [
        readable(&record.variant.kernel),
        record.variant.device.clone(),
        description(record),
        tier(record.level).to_owned(),
        record.source.name().to_owned(),
        milliseconds(record.translate),
        milliseconds(record.assemble),
        milliseconds(record.load),
        record.launches.load(Ordering::Relaxed).to_string(),
    ]
}

/// Joins cells with two spaces; the first `strings` are aligned left, the numbers right.
fn line<const N: usize>(strings: usize, cells: &[String; N], widths: &[usize; N]) -> String {
    let padded = cells.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
        if column < strings { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    });
    padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
}

fn table<const N: usize>(strings: usize, rows: Vec<[String; N]>) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = std::array::from_fn(width);
    rows.iter().map(|row| line(strings, row, &widths)).collect()
}

/// Formats the report.
pub fn render(statistics: &Statistics) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(statistics.variants().iter().map(|record| cells(record)));
    table(5, rows)
}

/// Formats the times of kernels on their devices, in milliseconds.
fn render_times(totals: &Totals) -> String {
    let ms = |nanoseconds| milliseconds(Duration::from_nanos(nanoseconds));
    let row = |((kernel, device), total): ((String, String), Total)| {
        let Total { runs, sum, least, most } = total;
        [kernel, device, runs.to_string(), ms(sum), ms(sum / runs.max(1)), ms(least), ms(most)]
    };
    let headings = ["kernel", "device", "runs", "total ms", "mean ms", "min ms", "max ms"].map(str::to_owned);
    table(2, std::iter::once(headings).chain(totals.sorted().into_iter().map(row)).collect())
}

/// Writes the report to its destination. Errors go to standard error, because a process that is
/// ending has no subscriber for log events any more.
pub fn write(statistics: &Statistics, target: &ReportTarget) {
    let times = trace::totals().map(|totals| format!("\n{}", render_times(totals)));
    let text = render(statistics) + &times.unwrap_or_default();
    let say = |text: &str| io::stderr().write_all(text.as_bytes());
    let write = || match target {
        ReportTarget::Stderr => say(&text),
        ReportTarget::File(path) => fs::write(path, &text)
            .or_else(|error| say(&format!("sinter: the report cannot be written to {}: {error}\n", path.display()))),
    };
    // No channel is left to report a failure.
    let _ = sinter_signals::with_signals_blocked(write);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Source, Variant};

    fn record(description: &str, level: OptLevel) -> VariantRecord {
        VariantRecord {
            variant: Variant { kernel: "triad".into(), device: "cpu".into(), description: description.into() },
            level,
            source: Source::Disk,
            translate: Duration::ZERO,
            assemble: Duration::from_micros(250),
            load: Duration::from_micros(1500),
            launches: 12.into(),
            verdict: Default::default(),
        }
    }

    #[test]
    fn columns_are_aligned() {
        let statistics = Statistics::default();
        statistics.record(record("group 64x1x1", OptLevel::O1));
        assert_eq!(
            render(&statistics),
            "kernel  device  variant       code   source  translate ms  assemble ms  load ms  launches\n\
             triad   cpu     group 64x1x1  quick  disk           0.000        0.250    1.500        12\n"
        );
    }

    #[test]
    fn code_for_values_is_listed_with_its_gain() {
        for (special, expected) in [(45, "if argument 0 is 1 (0.45 of general)"), (117, "(1.17 of general, dropped)")] {
            let record = record("if argument 0 is 1", OptLevel::O3);
            record.verdict.set(Verdict::of(special, 100)).expect("no verdict so far");
            assert!(description(&record).ends_with(expected), "{}", description(&record));
        }
    }
}
