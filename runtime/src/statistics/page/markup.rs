//! Pieces of HTML.
#![forbid(unsafe_code)]

use std::time::Duration;

/// The text of an element or of an attribute in quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A time in milliseconds, so that the points of a column are below one another; a dash if there is
/// none.
pub(super) fn number_of_milliseconds(time: Duration) -> String {
    if time.is_zero() { "\u{2013}".to_owned() } else { format!("{:.3}", time.as_secs_f64() * 1e3) }
}

/// A time with its unit.
pub(super) fn milliseconds(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds if seconds >= 0.1 => format!("{:.0} ms", seconds * 1e3),
        seconds => format!("{:.2} ms", seconds * 1e3),
    }
}

/// A cell with a number that a table is sorted by.
pub(super) fn number_cell(key: u128, text: &str) -> String {
    format!("<td class=number data-key={key}>{}", escaped(text))
}
