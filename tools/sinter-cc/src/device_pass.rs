//! A second parse of sources in HIP and CUDA, for devices (`--sinter-device-pass`).
//!
//! In: the installation and the parsed flags of a command line that compiles. Out: for each source
//! the command of clang that writes a module with its device code, and the value by which stage 1
//! finds the module in the host's parse. *Invariant:* both parses have the same flags, but for
//! those about outputs, and warnings are left to the host's.

use crate::{
    arguments::Scan,
    clang::Installation,
    command,
    flags::Flags,
    mixed::{Part, parts},
};
use std::{ffi::OsString, path::Path};

/// Makes the module of a parse for devices, as clang leaves it before any pass.
const FOR_DEVICES: [&str; 8] =
    ["-c", "-emit-llvm", "-w", "-Xclang", "-fcuda-is-device", "-Xclang", "-disable-llvm-passes", "-o"];
/// Flags for other outputs of a compilation.
const OUTPUTS: [&str; 5] = ["-c", "-S", "-emit-llvm", "-MD", "-MMD"];
/// Those of them with a value.
const OUTPUT_VALUES: [&str; 4] = ["-MF", "-MJ", "-serialize-diagnostics", "-dependency-file"];
/// Flags with which clang generates no code.
const NO_CODE: [&str; 6] = ["-E", "-M", "-MM", "-fsyntax-only", "-emit-ast", "--precompile"];

/// The parse of a source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parse {
    /// Arguments for clang.
    pub(crate) command: Vec<OsString>,
    /// `SOURCE=FILE`.
    pub(crate) module: OsString,
}

/// The parses for a command line; `folder` is one for the modules.
pub(crate) fn parses(installation: &Installation, flags: &Flags, folder: &Path) -> Result<Vec<Parse>, String> {
    let given = parts(&flags.clang);
    let is = |words: &[OsString], list: &[&str]| words.first().is_some_and(|word| list.iter().any(|flag| word == flag));
    let has_no_code = |part: &Part| matches!(part, Part::Flag(words) if is(words, &NO_CODE));
    if flags.dialect.is_none() || given.iter().any(has_no_code) {
        return Ok(Vec::new());
    }
    let shared: Vec<_> = given
        .iter()
        .filter_map(|part| match part {
            Part::Flag(words) if !is(words, &OUTPUTS) && !is(words, &OUTPUT_VALUES) => Some(words),
            _ => None,
        })
        .flatten()
        .cloned()
        .collect();
    let sources: Vec<_> = given
        .iter()
        .filter_map(|part| match part {
            Part::Input { name, language } if language == "hip" || name.to_string_lossy().ends_with(".hip") => {
                Some(name)
            }
            _ => None,
        })
        .collect();
    if sources.iter().any(|source| *source == "-") {
        return Err("--sinter-device-pass parses a source twice, and `-` can be read once: name a file".to_owned());
    }
    let numbered = sources.into_iter().enumerate();
    Ok(numbered.map(|(number, source)| parse(installation, flags, &shared, source, folder, number)).collect())
}

fn parse(
    installation: &Installation,
    flags: &Flags,
    shared: &[OsString],
    source: &OsString,
    folder: &Path,
    number: usize,
) -> Parse {
    let file = folder.join(format!("{number}.bc"));
    let mut command = command::quietly(command::compile_flags(installation, flags, &Scan::of(&flags.clang)));
    command.extend_from_slice(shared);
    command.extend(command::quietly(FOR_DEVICES.iter().map(OsString::from).chain([file.clone().into()]).collect()));
    command.extend(["-x".into(), "hip".into(), source.clone()]);
    let module = [source.as_os_str(), "=".as_ref(), file.as_os_str()].into_iter().collect();
    Parse { command, module }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Vec<String> {
        let mut flags = Flags::parse(arguments.iter().map(OsString::from).collect()).unwrap_or_default();
        flags.dialect = Some(crate::hip::Dialect::Cuda);
        let installation = Installation { clang: "clang++".into(), root: "/opt/s".into() };
        let parses = parses(&installation, &flags, Path::new("/t")).unwrap_or_default();
        parses
            .into_iter()
            .map(|parse| {
                let words: Vec<_> = parse.command.iter().map(|word| word.to_string_lossy()).collect();
                let end = words.iter().rposition(|word| word == "--start-no-unused-arguments").unwrap_or_default();
                let start =
                    words[..end].iter().rposition(|word| word == "--end-no-unused-arguments").unwrap_or_default();
                format!("{} {}", parse.module.to_string_lossy(), words[start + 1..].join(" "))
            })
            .collect()
    }

    #[test]
    fn each_source_has_a_parse_without_the_outputs_of_the_host() {
        let made = parsed(&["-O2", "-c", "-MD", "-MF", "d", "-o", "a.o", "-DX", "-x", "hip", "a.cu", "b.cu", "-lm"]);
        let ours = "--start-no-unused-arguments -c -emit-llvm -w -Xclang -fcuda-is-device -Xclang \
                    -disable-llvm-passes -o";
        let wanted = |source: &str, number: u32| {
            let file = format!("/t/{number}.bc");
            format!("{source}={file} -O2 -DX -lm {ours} {file} --end-no-unused-arguments -x hip {source}")
        };
        assert_eq!(made, [wanted("a.cu", 0), wanted("b.cu", 1)]);
    }

    #[test]
    fn sources_of_the_host_and_preprocessing_have_none() {
        assert_eq!(parsed(&["-c", "-x", "hip", "a.cu", "-x", "none", "b.cpp", "c.o"]).len(), 1);
        assert_eq!(parsed(&["-E", "-x", "hip", "a.cu"]), Vec::<String>::new());
        assert_eq!(parsed(&["-c", "-x", "hip", "-"]), Vec::<String>::new());
    }
}
