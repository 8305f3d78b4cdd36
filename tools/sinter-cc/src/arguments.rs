//! Predicts how clang interprets a command line.
//!
//! In: clang's arguments. Out: kind of the link step, number of inputs, and presence of a flag that
//! selects floating-point contraction.
//! *Invariant:* nothing is changed; an unknown flag counts as a flag without value.

use crate::response;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Flags whose value is the next argument (clang/Driver/Options.td, kinds `Separate` and
/// `JoinedOrSeparate`).
const WITH_VALUE: &[&str] = &[
    "--param",
    "-B",
    "-D",
    "-F",
    "-I",
    "-L",
    "-MF",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-cxx-isystem",
    "-dependency-file",
    "-e",
    "-framework",
    "-gcc-toolchain",
    "-idirafter",
    "-imacros",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-mllvm",
    "-o",
    "-serialize-diagnostics",
    "-target",
    "-u",
    "-working-directory",
    "-x",
    "-z",
];

/// Separator after which all words are inputs.
pub(crate) const END_OF_FLAGS: &str = "--";

/// Flags that stop clang before the link.
const NO_LINK: &[&str] = &[
    "-###",
    "--analyze",
    "--help",
    "--precompile",
    "--version",
    "-E",
    "-M",
    "-MM",
    "-S",
    "-c",
    "-emit-ast",
    "-fsyntax-only",
    "-help",
    "-r",
    "-verify-pch",
];

/// Flags for a link without a dynamic linker.
const STATIC: &[&str] = &["--static", "-static", "-static-pie"];

/// Flags for linking a shared library.
const SHARED: &[&str] = &["--shared", "-shared"];

/// clang's default output file.
const DEFAULT_OUTPUT: &str = "a.out";

/// Macro that says whether the parallel algorithms of libstdc++ use TBB.
pub(crate) const TBB_MACRO: &str = "_GLIBCXX_USE_TBB_PAR_BACKEND";

/// Suffix of the languages of headers, which clang precompiles.
const HEADER: &str = "-header";

/// Languages of `-x` that have no headers of C++.
const WITHOUT_CPP: &[&str] =
    &["assembler", "assembler-with-cpp", "c", "c-header", "cpp-output", "ir", "objective-c", "objective-c-header"];

/// Endings of inputs that are linked and not compiled.
const LINKED: &[&str] = &[".a", ".lo", ".o", ".so"];

/// Flags that choose a standard of C++.
const STANDARD: &[&str] = &["-std=", "--std="];

/// Standards without execution policies, without `c++` or `gnu++`.
const OLD_STANDARDS: &[&str] = &["98", "03", "0x", "11", "1y", "14"];

/// Prefixes of flags that only query clang.
const QUERIES: &[&str] = &["-print-", "--print-", "-dump"];

/// True for flags of clang whose value is the next argument.
pub(crate) fn takes_value(argument: &str) -> bool {
    WITH_VALUE.contains(&argument)
}

/// Summary of a command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Number of source files, objects and libraries named by path.
    pub(crate) inputs: usize,
    /// True if clang stops before the link.
    stops_early: bool,
    /// True if a linked program has no dynamic linker.
    is_static: bool,
    /// True if a flag selects floating-point contraction.
    pub(crate) contracts: bool,
    /// True if the last relevant flag makes warnings errors.
    pub(crate) warnings_are_errors: bool,
    /// True if a flag says whether libstdc++ uses TBB.
    pub(crate) chooses_tbb: bool,
    /// True if warnings are off.
    pub(crate) is_quiet: bool,
    /// Folders that the linker searches, and those of libraries given as paths.
    pub(crate) folders: Vec<PathBuf>,
    is_shared: bool,
    output: Option<PathBuf>,
    /// True while inputs are in a language that has no headers of C++.
    is_without_cpp: bool,
    sources: [bool; 2],
    /// The flag that chooses the standard of C++.
    standard: Option<String>,
}

