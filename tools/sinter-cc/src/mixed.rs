//! Command lines with sources in HIP and in CUDA.
//!
//! In: a command line. Out: one for each source in HIP, which compiles it alone, and one for the
//! rest, in which objects are in the place of these sources if it links. *Invariant:* a command
//! line without sources of both kinds stays one command, and so does one under another compiler's
//! name.

use crate::{
    arguments::{END_OF_FLAGS, Scan},
    hip::{Dialect, takes_next},
};
use std::{ffi::OsString, path::Path};

/// Flags for a link alone are of no use to the sources in HIP.
const QUIET: &str = "-Wno-unused-command-line-argument";
/// The language of sources whose names say it.
const NONE: &str = "none";

/// The commands for one command line, in their order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Split {
    /// Compile a source in HIP each.
    pub(crate) first: Vec<Vec<OsString>>,
    /// Has the other sources.
    pub(crate) rest: Vec<OsString>,
}

/// A part of a command line.
pub(crate) enum Part {
    /// With its value.
    Flag(Vec<OsString>),
    /// The flag that names the output.
    Output(Vec<OsString>),
    /// A source or object, with the value of `-x` that holds for it.
    Input { name: OsString, language: String },
}

/// True if the sources of a command line need a command for each kind.
pub(crate) fn is_mixed(arguments: &[OsString]) -> bool {
    let parts = parts(arguments);
    let has = |wanted| parts.iter().any(|part| dialect(part) == Some(wanted));
    let names_one = parts.iter().any(|part| matches!(part, Part::Output(_)));
    has(Dialect::Hip) && has(Dialect::Cuda) && (!names_one || Scan::of(arguments).links())
}

/// Splits a mixed command line. `objects` is a folder for the objects of sources in HIP.
pub(crate) fn split(arguments: &[OsString], objects: &Path) -> Split {
    let (parts, scan) = (parts(arguments), Scan::of(arguments));
    let flags = parts.iter().flat_map(|part| if let Part::Flag(words) = part { &words[..] } else { &[] });
    let flags: Vec<_> = flags.cloned().collect();
    let mut split = Split { first: Vec::new(), rest: Vec::new() };
    for part in &parts {
        match part {
            Part::Flag(words) | Part::Output(words) => split.rest.extend_from_slice(words),
            Part::Input { name, .. } if dialect(part) == Some(Dialect::Hip) => {
                let object = objects.join(format!("{}.o", split.first.len()));
                let mut command = flags.clone();
                if scan.links() {
                    command.extend(["-c".into(), "-o".into(), object.clone().into()]);
                    split.rest.extend(["-x".into(), NONE.into(), object.into()]);
                }
                command.extend([QUIET.into(), "-x".into(), "hip".into(), name.clone()]);
                split.first.push(command);
            }
            Part::Input { name, language } => split.rest.extend(["-x".into(), language.into(), name.clone()]),
        }
    }
    split
}

/// The parts of a command line, in their order.
pub(crate) fn parts(arguments: &[OsString]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut language = NONE.to_owned();
    let mut rest = arguments.iter().cloned();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy().into_owned();
        if text == END_OF_FLAGS {
            parts.extend(rest.by_ref().map(|name| Part::Input { name, language: language.clone() }));
        } else if text == "-x" {
            language = rest.next().unwrap_or_default().to_string_lossy().into_owned();
        } else if let Some(joined) = text.strip_prefix("-x") {
            language = joined.to_owned();
        } else if text == "-o" {
            parts.push(Part::Output([argument].into_iter().chain(rest.next()).collect()));
        } else if text.starts_with("-o") {
            parts.push(Part::Output(vec![argument]));
        } else if takes_next(&text) {
            parts.push(Part::Flag([argument].into_iter().chain(rest.next()).collect()));
        } else if text.starts_with('-') && text != "-" {
            parts.push(Part::Flag(vec![argument]));
        } else {
            parts.push(Part::Input { name: argument, language: language.clone() });
        }
    }
    parts
}

fn dialect(part: &Part) -> Option<Dialect> {
    let Part::Input { name, language } = part else { return None };
    match (&**language, name.to_string_lossy()) {
        ("hip", _) => Some(Dialect::Hip),
        ("cuda" | "cu", _) => Some(Dialect::Cuda),
        (NONE, name) if name.ends_with(".hip") => Some(Dialect::Hip),
        (NONE, name) if name.ends_with(".cu") => Some(Dialect::Cuda),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn commands(text: &str) -> Option<(Vec<String>, String)> {
        let join = |words: Vec<OsString>| words.join(" ".as_ref()).to_string_lossy().into_owned();
        let split = is_mixed(&words(text)).then(|| split(&words(text), Path::new("/t")))?;
        Some((split.first.into_iter().map(join).collect(), join(split.rest)))
    }

    #[test]
    fn sources_in_hip_are_compiled_alone() {
        let (first, rest) = commands("-O2 a.cu -I x b.hip c.cpp -o p -lm").unwrap_or_default();
        assert_eq!(first, [format!("-O2 -I x -lm -c -o /t/0.o {QUIET} -x hip b.hip")]);
        assert_eq!(rest, "-O2 -x none a.cu -I x -x none /t/0.o -x none c.cpp -o p -lm");
    }

    #[test]
    fn languages_may_be_flags() {
        let (first, rest) = commands("-c -x hip a.cpp -xcuda b.cpp -x none c.hip").unwrap_or_default();
        assert_eq!(first, ["a.cpp", "c.hip"].map(|name| format!("-c {QUIET} -x hip {name}")));
        assert_eq!(rest, "-c -x cuda b.cpp");
    }

    #[test]
    fn one_kind_of_source_is_one_command() {
        for text in ["a.cu b.cpp", "a.hip b.o -o p", "-o a.hip b.cu", "-include a.hip b.cu", "-c a.cu b.hip -o c.o"] {
            assert_eq!(commands(text), None, "{text}");
        }
    }
}
