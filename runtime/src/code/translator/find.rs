//! Finds the translator library.
//!
//! In: `SINTER_TRANSLATOR` and the file that contains the runtime's code. Out: the path of a file:
//! beside that file, in the `lib` folder of an installation, or in the run path of that file, which
//! is how a program with a statically linked runtime finds an installation elsewhere. *Invariant:*
//! the library is never opened by a bare name, because the loader would search folders that other
//! users may control.
#![forbid(unsafe_code)]

use super::run_path;
use crate::error::RuntimeError;
use std::{
    iter,
    path::{Path, PathBuf},
};

/// File name of the translator library.
pub const LIBRARY_NAME: &str = "libsinter_translate.so";

/// Inputs of the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LibrarySearch {
    /// Requested path; if set, no other is tried.
    pub explicit: Option<PathBuf>,
    /// File that contains the runtime's code.
    pub own_object: Option<PathBuf>,
    /// True in a statically linked program, which cannot open libraries; nothing is searched.
    pub is_static_program: bool,
}

/// Opening a library in a static program crashes: it loads a second C library that is never
/// initialised.
const STATIC_PROGRAM: &str = "the program is linked statically, so it cannot open the translator; link it without -static \
                              (-static-libstdc++ -static-libgcc and libsinter.a leave the C library alone shared)";

impl LibrarySearch {
    /// Paths to try, in order. The run path is read from its file when it is its turn.
    pub fn candidates(&self) -> impl Iterator<Item = PathBuf> {
        let own = self.own_object.as_deref().filter(|_| self.explicit.is_none());
        let folder = own.and_then(Path::parent);
        let library = folder.and_then(Path::parent).map(|parent| parent.join("lib"));
        let linked = iter::once_with(move || own.map(run_path::folders).unwrap_or_default()).flatten();
        let folders = folder.map(Path::to_owned).into_iter().chain(library).chain(linked);
        self.explicit.clone().into_iter().chain(folders.map(|folder| folder.join(LIBRARY_NAME)))
    }

    /// The first candidate that is a file. The error lists all candidates.
    pub fn find(&self) -> Result<PathBuf, RuntimeError> {
        if self.is_static_program {
            return Err(RuntimeError::Translator { reason: STATIC_PROGRAM.to_owned() });
        }
        self.candidates().find(|path| path.is_file()).ok_or_else(|| RuntimeError::Translator {
            reason: format!(
                "the translator {LIBRARY_NAME} was not found (looked for {}); install it there or set SINTER_TRANSLATOR to its path",
                self.candidates().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_beside_the_runtime_and_in_lib() {
        let search = LibrarySearch { own_object: Some("/opt/sinter/bin/tool".into()), ..LibrarySearch::default() };
        let expected = ["/opt/sinter/bin/libsinter_translate.so", "/opt/sinter/lib/libsinter_translate.so"];
        let found: Vec<PathBuf> = search.candidates().take(2).collect();
        assert_eq!(found, expected.map(PathBuf::from));
    }

    #[test]
    fn a_missing_library_is_named_with_a_remedy() {
        let search = LibrarySearch { explicit: Some("/no/such.so".into()), ..LibrarySearch::default() };
        let message = search.find().expect_err("must not exist").to_string();
        assert!(message.contains("/no/such.so") && message.contains("SINTER_TRANSLATOR"), "{message}");
    }

    #[test]
    fn a_static_program_is_told_how_to_link() {
        let explicit = std::env::current_exe().ok();
        let search = LibrarySearch { explicit, is_static_program: true, ..LibrarySearch::default() };
        let message = search.find().expect_err("nothing can be opened").to_string();
        assert!(message.contains("without -static"), "{message}");
    }
}
