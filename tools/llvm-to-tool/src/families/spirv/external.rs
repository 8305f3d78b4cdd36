//! Runs another SPIR-V translator in place of our emitter.
//!
//! In: a command line and the IR of a kernel. Out: the module that the command wrote.
//! *Invariant:* no shell is involved, and no file is left behind: both files are in a temporary
//! folder.

use super::module::{self, ModuleError};
use sinter_core::TranslateRequest;
use sinter_translate::{FriendlyError, friendly};
use std::{
    fs, io,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    str::FromStr,
};

/// Placeholders for the files on the command line.
const PLACES: [&str; 2] = ["{in}", "{out}"];

/// A command that reads bitcode and writes SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct External {
    program: String,
    arguments: Vec<String>,
}

/// Error in a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("the quotes do not match; quote a word as a shell wants it")]
    Quotes,
    #[error("it is empty; name a program, as in `llvm-spirv {{in}} -o {{out}}`")]
    Empty,
}

/// Reason for which the other translator gave no module.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExternalError {
    #[error("another translator cannot take it: {0}")]
    Unfriendly(#[from] FriendlyError),
    #[error("cannot use a temporary folder: {0}; make room, or set TMPDIR to another")]
    Folder(#[source] io::Error),
    #[error("cannot start `{program}`: {source}; install it, or give its path in --external")]
    Start { program: String, source: io::Error },
    #[error("`{program}` failed ({status}); its messages are above, and a newer version may know what the kernel uses")]
    Failed { program: String, status: ExitStatus },
    #[error("`{program}` wrote nothing; put {{out}} in --external where it takes the name of its output")]
    Nothing { program: String },
    #[error("`{program}` wrote what cannot be used: {source}")]
    Module { program: String, source: ModuleError },
}

impl FromStr for External {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        let mut words = shlex::split(text).ok_or(CommandError::Quotes)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandError::Empty);
        }
        let is_named = |place: &str| words.iter().any(|word| word.contains(place));
        let missing: Vec<&str> = PLACES.into_iter().filter(|place| !is_named(place)).collect();
        words.extend(missing.into_iter().map(str::to_owned));
        let arguments = words.split_off(1);
        Ok(External { program: words.remove(0), arguments })
    }
}

impl External {
    /// Runs the command on the IR after the step `optimise`; returns the module.
    pub(crate) fn translate(&self, ir: &str, request: &TranslateRequest) -> Result<Vec<u8>, ExternalError> {
        let bitcode = friendly(ir, request)?;
        let folder = tempfile::tempdir().map_err(ExternalError::Folder)?;
        let [input, output] = ["kernel.bc", "kernel.spv"].map(|name| folder.path().join(name));
        fs::write(&input, bitcode).map_err(ExternalError::Folder)?;
        self.run(&input, &output)?;
        let program = || self.program.clone();
        let words = match fs::read(&output) {
            Ok(words) if !words.is_empty() => words,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(ExternalError::Folder(error)),
            _ => return Err(ExternalError::Nothing { program: program() }),
        };
        module::check(&words).map_err(|source| ExternalError::Module { program: program(), source })?;
        Ok(words)
    }

    /// Like [`External::translate`], with the module disassembled.
    pub(crate) fn translate_to_text(&self, ir: &str, request: &TranslateRequest) -> Result<Vec<u8>, ExternalError> {
        let words = self.translate(ir, request)?;
        module::text(&words).map_err(|source| ExternalError::Module { program: self.program.clone(), source })
    }

    /// Output of the command goes to standard error: standard output is for data only.
    fn run(&self, input: &Path, output: &Path) -> Result<(), ExternalError> {
        let [input, output] = [input, output].map(|path| path.to_string_lossy());
        let filled = |word: &String| word.replace(PLACES[0], &input).replace(PLACES[1], &output);
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(filled)).stdin(Stdio::null()).stdout(io::stderr());
        let program = || self.program.clone();
        let status = command.status().map_err(|source| ExternalError::Start { program: program(), source })?;
        if status.success() { Ok(()) } else { Err(ExternalError::Failed { program: program(), status }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let External { program, arguments } = text.parse().expect("a command");
        [program].into_iter().chain(arguments).collect()
    }

    #[test]
    fn a_command_line_is_split_as_a_shell_would() {
        assert_eq!(words("a 'b c' -o{out} {in}"), ["a", "b c", "-o{out}", "{in}"]);
        assert_eq!(words("a -x"), ["a", "-x", "{in}", "{out}"]);
        assert_eq!(words("a {in} -o"), ["a", "{in}", "-o", "{out}"]);
        assert_eq!("a 'b".parse::<External>(), Err(CommandError::Quotes));
        assert_eq!(" ".parse::<External>(), Err(CommandError::Empty));
    }
}
