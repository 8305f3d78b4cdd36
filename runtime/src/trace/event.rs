//! Events in the format of Chrome's trace viewer.
//!
//! In: names and times. Out: JSON objects. *Invariant:* the text is valid JSON, whatever the names.
#![forbid(unsafe_code)]

use std::fmt::Write as _;

/// Tracks of queues follow the numbers that threads may have.
const FIRST_QUEUE: u64 = 1 << 32;

/// A piece of work with a begin and an end, in nanoseconds of `CLOCK_MONOTONIC`.
pub(super) struct Event {
    pub(super) name: String,
    pub(super) category: &'static str,
    /// Number of the thread, or that of a queue.
    pub(super) track: u64,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) arguments: Vec<(&'static str, String)>,
}

/// The track of a queue.
pub(super) fn track_of_queue(number: u64) -> u64 {
    FIRST_QUEUE + number
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            // Writing to a string cannot fail.
            '\0'..' ' => drop(write!(quoted, "\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Nanoseconds as the microseconds of the format.
fn microseconds(nanoseconds: u64) -> String {
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

fn arguments(pairs: &[(&'static str, String)]) -> String {
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    format!("{{{}}}", pairs.join(","))
}

impl Event {
    /// A complete event (phase `X`) of the process.
    pub(super) fn to_json(&self, process: u32) -> String {
        let Event { name, category, track, start, end, arguments: pairs } = self;
        let (name, arguments) = (quoted(name), arguments(pairs));
        let (start, duration) = (microseconds(*start), microseconds(end.saturating_sub(*start)));
        format!(
            "{{\"name\":{name},\"cat\":\"{category}\",\"ph\":\"X\",\"ts\":{start},\"dur\":{duration},\
             \"pid\":{process},\"tid\":{track},\"args\":{arguments}}}"
        )
    }
}

/// The event that names a process or a track (phase `M`).
pub(super) fn naming(what: &str, name: &str, process: u32, track: u64) -> String {
    let name = quoted(name);
    format!("{{\"name\":\"{what}\",\"ph\":\"M\",\"pid\":{process},\"tid\":{track},\"args\":{{\"name\":{name}}}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_times_are_exact() {
        let event = Event {
            name: "a \"b\"\\\n".into(),
            category: "host",
            track: 3,
            start: 1_002_003,
            end: 1_002_010,
            arguments: vec![("kernel", "k".into())],
        };
        let expected = r#"{"name":"a \"b\"\\\u000a","cat":"host","ph":"X","ts":1002.003,"dur":0.007,"pid":9,"tid":3,"args":{"kernel":"k"}}"#;
        assert_eq!(event.to_json(9), expected);
    }
}
