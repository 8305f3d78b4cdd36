//! The report as a page for a browser.
//!
//! In: the variant records, the times of kernels, and facts of the process. Out: HTML that needs no
//! other file. *Invariant:* nothing that a program names, such as a kernel, is markup; the page
//! loads nothing and says so to the browser.
#![forbid(unsafe_code)]

mod kernels;
mod lanes;
mod markup;

use super::{Failure, Source, Statistics};
use crate::{abi, trace::totals::Totals};
use markup::{escaped, milliseconds};
use sinter_core::names::readable;
use std::{
    fmt::Write as _,
    sync::atomic::Ordering,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const SECONDS_OF_DAY: u64 = 24 * 3600;

/// Facts of the process that the page shows.
pub struct Facts {
    /// Settings that the environment has.
    pub settings: Vec<(&'static str, String)>,
}

/// The name of the program's file.
fn program() -> String {
    let path = std::env::current_exe().ok();
    let name = path.as_ref().and_then(|path| path.file_name());
    name.map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar. The formula is
/// Howard Hinnant's `civil_from_days` for days of our time.
fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(seconds / SECONDS_OF_DAY);
    let (hour, minute) = (seconds % SECONDS_OF_DAY / 3600, seconds % 3600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

fn tile(page: &mut String, number: &str, label: &str) {
    // Writing to a string cannot fail, here and below.
    let _ = write!(page, "<div class=tile><b>{}</b><span>{}</span></div>", escaped(number), escaped(label));
}

fn tiles(page: &mut String, statistics: &Statistics) {
    let abi::Statistics { launches, translated, translate_nanoseconds, load_nanoseconds, .. } =
        statistics.snapshot().statistics;
    let assemble = Duration::from_nanos(statistics.assemble_nanoseconds.load(Ordering::Relaxed));
    let variants = statistics.variants();
    let from = |source: Source| variants.iter().filter(|one| one.source == source).count();
    let [translate, load] = [translate_nanoseconds, load_nanoseconds].map(Duration::from_nanos);
    page.push_str("<div class=tiles>");
    tile(page, &launches.to_string(), "launches");
    tile(page, &variants.len().to_string(), "variants of kernels");
    tile(page, &translated.to_string(), &format!("translated, in {}", milliseconds(translate)));
    if !assemble.is_zero() {
        tile(page, &milliseconds(assemble), "in assemblers of drivers");
    }
    tile(page, &from(Source::Disk).to_string(), "from the disk cache");
    if from(Source::System) > 0 {
        tile(page, &from(Source::System).to_string(), "from read-only caches");
    }
    tile(page, &from(Source::Memory).to_string(), "from memory");
    tile(page, &milliseconds(load), "to load code");
    let errors = statistics.cache_errors.load(Ordering::Relaxed);
    if errors > 0 {
        tile(page, &errors.to_string(), "errors of the cache");
    }
    page.push_str("</div>");
}

fn failures(page: &mut String, failures: &[Failure]) {
    if failures.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Which kernels could not be compiled?</h2><div class=scroll><table><thead><tr><th>kernel<th>device\
         <th>for<th>after<th>why</thead>",
    );
    for Failure { variant, reason, ended, message } in failures {
        let (kernel, device) = (readable(&variant.kernel), &variant.device);
        let cells = [kernel.as_str(), device, reason.name(), &milliseconds(*ended)].map(escaped);
        let [kernel, device, reason, ended] = cells;
        let message = escaped(message);
        let _ = write!(
            page,
            "<tbody class=failure><tr><td class=kernel>{kernel}<td>{device}<td>{reason}<td class=number>{ended}\
             <td><pre>{message}</pre></tbody>"
        );
    }
    page.push_str("</table></div>");
}

fn settings(page: &mut String, facts: &Facts) {
    if facts.settings.is_empty() {
        return;
    }
    page.push_str("<h2>Which settings were given?</h2><div class=scroll><table><tbody>");
    for (name, value) in &facts.settings {
        let _ = write!(page, "<tr><td><code>{}</code><td><code>{}</code>", escaped(name), escaped(value));
    }
    page.push_str("</table></div>");
}

/// The page.
pub(crate) fn render(statistics: &Statistics, totals: Option<&Totals>, facts: &Facts) -> String {
    let (program, version, age) = (escaped(&program()), env!("CARGO_PKG_VERSION"), statistics.age());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\"><title>Kernels of {program}</title>\n<style>\n{STYLE}</style></head><body><main>\
         <h1>Kernels of {program}</h1><p>Sinter {version}, process {}, {}, {:.2} s from the first use of Sinter to the \
         report</p>",
        std::process::id(),
        now(),
        age.as_secs_f64(),
    );
    tiles(&mut page, statistics);
    failures(&mut page, &statistics.failures());
    kernels::write(&mut page, &super::summary::kernels(statistics, totals));
    lanes::write(&mut page, &statistics.variants());
    settings(&mut page, facts);
    let _ = write!(page, "</main>\n<script>\n{SCRIPT}</script></body></html>\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Reason, Variant, VariantRecord};
    use sinter_core::OptLevel;

    fn statistics() -> Statistics {
        let statistics = Statistics::default();
        let variant = Variant { kernel: "a<b>&\"c\"".into(), device: "cpu".into(), description: "1-D range".into() };
        for (level, reason) in [(OptLevel::O1, Reason::Launch), (OptLevel::O3, Reason::Upgrade)] {
            statistics.record(VariantRecord {
                variant: variant.clone(),
                level,
                reason,
                begun: Duration::from_millis(5),
                source: Source::Translated,
                translate: Duration::from_millis(3),
                assemble: Duration::ZERO,
                load: Duration::from_micros(250),
                launches: 7.into(),
                verdict: Default::default(),
                choices: Default::default(),
            });
        }
        statistics.fail(&variant, Reason::Values, "<no>".to_owned());
        statistics
    }

    #[test]
    fn a_page_has_each_kernel_and_loads_nothing() {
        let totals = Totals::default();
        totals.add(&"a<b>&\"c\"".into(), &"cpu".into(), 1_500_000);
        let facts = Facts { settings: vec![("SINTER_REPORT", "x.html".to_owned())] };
        let page = render(&statistics(), Some(&totals), &facts);
        for part in ["a&lt;b&gt;&amp;&quot;c&quot;", "&lt;no&gt;", ">quick<", ">full<", "upgrade", "1.500", "x.html"] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("a<b>") && !page.contains("<no>"));
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains(" src="));
    }

    #[test]
    fn a_program_without_kernels_has_a_page() {
        let page = render(&Statistics::default(), None, &Facts { settings: Vec::new() });
        assert!(page.contains("No kernel was launched") && page.ends_with("</html>\n"));
    }

    #[test]
    fn days_have_dates() {
        let known = [(0, (1970, 1, 1)), (59, (1970, 3, 1)), (11_016, (2000, 2, 29)), (20_089, (2025, 1, 1))];
        for (days, expected) in known {
            assert_eq!(date(days), expected);
        }
    }
}
