//! Describes the machine; the description is part of every result.
//!
//! *Invariant:* unknown facts are left out; a description never makes a measurement fail.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::lab::Lab;
use crate::run;

// Prefixes of settings that affect figures.
const SETTINGS: [&str; 4] = ["SINTER_", "OMP_", "KMP_", "GOMP_"];
// Locations of tools, which do not affect figures.
const PLACES: [&str; 2] = ["SINTER_DIST", "SINTER_LLVM"];

// Largest share of busy time of an idle machine.
const QUIET: f64 = 0.1;
const MOMENT: Duration = Duration::from_millis(500);

/// Names and values, in a fixed order.
pub(crate) type Description = BTreeMap<String, String>;

/// Describes this machine and the tools in use.
pub(crate) fn describe(lab: &Lab) -> Description {
    let tools = [
        ("clang and LLVM", version_line(&lab.clang(), "clang version")),
        ("sinter-cc", version_line(&lab.sinter_cc(), "sinter-cc")),
    ];
    system().into_iter().chain(known(tools)).collect()
}

/// Describes this machine and the settings that affect figures.
pub(crate) fn system() -> Description {
    let facts = [
        ("cpu", field(&read("/proc/cpuinfo"), "model name")),
        ("cores", std::thread::available_parallelism().ok().map(|cores| cores.to_string())),
        ("memory", field(&read("/proc/meminfo"), "MemTotal")),
        ("kernel", trimmed("/proc/sys/kernel/osrelease")),
        ("transparent huge pages", trimmed("/sys/kernel/mm/transparent_hugepage/enabled")),
        ("load before", trimmed("/proc/loadavg")),
    ];
    known(facts).chain(settings()).collect()
}

fn known<const N: usize>(facts: [(&str, Option<String>); N]) -> impl Iterator<Item = (String, String)> {
    facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
}

/// Detects other load, before and after a suite.
#[derive(Debug)]
pub(crate) struct Watch {
    before: Option<f64>,
}

impl Watch {
    /// Measures the load for a moment.
    pub(crate) fn start() -> Self {
        Self { before: busy() }
    }

    /// Measures again; returns a warning if the machine was not idle either time.
    pub(crate) fn finish(&self) -> Option<String> {
        let busiest = self.before.into_iter().chain(busy()).reduce(f64::max)?;
        let percent = (busiest * 100.0).round();
        (busiest > QUIET).then(|| format!("Other work kept the CPUs {percent} % busy: do not publish these figures."))
    }
}

// The share of busy CPU time in a moment while this process sleeps.
fn busy() -> Option<f64> {
    let before = read("/proc/stat");
    std::thread::sleep(MOMENT);
    busy_between(&before, &read("/proc/stat"))
}

// Computes it from two readings of /proc/stat, whose first line counts ticks: user, nice, system,
// idle, iowait, ...
fn busy_between(before: &str, after: &str) -> Option<f64> {
    let (before, after) = (ticks(before)?, ticks(after)?);
    let spent: Vec<u64> = after.iter().zip(&before).map(|(after, before)| after.saturating_sub(*before)).collect();
    let total: u64 = spent.iter().sum();
    let idle: u64 = spent.iter().skip(3).take(2).sum();
    (total > 0).then(|| (total - idle) as f64 / total as f64)
}

fn ticks(stat: &str) -> Option<Vec<u64>> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    line.split_whitespace().map(|count| count.parse().ok()).collect()
}

fn settings() -> impl Iterator<Item = (String, String)> {
    let all = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    all.filter(|(name, _)| is_setting(name)).map(|(name, value)| (name, value.to_string_lossy().into_owned()))
}

fn is_setting(name: &str) -> bool {
    SETTINGS.iter().any(|prefix| name.starts_with(prefix)) && !PLACES.contains(&name)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn trimmed(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

// Value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The line of `--version` that names the tool; compiler drivers print several.
pub(crate) fn version_line(tool: &Path, name: &str) -> Option<String> {
    let text = run::finish(Command::new(tool).arg("--version")).ok()?;
    text.lines().find(|line| line.contains(name)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_matching_field_counts() {
        let text = "processor\t: 0\nmodel name\t: A 100\nmodel name\t: B\n";
        assert_eq!(field(text, "model name").as_deref(), Some("A 100"));
        assert_eq!(field(text, "MemTotal"), None);
    }

    #[test]
    fn idle_and_waiting_for_input_are_not_busy() {
        let before = "cpu  100 0 100 800 0 0 0\ncpu0 1 2 3\n";
        let after = "cpu  120 0 110 860 10 0 0\n";
        assert_eq!(busy_between(before, after), Some(0.3));
        assert_eq!(busy_between(before, before), None);
        assert_eq!(busy_between("", after), None);
    }

    #[test]
    fn settings_of_both_sides_are_recorded_but_places_are_not() {
        assert!(is_setting("OMP_NUM_THREADS") && is_setting("SINTER_CACHE_DIR"));
        assert!(!is_setting("SINTER_DIST") && !is_setting("HOME"));
    }
}
