//! The table of kernels that `SINTER_REPORT` enables.
//!
//! In: the variant records, and the times of kernels. Out: aligned tables, or a page.
//! *Invariant:* writing it never fails a program.
#![forbid(unsafe_code)]

use super::{
    page::{self, Facts},
    summary::{self, description, tier},
};
use crate::{
    settings::ReportTarget,
    statistics::{Statistics, VariantRecord},
    trace::{
        self,
        totals::{Total, Totals},
    },
};
use sinter_core::names::readable;
use std::{fs, io, io::Write, sync::atomic::Ordering, time::Duration};

const COLUMNS: usize = 9;
const HEADINGS: [&str; COLUMNS] =
    ["kernel", "device", "variant", "code", "source", "translate ms", "assemble ms", "load ms", "launches"];

fn milliseconds(duration: Duration) -> String {
    format!("{:.3}", duration.as_secs_f64() * 1e3)
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

/// Formats the times of kernels on their devices, in milliseconds. Empty if there are none.
fn render_times(statistics: &Statistics, totals: &Totals) -> String {
    let ms = |nanoseconds| milliseconds(Duration::from_nanos(nanoseconds));
    let row = |one: summary::KernelSummary| {
        let Total { runs, sum, least, most } = one.times?;
        let counts = [one.launches, runs].map(|count| count.to_string());
        let [launches, runs] = counts;
        let mean = ms(sum / one.times?.runs.max(1));
        Some([one.kernel, one.device, launches, runs, ms(sum), mean, ms(least), ms(most)])
    };
    let rows: Vec<_> = summary::kernels(statistics, Some(totals)).into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let headings = ["kernel", "device", "launches", "timed", "total ms", "mean ms", "min ms", "max ms"];
    let headings = headings.map(str::to_owned);
    format!("\n{}", table(2, std::iter::once(headings).chain(rows).collect()))
}

/// The report as text.
fn text(statistics: &Statistics) -> String {
    let times = trace::totals().map(|totals| render_times(statistics, totals));
    render(statistics) + &times.unwrap_or_default()
}

/// Writes the report to its destination. Errors go to standard error, because a process that is
/// ending has no subscriber for log events any more.
pub fn write(statistics: &Statistics, target: &ReportTarget, facts: &Facts) {
    let say = |text: &str| io::stderr().write_all(text.as_bytes());
    let save = |path: &std::path::Path, text: &str| {
        fs::write(path, text)
            .or_else(|error| say(&format!("sinter: the report cannot be written to {}: {error}\n", path.display())))
    };
    let write = || match target {
        ReportTarget::Stderr => say(&text(statistics)),
        ReportTarget::File(path) => save(path, &text(statistics)),
        ReportTarget::Page(path) => save(path, &page::render(statistics, trace::totals(), facts)),
    };
    // No channel is left to report a failure.
    let _ = sinter_signals::with_signals_blocked(write);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Reason, Source, Variant, Verdict};
    use sinter_core::OptLevel;

    fn record(description: &str, level: OptLevel) -> VariantRecord {
        VariantRecord {
            variant: Variant { kernel: "triad".into(), device: "cpu".into(), description: description.into() },
            level,
            reason: Reason::Launch,
            begun: Duration::ZERO,
            source: Source::Disk,
            translate: Duration::ZERO,
            assemble: Duration::from_micros(250),
            load: Duration::from_micros(1500),
            launches: 12.into(),
            verdict: Default::default(),
            choices: Default::default(),
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
    fn times_are_those_of_runs_that_were_timed() {
        let (statistics, totals) = (Statistics::default(), Totals::default());
        assert_eq!(render_times(&statistics, &totals), "");
        statistics.record(record("group 64x1x1", OptLevel::O1));
        statistics.record(record("group 32x1x1", OptLevel::O3));
        assert_eq!(render_times(&statistics, &totals), "", "no zeros for what was not timed");
        for time in [2_000_000, 500_000] {
            totals.add(&"triad".into(), &"cpu".into(), time);
        }
        assert_eq!(
            render_times(&statistics, &totals),
            "\nkernel  device  launches  timed  total ms  mean ms  min ms  max ms\n\
             triad   cpu           24      2     2.500    1.250   0.500   2.000\n"
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
