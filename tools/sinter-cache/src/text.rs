//! Formats numbers and fields of keys for people.

use sinter_core::KeyFields;
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// Digits of a key that identify it: `ls` prints them and `explain` accepts them.
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

/// One field of a key as a string.
pub(crate) fn field(fields: &KeyFields, name: &str) -> String {
    let found = fields.iter().find(|(field, _)| *field == name);
    found.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
}

/// Target of a key's code, spelled as in the names of devices and in messages.
pub(crate) fn target(fields: &KeyFields) -> String {
    let family = field(fields, "target");
    let device = match family.as_str() {
        "ptx" => format!("sm_{}", field(fields, "sm")),
        "amdgpu" => field(fields, "target-id"),
        "spirv" => field(fields, "device"),
        _ => field(fields, "cpu"),
    };
    format!("{family}:{device}")
}

/// A count of files with their size.
pub(crate) fn amount(files: usize, bytes: u64) -> String {
    let noun = if files == 1 { "file" } else { "files" };
    format!("{files} {noun}, {bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::{Fingerprint, HostTarget, Image, KernelConfig, PtxTarget, Target, TranslateRequest};

    #[test]
    fn targets_are_spelled_as_devices_spell_them() {
        let host = HostTarget { triple: "t".into(), cpu: "znver4".into(), features: "+a".into(), line_tables: false };
        let targets = [
            Target::Host(host),
            Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false }),
            Target::Amdgcn("gfx90a:xnack-".parse().expect("a target")),
            Target::Spirv("opencl:1.3:cpu:-fp16".parse().expect("a target")),
        ];
        for of_request in targets {
            let request = TranslateRequest {
                image: Image { hash: None, bytes: b"BC"[..].into() },
                imports: vec![],
                libraries: vec![],
                target: of_request.clone(),
                config: KernelConfig::generic("k"),
            };
            let fingerprint = Fingerprint { abi: 1, llvm: [19, 1, 7], build: [3; 32] };
            assert_eq!(target(&request.key_fields(&fingerprint)), of_request.to_string());
        }
    }

    #[test]
    fn ages_have_one_unit() {
        let texts = [5, 65, 3700, 200_000].map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(texts, ["5s", "1m", "1h", "2d"]);
    }
}
