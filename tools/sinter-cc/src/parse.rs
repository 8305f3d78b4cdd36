//! Parses the command line.
//!
//! In: arguments. Out: [`Flags`]. *Invariant:* an argument is ours, one of another SYCL compiler,
//! or clang's, in this order.

use crate::{
    arguments::{END_OF_FLAGS, takes_value},
    flags::{Flags, is_ours},
    foreign, response,
};
use std::ffi::OsString;

/// Expands the response files that contain flags of sinter-cc or of other SYCL compilers, which
/// clang does not know; clang reads the others.
pub(crate) fn inline_ours(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut out = Vec::new();
    for argument in arguments {
        let inner = response::expand(std::slice::from_ref(&argument));
        match inner.iter().any(|inner| is_ours(inner) || foreign::find(inner).is_some()) {
            true => out.extend(inner.into_iter().map(OsString::from)),
            false => out.push(argument),
        }
    }
    out
}

impl Flags {
    pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Self, String> {
        let mut flags = Flags::default();
        let mut rest = arguments.into_iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_str().unwrap_or_default();
            if text == END_OF_FLAGS {
                flags.clang.push(argument);
                flags.clang.extend(rest.by_ref());
            } else if takes_value(text) {
                flags.clang.push(argument);
                flags.clang.extend(rest.next());
            } else if is_ours(text) {
                flags.set(text)?;
            } else if let Some(found) = foreign::find(text) {
                let next = if found.takes_next { rest.next() } else { None };
                found.apply(text, next.map(|next| next.to_string_lossy().into_owned()), &mut flags)?;
            } else {
                foreign::check_unknown(text)?;
                flags.clang.push(argument);
            }
        }
        flags.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arguments::Scan, flags::Severity};

    fn parse(arguments: &[&str]) -> Result<Flags, String> {
        Flags::parse(arguments.iter().map(OsString::from).collect())
    }

    #[test]
    fn ours_are_taken_out_and_the_rest_keeps_its_order() {
        let flags = parse(&["-O2", "--sinter-dry-run", "a.cpp", "--sinter-emit-hcf=x.hcf", "-o", "a"]).unwrap();
        assert!(flags.dry_run);
        assert_eq!(flags.emit_hcf.as_deref(), Some("x.hcf"));
        assert_eq!(flags.clang, ["-O2", "a.cpp", "-o", "a"].map(OsString::from));
    }

    #[test]
    fn clangs_help_is_told_from_ours() {
        let asked = |arguments: &[&str]| parse(arguments).map(|flags| (flags.asks_for_help(), flags.help)).unwrap();
        assert_eq!(asked(&["--help"]), (true, false));
        assert_eq!(asked(&["-help", "a.cpp"]), (true, false));
        assert_eq!(asked(&["--sinter-help"]), (false, true));
        assert_eq!(asked(&["a.cpp"]), (false, false));
    }

    #[test]
    fn kernels_that_cannot_work_are_warnings_or_errors_as_asked() {
        let severity = |arguments: &[&str]| {
            let flags = parse(arguments).unwrap();
            assert!(flags.clang.iter().all(|argument| !argument.to_string_lossy().contains("sinter")));
            flags.unresolved(&Scan::of(&flags.clang))
        };
        assert_eq!(severity(&["a.o"]), Severity::Warning);
        assert_eq!(severity(&["a.o", "-Werror"]), Severity::Error);
        assert_eq!(severity(&["a.o", "-Werror", "-Wno-error"]), Severity::Warning);
        assert_eq!(severity(&["a.o", "-Werror=sinter-unresolved"]), Severity::Error);
        assert_eq!(severity(&["a.o", "-Werror", "-Wno-error=sinter-unresolved"]), Severity::Warning);
        for off in ["-Wno-sinter-unresolved", "--sinter-late-functions", "-w", "-fno-sycl"] {
            assert_eq!(severity(&["a.o", off]), Severity::Off, "{off}");
        }
    }

    #[test]
    fn a_mistyped_flag_lists_the_valid_ones() {
        let message = parse(&["--sinter-emit-hfc"]).unwrap_err();
        assert!(message.contains("--sinter-emit-hfc") && message.contains("--sinter-emit-hcf"), "{message}");
    }

    #[test]
    fn a_static_link_is_refused_with_a_remedy() {
        let message = parse(&["-static", "a.cpp"]).unwrap_err();
        assert!(message.contains("translator") && message.contains("libsinter.a"), "{message}");
        assert!(parse(&["-static", "-c", "a.cpp"]).is_ok());
    }

    #[test]
    fn one_path_for_several_containers_is_refused() {
        assert!(parse(&["a.cpp", "b.cpp", "-c", "--sinter-emit-hcf=x"]).is_err());
        assert!(parse(&["a.cpp", "b.cpp", "-c", "--sinter-emit-hcf"]).is_ok());
        assert!(parse(&["--sinter-dry-run=1"]).is_err());
        assert!(parse(&["--sinter-emit-hcf="]).is_err());
    }
}
