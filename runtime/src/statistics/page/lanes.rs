//! The time at which each variant was compiled.
//!
//! *Invariant:* lanes are in the order of time. Where there are too many, the shortest
//! compilations are left out, and the page says how many.
#![forbid(unsafe_code)]

use super::{
    super::{
        VariantRecord,
        summary::{description, tier},
    },
    markup::{escaped, milliseconds, number_of_milliseconds},
};
use sinter_core::names::readable;
use std::{cmp::Reverse, fmt::Write as _, sync::Arc, time::Duration};

/// Lanes of a page.
const MOST: usize = 80;
/// Divisions of the axis.
const STEPS: u32 = 4;

const HEAD: &str = "<h2>When was what compiled?</h2><p class=key><span><i class=translate></i>translate</span>\
    <span><i class=assemble></i>assemble</span><span><i class=load></i>load</span></p>";

fn taken(record: &VariantRecord) -> Duration {
    record.translate + record.assemble + record.load
}

fn end(record: &VariantRecord) -> Duration {
    record.begun + taken(record)
}

/// A time in hundredths of the axis.
fn part(time: Duration, whole: Duration) -> f64 {
    time.as_secs_f64() * 100.0 / whole.as_secs_f64().max(1e-9)
}

fn lane(page: &mut String, record: &VariantRecord, whole: Duration) {
    let (kernel, description) = (escaped(&readable(&record.variant.kernel)), escaped(&description(record)));
    let [translate, assemble, load] = [record.translate, record.assemble, record.load].map(number_of_milliseconds);
    let (tier, reason, source) = (tier(record.level), record.reason.name(), record.source.name());
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        page,
        "<div class=lane title=\"{kernel}, {description}: {source}, begun at {}; translate {translate} ms, \
         assemble {assemble} ms, load {load} ms\"><div class=name><code>{kernel}</code> <small>{tier}, {reason}</small>\
         </div><div class=track>",
        milliseconds(record.begun),
    );
    let mut start = record.begun;
    for (phase, time) in [("translate", record.translate), ("assemble", record.assemble), ("load", record.load)] {
        if !time.is_zero() {
            let (left, width) = (part(start, whole).min(99.8), part(time, whole));
            let _ = write!(page, "<i class={phase} style=\"left:{left:.2}%;width:{width:.2}%\"></i>");
        }
        start += time;
    }
    page.push_str("</div></div>");
}

/// Writes the lanes of all code that was not in the process already.
pub(super) fn write(page: &mut String, variants: &[Arc<VariantRecord>]) {
    let mut lanes: Vec<_> = variants.iter().filter(|one| !taken(one).is_zero()).collect();
    let left_out = lanes.len().saturating_sub(MOST);
    if lanes.is_empty() {
        return;
    }
    lanes.sort_by_key(|one| Reverse(taken(one)));
    lanes.truncate(MOST);
    lanes.sort_by_key(|one| one.begun);
    let whole = lanes.iter().map(|one| end(one)).max().unwrap_or_default();
    page.push_str(HEAD);
    if left_out > 0 {
        let _ = write!(page, "<p>The {MOST} longest; {left_out} shorter ones are left out.</p>");
    }
    page.push_str("<div class=scroll>");
    lanes.iter().for_each(|one| lane(page, one, whole));
    page.push_str("<div class=\"lane axis\"><div>from the first use of Sinter</div><div class=track>");
    for step in 0..=STEPS {
        let _ = write!(page, "<span>{}</span>", milliseconds(whole * step / STEPS));
    }
    page.push_str("</div></div></div>");
}