impl Scan {
    pub(crate) fn of(arguments: &[OsString]) -> Self {
        let mut scan = Scan::default();
        let expanded = response::expand(arguments);
        let mut rest = expanded.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            if argument == END_OF_FLAGS {
                rest.by_ref().for_each(|input| scan.see_input(input));
            } else if takes_value(argument) {
                let value = rest.next().unwrap_or_default();
                scan.see_value(argument, value);
            } else {
                scan.see(argument);
            }
        }
        scan
    }

    fn see_value(&mut self, flag: &str, value: &str) {
        match flag {
            "-x" => self.see_language(value),
            "-o" => self.output = Some(value.into()),
            "-D" | "-U" => self.chooses_tbb |= value.starts_with(TBB_MACRO),
            "-L" => self.folders.push(value.into()),
            _ => {}
        }
    }

    fn see_language(&mut self, language: &str) {
        self.stops_early |= language.ends_with(HEADER);
        self.is_without_cpp = WITHOUT_CPP.contains(&language);
    }

    fn see_input(&mut self, input: &str) {
        self.inputs += 1;
        let is_linked = LINKED.iter().any(|ending| input.ends_with(ending)) || input.contains(".so.");
        if !is_linked {
            self.sources[usize::from(self.is_without_cpp)] = true;
        }
    }

    fn see(&mut self, argument: &str) {
        for flag in ["-D", "-U", "-L", "-o"] {
            argument.strip_prefix(flag).into_iter().for_each(|value| self.see_value(flag, value));
        }
        self.is_shared |= SHARED.contains(&argument);
        self.is_quiet |= argument == "-w";
        self.warnings_are_errors = argument == "-Werror" || self.warnings_are_errors && argument != "-Wno-error";
        let is_query = QUERIES.iter().any(|prefix| argument.starts_with(prefix));
        argument.strip_prefix("-x").into_iter().for_each(|language| self.see_language(language));
        if STANDARD.iter().any(|flag| argument.starts_with(flag)) {
            self.standard = Some(argument.to_owned());
        }
        self.stops_early |= is_query || NO_LINK.contains(&argument);
        self.is_static |= STATIC.contains(&argument);
        self.contracts |= argument.starts_with("-ffp-contract=") || argument.starts_with("-ffp-model=");
        if argument == "-" || !argument.starts_with('-') {
            self.see_input(argument);
            self.folders.extend(folder_of_library(argument));
        }
    }

    /// True if all sources are in languages that have no headers of C++, such as C.
    pub(crate) fn is_without_cpp(&self) -> bool {
        self.sources == [false, true]
    }

    /// The flag that chooses a standard of C++ without execution policies.
    pub(crate) fn old_standard(&self) -> Option<&str> {
        let flag = self.standard.as_deref()?;
        let (_, standard) = flag.split_once('=')?;
        let year = standard.strip_prefix("gnu++").or(standard.strip_prefix("c++"))?;
        OLD_STANDARDS.contains(&year).then_some(flag)
    }

    /// True if clang will call the linker.
    pub(crate) fn links(&self) -> bool {
        self.inputs > 0 && !self.stops_early
    }

    /// Path of the program that clang will link. `None` if it links a library or does not link.
    pub(crate) fn program(&self) -> Option<&Path> {
        let output = self.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT));
        (self.links() && !self.is_shared).then_some(output)
    }

    /// True if clang will link a program that cannot load shared libraries.
    pub(crate) fn links_statically(&self) -> bool {
        self.links() && self.is_static
    }
}

