//! Explains why two translations have different keys.
//!
//! In: two keys, entry files or request files. Out: the fields that differ.
//! *Invariant:* the compared fields are those that the key is computed from. A request does not
//! name its translator: compared with an entry it is assumed to use the current one, compared with
//! another request the same one.

use crate::{
    cache::{Answer, Cache},
    text::{KEY_DIGITS, field},
};
use serde_json::{Value, json};
use sinter::{
    cache::{
        entry,
        list::{CacheFile, FileKind},
    },
    code::translator::{LazyTranslator, TranslatorSource},
    setup,
};
use sinter_core::{ConstantValue, Fingerprint, KeyFields, TranslateRequest, names::readable};
use sinter_tool_common::ToolError;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Placeholder if both sides have the same translator.
const NO_TRANSLATOR: Fingerprint = Fingerprint { abi: 0, llvm: [0; 3], build: [0; 32] };
/// Fields that describe the translator.
const TRANSLATOR_FIELDS: [&str; 3] = ["translator-abi", "llvm-version", "translator-build"];
/// Minimum number of digits, so that a mistyped file name is not taken for a key.
const MIN_DIGITS: usize = 4;

/// Meaning of an argument.
enum Subject {
    Entry(KeyFields),
    Request(Box<TranslateRequest>),
}

/// A field that occurs on one side only or with two values. Some fields occur several times, so
/// each has an index.
struct Difference<'a> {
    name: &'a str,
    values: [Option<&'a [u8]>; 2],
}

fn rejected(name: &str, reason: impl std::fmt::Display) -> ToolError {
    ToolError::rejected(format!("{name}: {reason}"))
}

/// Path of the entry or request that an argument names.
fn locate(cache: &Cache, name: &str) -> Result<PathBuf, ToolError> {
    if Path::new(name).is_file() {
        return Ok(PathBuf::from(name));
    }
    let is_key = (MIN_DIGITS..=64).contains(&name.len()) && name.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !is_key {
        return Err(rejected(name, format!("neither a file nor the first {MIN_DIGITS} to 64 digits of a key")));
    }
    let stem = |file: &CacheFile| file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let kinds = [FileKind::Entry, FileKind::Request];
    let known = kinds.into_iter().flat_map(|kind| cache.of_kind(kind));
    let found: Vec<_> = known.filter(|file| stem(file).starts_with(&name.to_lowercase())).collect();
    match found[..] {
        [] => Err(rejected(name, format!("no such key in {}", cache.folder.display()))),
        [file] => Ok(file.path.clone()),
        _ => {
            let keys: Vec<_> = found.iter().map(|file| stem(file)).collect();
            Err(rejected(name, format!("several keys start like this: {}", keys.join(", "))))
        }
    }
}

fn read(path: &Path) -> Result<Subject, ToolError> {
    let reject = |error: &dyn std::fmt::Display| rejected(&path.display().to_string(), error);
    let bytes = fs::read(path).map_err(|error| reject(&error))?;
    if TranslateRequest::is_request(&bytes) {
        let request = TranslateRequest::from_bytes(&bytes).map_err(|error| reject(&error))?;
        return Ok(Subject::Request(Box::new(request)));
    }
    entry::decode(&bytes).map(|entry| Subject::Entry(entry.fields)).map_err(|error| reject(&error))
}

/// Fingerprint of the translator that programs would use, if it is found.
fn fingerprint(cache: &Cache) -> Option<Fingerprint> {
    let source = TranslatorSource::Library(setup::library_search(&cache.tunables));
    LazyTranslator::new(source).fingerprint().ok()
}

/// The fields of both keys, and a note on how they were obtained.
fn fields(cache: &Cache, subjects: [Subject; 2]) -> ([KeyFields; 2], Option<&'static str>) {
    let mixed = subjects.iter().filter(|subject| matches!(subject, Subject::Request(_))).count() == 1;
    let translator = if mixed { fingerprint(cache) } else { None };
    let note = (mixed && translator.is_none())
        .then_some("no translator was found to compare the entry's with; its fields are left out");
    let of = |subject| match subject {
        Subject::Entry(fields) => fields,
        Subject::Request(request) => request.key_fields(&translator.unwrap_or(NO_TRANSLATOR)),
    };
    (subjects.map(of), note)
}

/// The fields in order, each with its index among those of its name.
fn numbered(fields: &KeyFields) -> Vec<((&str, usize), &[u8])> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let number = |(name, value)| {
        let count = counts.entry(name).or_default();
        *count += 1;
        ((name, *count), value)
    };
    fields.iter().map(number).collect()
}

fn differences<'a>([a, b]: &'a [KeyFields; 2]) -> Vec<Difference<'a>> {
    let (a, b) = (numbered(a), numbered(b));
    let (in_a, in_b): (BTreeMap<_, _>, BTreeMap<_, _>) = (a.iter().copied().collect(), b.iter().copied().collect());
    let only_b = b.iter().filter(|(name, _)| !in_a.contains_key(name));
    let difference = |(name, number): (&'a str, usize)| {
        let values = [&in_a, &in_b].map(|fields| fields.get(&(name, number)).copied());
        (values[0] != values[1]).then_some(Difference { name, values })
    };
    a.iter().chain(only_b).filter_map(|(name, _)| difference(*name)).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Formats a value: strings as the flags of the tools write them, 32-bit numbers in decimal,
