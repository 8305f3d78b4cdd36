//! Builds clang's command line.
//!
//! In: the installation and the parsed flags. Out: arguments for clang++.
//! *Invariant:* our defaults precede the user's flags, so that the user's take precedence; our
//! library follows them, so that it resolves symbols of the user's objects; and no argument that we
//! add causes a warning.

use crate::{
    arguments::{END_OF_FLAGS, Scan},
    clang::Installation,
    flags::Flags,
    hip, stdpar,
};
use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

/// Start of a section in which clang does not warn about unused arguments.
const QUIET: &str = "--start-no-unused-arguments";
const LOUD: &str = "--end-no-unused-arguments";
/// Requests remarks of a pass that does not exist. Clang then keeps source locations without
/// emitting debug information (`CompilerInvocation::ParseCodeGenArgs`), and errors in device code
/// have a line number.
const LOCATIONS: &str = "-Rpass=sinter-locations";
/// Most attributes of SYCL are hints that clang need not know, such as `sycl::vec_type_hint`. A
/// user's flag turns the warning on again.
const UNKNOWN_ATTRIBUTES: &str = "-Wno-unknown-attributes";

pub(crate) fn build(installation: &Installation, flags: &Flags) -> Vec<OsString> {
    if flags.host_only {
        return flags.clang.clone();
    }
    let scan = Scan::of(&flags.clang);
    let end_of_flags = flags.clang.iter().position(|argument| argument == END_OF_FLAGS);
    let (before, inputs) = flags.clang.split_at(end_of_flags.unwrap_or(flags.clang.len()));
    let mut command = quietly(compile_flags(installation, flags, &scan));
    command.extend_from_slice(before);
    if scan.links() && !flags.no_library {
        command.extend(quietly(link_flags(&installation.root.join("lib"), inputs.is_empty(), flags.interposes())));
    }
    command.extend_from_slice(inputs);
    command
}

pub(crate) fn quietly(flags: Vec<OsString>) -> Vec<OsString> {
    [OsString::from(QUIET)].into_iter().chain(flags).chain([OsString::from(LOUD)]).collect()
}

/// Flags with which a source is parsed.
pub(crate) fn compile_flags(installation: &Installation, flags: &Flags, scan: &Scan) -> Vec<OsString> {
    let plugin = installation.plugin();
    let mut out = stdpar::header_flags(installation, flags, scan);
    if let Some(dialect) = flags.dialect {
        out.extend(hip::flags(installation, dialect));
        if flags.device_pass {
            out.extend(hip::NO_MACRO_WARNING.iter().map(OsString::from));
        }
    }
    out.extend([
        joined("-fplugin=", &plugin),
        joined("-fpass-plugin=", &plugin),
        "-D__SINTER__=1".into(),
        LOCATIONS.into(),
        UNKNOWN_ATTRIBUTES.into(),
        "-isystem".into(),
        installation.root.join("include").into(),
        // Host code of CUDA's programs; headers of another installation come first.
        "-idirafter".into(),
        installation.root.join("include/cuda").into(),
    ]);
    if !scan.contracts {
        out.push("-ffp-contract=fast".into());
    }
    if let Some(path) = &flags.emit_hcf {
        out.extend(["-mllvm".into(), OsString::from(format!("-sinter-emit-hcf={path}"))]);
    }
    out.extend(stdpar::stage1_flags(flags, scan));
    if !flags.device_modules.is_empty() {
        // Clang gives two constructors one line, which only a reader of modules minds.
        out.extend(["-mllvm", "-disable-auto-upgrade-debug-info"].map(OsString::from));
    }
    for module in &flags.device_modules {
        out.extend(["-mllvm".into(), ["-sinter-device-module=".as_ref(), module.as_os_str()].into_iter().collect()]);
    }
    if flags.late_functions {
        out.push("-D__SINTER_LATE_FUNCTIONS__=1".into());
    }
    out
}

/// A library that precedes its users must not be dropped as unneeded; nor the allocator, which
/// objects refer to weakly. It precedes the C library, whose `free` it replaces.
fn link_flags(lib: &Path, is_last: bool, interposes: bool) -> Vec<OsString> {
    let mut out = vec![joined("-L", lib), joined("-Wl,-rpath,", lib)];
    if interposes {
        out.extend(["-Wl,--push-state,--no-as-needed", "-lsinter_stdpar", "-Wl,--pop-state"].map(OsString::from));
    }
    match is_last {
        true => out.extend(["-Wl,--push-state,--as-needed", "-lsinter", "-Wl,--pop-state"].map(OsString::from)),
        false => out.push("-lsinter".into()),
    }
    out
}

