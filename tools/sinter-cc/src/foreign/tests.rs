//! Checks every row of the tables in every spelling.

use super::{
    acpp,
    flag::{Does, Flag, Shape},
    icpx, page,
};
use crate::flags::Flags;
use std::{collections::BTreeSet, env, ffi::OsString, fs, path::Path};

fn parse(arguments: &[&str]) -> Result<Flags, String> {
    Flags::parse(arguments.iter().map(OsString::from).collect())
}

fn rows() -> impl Iterator<Item = &'static Flag> {
    icpx::TABLE.iter().chain(acpp::TABLE)
}

/// All spellings of a flag, as words.
fn spellings(Flag(name, shape, _): &Flag) -> Vec<Vec<String>> {
    let no = name.replacen("-f", "-fno-", 1);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match shape {
        Shape::Alone => vec![words(&[name])],
        Shape::Switch => vec![words(&[name]), words(&[&no])],
        Shape::Joined | Shape::Attached => vec![words(&[&format!("{name}v w")])],
        Shape::SwitchJoined => vec![words(&[&format!("{name}v w")]), words(&[&format!("{no}v w")])],
        Shape::Optional => vec![words(&[name]), words(&[&format!("{name}=v w")])],
        Shape::Separate => vec![words(&[name, "v w"])],
        Shape::Either => vec![words(&[name, "v w"]), words(&[&format!("{name}v w")])],
        Shape::Tool => vec![words(&[name, "-v w"]), words(&[&format!("{name}=triple"), "-v w"])],
    }
}

/// Checks the action for one spelling in the middle of a command line.
fn check(flag: &Flag, spelled: &[String]) {
    let mut line = vec!["-O2"];
    line.extend(spelled.iter().map(String::as_str));
    line.extend(["a.cpp", "-o", "a"]);
    let parsed = parse(&line);
    if let Does::Refuse(advice) = flag.2 {
        let message = parsed.expect_err(&spelled[0]);
        assert!(message.contains(&spelled[0]) && message.contains(advice), "{message}");
        return;
    }
    let flags = parsed.unwrap_or_else(|message| panic!("{spelled:?}: {message}"));
    let expected: Vec<String> = match flag.2 {
        Does::Becomes(words) => words.iter().map(|word| word.replace("{}", "v w")).collect(),
        Does::Words => vec!["v".to_owned(), "w".to_owned()],
        _ => Vec::new(),
    };
    let line: Vec<OsString> = ["-O2".to_owned()].into_iter().chain(expected).map(OsString::from).collect();
    assert_eq!(flags.clang, [line, ["a.cpp", "-o", "a"].map(OsString::from).to_vec()].concat(), "{spelled:?}");
    let is_dropped = matches!(flag.2, Does::Drop(_));
    assert_eq!(flags.note().is_some_and(|note| note.contains(&spelled[0])), is_dropped, "{spelled:?}");
}

#[test]
fn every_row_does_what_it_says_however_it_is_spelled() {
    for flag in rows() {
        for spelled in spellings(flag) {
            check(flag, &spelled);
        }
    }
}

#[test]
fn every_row_is_reached() {
    for flag in rows() {
        for spelled in spellings(flag) {
            let found = super::find(&spelled[0]).unwrap_or_else(|| panic!("{spelled:?} is not found"));
            assert_eq!(found.flag.0, flag.0, "an earlier row takes {spelled:?}");
        }
    }
    let names: Vec<_> = rows().map(|flag| (flag.0, page::spelling(flag.0, flag.1))).collect();
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
}

#[test]
fn older_names_of_acpps_flags_are_taken() {
    for old in ["--hipsycl-targets=omp", "--opensycl-targets=omp"] {
        let flags = parse(&[old, "a.cpp"]).unwrap();
        assert_eq!(flags.clang, [OsString::from("a.cpp")]);
        assert!(flags.note().unwrap().contains(old));
    }
}

#[test]
fn values_of_clangs_flags_and_inputs_are_no_flags() {
    let line = ["-Xclang", "-fsycl", "-o", "-fsycl", "-D", "-Xs", "--", "-fsycl"];
    let flags = parse(&line).unwrap();
    assert_eq!(flags.clang, line.map(OsString::from));
}

#[test]
fn the_last_of_two_opposites_counts() {
    assert!(!parse(&["-fno-sycl", "-fsycl", "a.cpp"]).unwrap().host_only);
    assert!(parse(&["-fsycl", "-fno-sycl", "a.cpp"]).unwrap().host_only);
}

#[test]
fn a_value_that_is_missing_is_an_error() {
    let message = parse(&["a.cpp", "-Xsycl-target-backend=spir64_gen"]).unwrap_err();
    assert!(message.contains("-Xsycl-target-backend=spir64_gen needs a value"), "{message}");
}

#[test]
fn the_note_is_one_line_that_checks_of_flags_pass_over() {
    let flags = parse(&["-fsycl-targets=spir64", "-Xs", "-device pvc", "-fsycl-targets=spir64", "a.cpp"]).unwrap();
    let note = flags.note().unwrap();
    assert_eq!(note.lines().count(), 1);
    assert_eq!(note.matches("-fsycl-targets=spir64").count(), 1, "{note}");
    // CMakeCheckCompilerFlagCommonPatterns.cmake takes these words as a rejection.
    for word in ["option", "unknown", "ignor", "unrecogni", "warning", "unused", "error"] {
        assert!(!note.contains(word), "{note}");
    }
    assert_eq!(parse(&["-Xs", "a", "--sinter-no-note", "a.cpp"]).unwrap().note(), None);
    assert_eq!(parse(&["-Xs", "a", "-v"]).unwrap().note(), None, "nothing is compiled");
    assert_eq!(parse(&["-fsycl", "a.cpp"]).unwrap().note(), None);
}

#[test]
fn the_page_is_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compiler-flags.md");
    if env::var_os("SINTER_BLESS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == page(), "docs/compiler-flags.md is out of date; run this test with SINTER_BLESS=1");
}

#[test]
fn a_slip_in_a_flag_gets_the_one_that_was_meant() {
    for (slip, meant) in [
        ("-fsycl-targetz=spir64", "-fsycl-targets="),
        ("-fsycl-unname-lambda", "-fsycl-unnamed-lambda"),
        ("-fno-sycl-unname-lambda", "-fno-sycl-unnamed-lambda"),
        ("--acpp-target=omp", "--acpp-targets="),
    ] {
        assert_eq!(parse(&[slip, "a.cpp"]), Err(format!("unknown flag {slip}; did you mean {meant}?")));
    }
    let stranger = parse(&["--acpp-qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"]).expect_err("a stranger");
    assert!(stranger.ends_with("; --sinter-flags lists those that are known"), "{stranger}");
    for argument in ["-fsyntax-only", "-DX=-fsycl-targetz", "a-fsycl-x.cpp"] {
        assert!(parse(&[argument]).is_ok(), "{argument}");
    }
}