/// digests in hexadecimal.
fn shown(value: &[u8]) -> String {
    let text = std::str::from_utf8(value).ok().filter(|text| !text.chars().any(char::is_control));
    match (text, <[u8; 4]>::try_from(value)) {
        (Some(text), _) => flag_syntax(text),
        (None, Ok(number)) => u32::from_le_bytes(number).to_string(),
        (None, Err(_)) => hexadecimal(value),
    }
}

/// Converts a string field to the syntax of flags. Keys store options as `Some([64, 1, 1])` and
/// values as `2=i32:10000000`, bytes in memory order.
fn flag_syntax(text: &str) -> String {
    let option = text.strip_prefix("Some([").and_then(|rest| rest.strip_suffix("])"));
    match (text, option) {
        ("None", _) => "not known".to_owned(),
        (_, Some(sizes)) => sizes.replace(", ", ","),
        _ => value_spelled(text).unwrap_or_else(|| text.to_owned()),
    }
}

/// Converts `NAME=TYPE:HEX` to a decimal number.
fn value_spelled(text: &str) -> Option<String> {
    let (name, value) = text.rsplit_once('=')?;
    let (ty, digits) = value.split_once(':')?;
    let bytes: ConstantValue = format!("bytes:0x{digits}").parse().ok()?;
    if ty == "bytes" {
        return Some(format!("{name}={bytes}"));
    }
    let bits = bytes.bits()?;
    let value = match ty {
        "bool" => ConstantValue::Bool(bits != 0),
        "i8" => ConstantValue::I8(bits as u8),
        "i16" => ConstantValue::I16(bits as u16),
        "i32" => ConstantValue::I32(bits as u32),
        "i64" => ConstantValue::I64(bits),
        "f32" => ConstantValue::F32(bits as u32),
        "f64" => ConstantValue::F64(bits),
        _ => return None,
    };
    Some(format!("{name}={value}"))
}

/// True if a value is a list of features. The sizes of a work-group have commas too, but are not a
/// list.
fn is_list(value: &str) -> bool {
    value.contains(',') && value.split(',').all(|part| part.starts_with(['+', '-']))
}

/// The elements of a list that the other list lacks; other values unchanged.
fn shortened(value: Option<&[u8]>, other: Option<&[u8]>) -> String {
    let (Some(value), other) = (value.map(shown), other.map(shown).unwrap_or_default()) else { return "-".to_owned() };
    if ![&value, &other].into_iter().all(|text| is_list(text)) {
        return value;
    }
    let others: Vec<_> = other.split(',').collect();
    let own: Vec<_> = value.split(',').filter(|part| !others.contains(part)).collect();
    if own.is_empty() { "-".to_owned() } else { own.join(",") }
}

fn title(fields: &KeyFields) -> String {
    let key: String = fields.key().to_string().chars().take(KEY_DIGITS).collect();
    format!("{key}  {}", readable(&field(fields, "kernel")))
}

fn render(keys: &[KeyFields; 2], differences: &[Difference<'_>]) -> String {
    let mut text = format!("A  {}\nB  {}\n", title(&keys[0]), title(&keys[1]));
    for Difference { name, values: [a, b] } in differences {
        text += &format!("{name}\n  A  {}\n  B  {}\n", shortened(*a, *b), shortened(*b, *a));
    }
    if differences.is_empty() {
        text += "the keys are equal\n";
    }
    text
}

/// The fields that differ, as text or JSON.
pub(crate) fn answer(cache: &Cache, a: &str, b: &str) -> Result<Answer, ToolError> {
    let subjects = [read(&locate(cache, a)?)?, read(&locate(cache, b)?)?];
    let (keys, note) = fields(cache, subjects);
    let mut found = differences(&keys);
    if let Some(note) = note {
        eprintln!("sinter-cache: warning: {note}");
        found.retain(|difference| !TRANSLATOR_FIELDS.contains(&difference.name));
    }
    let value = |value: Option<&[u8]>| value.map_or(Value::Null, |value| shown(value).into());
    let list = |d: &Difference<'_>| json!({ "field": d.name, "a": value(d.values[0]), "b": value(d.values[1]) });
    let json = json!({
        "a": keys[0].key().to_string(),
        "b": keys[1].key().to_string(),
        "differences": found.iter().map(list).collect::<Vec<_>>(),
    });
    Ok(Answer::new(render(&keys, &found), json))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::Constant;

    #[test]
    fn fields_are_spelled_as_flags_are() {
        for text in ["n=bool:true", "n=i8:-1", "n=i32:16", "2=i64:64", "n=f32:1.5", "n=f64:-0.0", "n=bytes:0x00ff1a"] {
            let Constant { name, value } = text.parse().expect(text);
            assert_eq!(flag_syntax(&format!("{name}={}", value.canonical())), text);
        }
        assert_eq!(
            [flag_syntax("Some([256, 1, 1])"), flag_syntax("None"), flag_syntax("O3")],
            ["256,1,1", "not known", "O3"]
        );
        assert_eq!(flag_syntax("+avx2,-fma"), "+avx2,-fma");
    }
}