fn joined(flag: &str, path: &Path) -> OsString {
    let mut out = OsString::from(flag);
    out.push(path);
    out
}

/// The command with the quoting of a shell.
pub(crate) fn quote(program: &Path, arguments: &[OsString]) -> String {
    let words = [program.as_os_str()].into_iter().chain(arguments.iter().map(OsString::as_os_str));
    words.map(quote_word).collect::<Vec<_>>().join(" ")
}

fn quote_word(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(arguments: &[&str]) -> Vec<String> {
        let installation = Installation { clang: "clang++-19".into(), root: "/opt/s".into() };
        let flags = Flags::parse(arguments.iter().map(OsString::from).collect()).unwrap();
        build(&installation, &flags).iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_library_follows_the_inputs_of_a_link() {
        let words = command(&["a.cpp", "-o", "a"]);
        let position = |word: &str| words.iter().position(|found| found == word);
        assert!(position("-lsinter") > position("a.cpp"), "{words:?}");
        assert!(words.contains(&"-Wl,-rpath,/opt/s/lib".to_owned()));
    }

    #[test]
    fn nothing_is_linked_without_a_link() {
        assert!(!command(&["-c", "a.cpp"]).contains(&"-lsinter".to_owned()));
        assert!(!command(&["-v"]).contains(&"-lsinter".to_owned()));
    }

    #[test]
    fn the_users_contraction_wins() {
        let ours = "-ffp-contract=fast".to_owned();
        assert!(command(&["a.cpp"]).contains(&ours));
        assert!(!command(&["-ffp-contract=off", "a.cpp"]).contains(&ours));
    }

    #[test]
    fn inputs_after_two_dashes_stay_last() {
        let words = command(&["-o", "a", "--", "a.cpp"]);
        assert_eq!(words[words.len() - 2..], ["--", "a.cpp"]);
        assert!(!words.iter().any(|word| word.contains("as-needed")));
    }

    #[test]
    fn the_headers_of_the_algorithms_come_first() {
        let own = "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0".to_owned();
        for name in ["--stdpar", "--hipstdpar", "-stdpar", "-stdpar=gpu"] {
            let words = command(&[name, "a.cpp"]);
            let position = |word: &str| words.iter().position(|found| found == word).unwrap();
            assert!(position("/opt/s/include/stdpar") < position("/opt/s/include"), "{words:?}");
            assert!(words.contains(&own) && !words.contains(&name.to_owned()), "{words:?}");
        }
        for users in [&["-D_GLIBCXX_USE_TBB_PAR_BACKEND=1"][..], &["-D", "_GLIBCXX_USE_TBB_PAR_BACKEND=1"]] {
            let words = command(&[&["--stdpar", "a.cpp"], users].concat());
            assert!(!words.contains(&own), "{words:?}");
        }
    }

    #[test]
    fn allocations_are_interposed_unless_the_user_says_never() {
        let is_asked = |words: &[String]| words.join(" ").contains("-mllvm -sinter-stdpar=remark,interpose");
        let links = |words: &[String]| words.contains(&"-lsinter_stdpar".to_owned());
        for flags in [&["--stdpar"][..], &["--hipstdpar", "--hipstdpar-interpose-alloc"]] {
            let words = command(&[flags, &["a.cpp"]].concat());
            assert!(is_asked(&words) && links(&words), "{words:?}");
        }
        for flags in [&["--stdpar", "--stdpar-interpose-alloc=never"][..], &["--stdpar-interpose-alloc=always"]] {
            let words = command(&[flags, &["a.cpp"]].concat());
            assert!(!is_asked(&words) && !links(&words), "{words:?}");
        }
        let flags = Flags::parse(["--stdpar-interpose-alloc=maybe", "a.cpp"].map(OsString::from).to_vec());
        assert!(flags.unwrap_err().contains("auto, always or never"));
    }

    #[test]
    fn sources_without_algorithms_are_compiled_without_their_headers() {
        let of_stdpar = |words: &[String]| -> Vec<String> {
            let is_of_it = |word: &&String| word.contains("stdpar") || word.contains("TBB");
            words.iter().filter(is_of_it).cloned().collect()
        };
        assert_eq!(of_stdpar(&command(&["--stdpar", "-c", "-x", "c", "a.c"])), Vec::<String>::new());
        assert_eq!(
            of_stdpar(&command(&["--stdpar", "-c", "-std=c++14", "a.cpp"])),
            ["-sinter-stdpar=remark,interpose"]
        );
        for compiled in [&["-x", "c", "a.c", "-x", "none", "b.cpp"][..], &["-std=gnu++17", "a.cpp"], &["a.c"]] {
            let words = of_stdpar(&command(&[&["--stdpar", "-c"], compiled].concat()));
            assert_eq!(words.len(), 3, "{words:?}");
        }
        // Objects that were compiled with it need the allocator, whatever else is linked.
        let linked = command(&["--stdpar", "-x", "c", "a.c", "-x", "none", "b.o"]);
        assert_eq!(of_stdpar(&linked), ["-lsinter_stdpar"]);
    }

    #[test]
    fn algorithms_that_stay_on_the_host_are_remarks_warnings_or_errors_as_asked() {
        let asked = |flags: &[&str]| {
            let words = command(&[&["--stdpar", "--stdpar-interpose-alloc=never", "a.cpp"], flags].concat());
            assert!(!words.iter().any(|word| word.starts_with("-W") && word.contains("sinter-stdpar")), "{words:?}");
            let word =
                words.iter().find_map(|word| word.strip_prefix("-sinter-stdpar=")).unwrap_or_default().to_owned();
            (word, words.iter().any(|word| word == "-Rpass-missed=sinter-stdpar"))
        };
        let is = |word: &str, shown| (word.to_owned(), shown);
        assert_eq!(asked(&[]), is("remark", false));
        assert_eq!(asked(&["-Wsinter-stdpar"]), is("warning", false));
        // Clang makes an error of it.
        assert_eq!(asked(&["-Wsinter-stdpar", "-Werror"]), is("warning", false));
        assert_eq!(asked(&["-Wsinter-stdpar", "-Wno-sinter-stdpar"]), is("remark", false));
        assert_eq!(asked(&["-Werror=sinter-stdpar"]), is("error", false));
        assert_eq!(asked(&["-Werror=sinter-stdpar", "-Wno-error=sinter-stdpar"]), is("warning", false));
        assert_eq!(asked(&["-Wno-error=sinter-stdpar"]), is("remark", false));
        assert_eq!(asked(&["-Werror", "-Wno-error=sinter-stdpar", "-Wsinter-stdpar"]), is("remark", true));
    }

    #[test]
    fn containers_are_asked_for_by_options_only() {
        let words = command(&["-c", "a.cpp", "--sinter-emit-hcf=x.hcf"]).join(" ");
        assert!(words.contains("-fplugin=/opt/s/lib/libsinter_stage1.so"), "{words}");
        assert!(words.contains("-mllvm -sinter-emit-hcf=x.hcf"));
    }

    #[test]
    fn device_functions_are_left_to_the_run_time_on_request() {
        let late = "-D__SINTER_LATE_FUNCTIONS__=1";
        assert!(command(&["-c", "a.cpp", "--sinter-late-functions"]).join(" ").contains(late));
        assert!(!command(&["-c", "a.cpp"]).join(" ").contains(late));
    }

    #[test]
    fn flags_of_icpx_choose_what_is_filled_in() {
        assert_eq!(command(&["-fno-sycl", "a.cpp", "-o", "a"]), ["a.cpp", "-o", "a"]);
        assert!(command(&["-fsycl", "a.cpp"]).contains(&"-lsinter".to_owned()));
        assert!(!command(&["-fsycl", "-nolibsycl", "a.cpp"]).contains(&"-lsinter".to_owned()));
        assert!(!command(&["-fsycl", "a.cpp"]).contains(&"-fsycl".to_owned()));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let quoted = quote(Path::new("clang++"), &["-DA=b c".into(), "it's".into(), "".into()]);
        assert_eq!(quoted, r"clang++ '-DA=b c' 'it'\''s' ''");
    }
}