fn folder_of_library(input: &str) -> Option<PathBuf> {
    input.contains(".so").then(|| Path::new(input).parent().map(Path::to_path_buf)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(arguments: &[&str]) -> Scan {
        Scan::of(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn inputs_are_told_from_values_of_flags() {
        assert_eq!(scan(&["-o", "a", "-I", "inc", "-x", "c++", "a.cpp", "b.o", "-"]).inputs, 3);
        assert_eq!(scan(&["-oa", "-Iinc", "--", "-x.cpp", "b.cpp"]).inputs, 2);
    }

    #[test]
    fn only_a_full_run_links() {
        assert!(scan(&["a.cpp", "-o", "a"]).links());
        assert!(scan(&["-shared", "-fPIC", "a.o"]).links());
        for early in ["-c", "-S", "-E", "-MM", "-fsyntax-only", "-r", "-print-search-dirs", "-dumpmachine"] {
            assert!(!scan(&["a.cpp", early]).links(), "{early}");
        }
        assert!(!scan(&["-x", "c++-header", "a.hpp"]).links() && !scan(&["-xc++-header", "a.hpp"]).links());
        assert!(scan(&["-x", "c++", "a.hpp"]).links());
        assert!(!scan(&["-v"]).links());
        assert!(!scan(&["--version"]).links());
    }

    #[test]
    fn a_program_is_told_from_libraries_and_found() {
        assert_eq!(scan(&["a.o", "-o", "x/a"]).program(), Some(Path::new("x/a")));
        assert_eq!(scan(&["a.o", "-ox/a"]).program(), Some(Path::new("x/a")));
        assert_eq!(scan(&["a.o"]).program(), Some(Path::new("a.out")));
        assert_eq!(scan(&["-shared", "a.o"]).program(), None);
        assert_eq!(scan(&["-c", "a.cpp", "-o", "a.o"]).program(), None);
        let folders = scan(&["a.o", "lib/libf.so.1", "-Lone", "-L", "two", "-lg"]).folders;
        assert_eq!(folders, ["lib", "one", "two"].map(PathBuf::from));
    }

    #[test]
    fn static_links_are_told_from_others() {
        for flag in STATIC {
            assert!(scan(&["a.o", flag]).links_statically(), "{flag}");
            assert!(!scan(&["-c", "a.cpp", flag]).links_statically(), "{flag} without a link");
        }
        for other in ["-static-libstdc++", "-static-libgcc", "-Wl,-static"] {
            assert!(!scan(&["a.o", other]).links_statically(), "{other}");
        }
        assert!(!scan(&["a.o", "-o", "-static"]).links_statically());
    }

    #[test]
    fn sources_in_c_are_told_from_others() {
        for c in [&["-x", "c", "a.c"][..], &["-xc", "a.c", "-x", "none", "b.o", "c.so.1"], &["-xassembler", "-"]] {
            assert!(scan(c).is_without_cpp(), "{c:?}");
        }
        // The compiler is clang++, for which a file `.c` is in C++.
        for other in [&["a.c"][..], &["-x", "c", "a.c", "-x", "none", "b.cpp"], &["-x", "c++", "a.c"], &["a.o"]] {
            assert!(!scan(other).is_without_cpp(), "{other:?}");
        }
    }

    #[test]
    fn old_standards_are_told_from_others() {
        assert_eq!(scan(&["-std=c++14", "a.cpp"]).old_standard(), Some("-std=c++14"));
        assert_eq!(scan(&["-std=c++17", "--std=gnu++11", "a.cpp"]).old_standard(), Some("--std=gnu++11"));
        for new in ["-std=c++17", "-std=c++1z", "-std=gnu++20", "-std=c++26", "-std=c11"] {
            assert_eq!(scan(&["-std=c++14", new, "a.cpp"]).old_standard(), None, "{new}");
        }
        assert_eq!(scan(&["a.cpp"]).old_standard(), None);
    }

    #[test]
    fn the_users_contraction_is_seen() {
        assert!(scan(&["-ffp-contract=off", "a.cpp"]).contracts);
        assert!(!scan(&["a.cpp"]).contracts);
    }

    #[test]
    fn response_files_are_scanned() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("flags.rsp");
        std::fs::write(&file, "-c 'a b.cpp' -o x\\ y.o\n").unwrap();
        let scanned = Scan::of(&[OsString::from(format!("@{}", file.display()))]);
        assert_eq!((scanned.inputs, scanned.links()), (1, false));
    }
}
