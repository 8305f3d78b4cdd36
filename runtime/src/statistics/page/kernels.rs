//! The table of kernels, with the variants of each.
#![forbid(unsafe_code)]

use super::{
    super::{
        VariantRecord,
        summary::{KernelSummary, description, launches, tier},
    },
    markup::{escaped, number_cell, number_of_milliseconds},
};
use crate::trace::totals::Total;
use std::{fmt::Write as _, sync::Arc, time::Duration};

/// With more kernels their variants are folded away.
const UNFOLDED: usize = 12;

const HEAD: &str = "<h2>Where did the time of kernels go?</h2>\
    <p>Times are those of kernels on their devices, from start to end. Kernels on the host CPU are timed, those on \
    other devices in queues with profiling, or all with SINTER_TRACE. Click a heading to sort.</p>\
    <div class=scroll><table class=sortable><thead><tr><th><button>kernel</button><th><button>device</button>\
    <th class=number><button>launches</button><th class=number><button>timed</button>\
    <th class=number aria-sort=descending><button>total ms</button><th class=number><button>mean ms</button>\
    <th class=number><button>min ms</button><th class=number><button>max ms</button>\
    <th class=number><button>compiled ms</button></thead>";

const VARIANTS: &str = "<table><colgroup><col><col class=short><col class=word><col class=word><col class=time>\
    <col class=time><col class=time><col class=time></colgroup><thead><tr><th>launches it is for\
    <th>code<th>made for<th>from\
    <th class=number>translate ms<th class=number>assemble ms<th class=number>load ms<th class=number>launches</thead>";

fn time_cell(time: Duration) -> String {
    number_cell(time.as_nanos(), &number_of_milliseconds(time))
}

/// A bar of so many hundredths of its cell.
fn bar(share: f64) -> String {
    if share == 0.0 { String::new() } else { format!("<div class=share style=\"width:{share:.1}%\"></div>") }
}

/// Runs, total, mean, minimum and maximum.
fn times(total: Option<Total>) -> String {
    let Some(Total { runs, sum, least, most }) = total else {
        return "<td class=\"number none\" data-key=-1>&ndash;".repeat(5);
    };
    let cells = [sum, sum / runs.max(1), least, most].map(|time| time_cell(Duration::from_nanos(time)));
    number_cell(u128::from(runs), &runs.to_string()) + &cells.concat()
}

fn variant(page: &mut String, record: &VariantRecord, all: u64) {
    let (own, tier) = (launches(record), tier(record.level));
    let bar = bar(own as f64 * 100.0 / all.max(1) as f64);
    let [translate, assemble, load] = [record.translate, record.assemble, record.load].map(number_of_milliseconds);
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        page,
        "<tr><td>{}<td><span class=\"tag {tier}\">{tier}</span><td>{}<td>{}<td class=number>{translate}\
         <td class=number>{assemble}<td class=number>{load}<td class=number>{own}{bar}",
        escaped(&description(record)),
        record.reason.name(),
        record.source.name(),
    );
}

fn kernel(page: &mut String, one: &KernelSummary, longest: u64, is_open: bool) {
    let KernelSummary { kernel, device, launches, times: total, variants } = one;
    let bar = bar(total.map_or(0.0, |total| total.sum as f64 * 100.0 / longest.max(1) as f64));
    let compiled: Duration = variants.iter().map(|one: &Arc<VariantRecord>| one.translate + one.assemble).sum();
    let _ = write!(
        page,
        "<tbody><tr><td class=kernel>{}{bar}<td>{}{}{}{}\
         <tr class=variants><td colspan=9><details{}><summary class=none>{} variant{}</summary>\
         <div class=inner>{VARIANTS}",
        escaped(kernel),
        escaped(device),
        number_cell(u128::from(*launches), &launches.to_string()),
        times(*total),
        time_cell(compiled),
        if is_open { " open" } else { "" },
        variants.len(),
        if variants.len() == 1 { "" } else { "s" },
    );
    variants.iter().for_each(|record| variant(page, record, *launches));
    page.push_str("</table></div></details></tbody>");
}

/// Writes the table.
pub(super) fn write(page: &mut String, kernels: &[KernelSummary]) {
    if kernels.is_empty() {
        page.push_str("<h2>No kernel was launched.</h2>");
        return;
    }
    let longest = kernels.iter().filter_map(|one| one.times).map(|total| total.sum).max().unwrap_or(0);
    page.push_str(HEAD);
    kernels.iter().for_each(|one| kernel(page, one, longest, kernels.len() <= UNFOLDED));
    page.push_str("</table></div>");
}
