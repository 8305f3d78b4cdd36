//! Numbers and fields of keys as people read them.

use sinter_core::KeyFields;
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// Digits of a key that tell it from others; what `ls` prints and `explain` takes.
pub(crate) const KEY_DIGITS: usize = 16;

/// A duration in its largest unit.
pub(crate) fn age(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        seconds @ 0..MINUTE => format!("{seconds}s"),
        seconds @ MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h", seconds / HOUR),
        seconds => format!("{}d", seconds / DAY),
    }
}

/// One field of a key as text.
pub(crate) fn field(fields: &KeyFields, name: &str) -> String {
    let found = fields.iter().find(|(field, _)| *field == name);
    found.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
}

/// What the code of a key runs on.
pub(crate) fn target(fields: &KeyFields) -> String {
    match field(fields, "target").as_str() {
        "ptx" => format!("ptx:sm_{}", field(fields, "sm")),
        family => format!("{family}:{}", field(fields, "cpu")),
    }
}

/// Files and their bytes.
pub(crate) fn amount(files: usize, bytes: u64) -> String {
    let noun = if files == 1 { "file" } else { "files" };
    format!("{files} {noun}, {bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_spelled_as_devices_spell_them() {
        let fields = |pairs: [(&str, &str); 2]| {
            let mut fields = KeyFields::new();
            pairs.iter().for_each(|(name, value)| fields.add_text(name, value));
            target(&fields)
        };
        assert_eq!(fields([("target", "host"), ("cpu", "znver4")]), "host:znver4");
        assert_eq!(fields([("target", "ptx"), ("sm", "90")]), "ptx:sm_90");
    }

    #[test]
    fn ages_have_one_unit() {
        let texts = [5, 65, 3700, 200_000].map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(texts, ["5s", "1m", "1h", "2d"]);
    }
}
