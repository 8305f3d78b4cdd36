//! Checks the conventions that a program can check.
//!
//! Each test prints all offenders with their places. Exceptions of a rule are listed here, with the
//! reason.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

#[path = "tidy/functions.rs"]
mod functions;
#[path = "tidy/modules.rs"]
mod modules;
#[path = "tidy/packages.rs"]
mod packages;
#[path = "tidy/prose/mod.rs"]
mod prose;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/structure.rs"]
mod structure;

use source::File;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

const MAX_FILE_LINES: usize = 600;
const MAX_FUNCTION_LINES: usize = 100;
const MAX_MEDIAN_LINES: usize = 8;
const MAX_P90_LINES: usize = 30;
/// 50 of them decide which passes large modules skip, 30 which features a machine needs: LLVM tells
/// both in C++ only.
const MAX_SHIM_LINES: usize = 2_980;

/// Functions that may be longer, each an exhaustive match: name and reason.
const LONG_FUNCTIONS: &[(&str, &str)] = &[];

/// Files in which `unsafe` may occur, with the reason.
const UNSAFE: &[(&str, &str)] = &[
    ("llvm-to-backend/llvm/", "the C API of LLVM and the C++ shim"),
    ("llvm-to-backend/capi/src/", "the translator's C interface"),
    ("tools/stage1/plugin/src/", "the entry point that clang calls"),
    ("runtime/driver/src/", "declares and forwards unsafe methods of the traits"),
    ("runtime/drivers/", "vendor interfaces, memory and machine code"),
    ("runtime/dylib/", "opens libraries of vendors"),
    ("runtime/*-sys/", "the functions of a vendor's library"),
    ("runtime/prebuilt/", "calls the C interface"),
    ("runtime/program/src/", "memory of devices, lent as slices"),
    ("runtime/signals/", "signals of the calling thread"),
    ("runtime/stdpar/src/", "an allocator"),
    ("runtime/src/api/c/", "exports the C interface"),
    ("runtime/src/device_globals.rs", "reads objects of the program and copies them to devices"),
    ("runtime/src/device_globals/", "reads objects of the program and copies them to devices"),
    ("runtime/src/registry/globals.rs", "reads tables of device globals in the program's memory"),
    ("runtime/src/registry/descriptor.rs", "reads descriptors in the program's memory"),
    ("runtime/src/launch/bound.rs", "hands argument buffers with device pointers to drivers"),
    ("runtime/src/launch/mod.rs", "hands argument buffers with device pointers to drivers"),
    ("runtime/src/launch/search.rs", "reads descriptors in the program's memory"),
    ("runtime/src/buffers/access.rs", "copies the contents of buffers to memory of the program"),
    ("runtime/src/buffers/command.rs", "submits commands with the addresses that callers promise"),
    ("runtime/src/buffers/gate.rs", "implements the unsafe methods of a queue"),
    ("runtime/src/buffers/late.rs", "submits commands with the addresses that callers promise"),
    ("runtime/src/buffers/pool.rs", "returns memory to drivers"),
    ("runtime/src/exit.rs", "registers a function that runs at the exit of the process"),
    ("runtime/src/stdpar/followed.rs", "reads pointers of the program that a kernel follows"),
    ("runtime/src/stdpar/residence.rs", "submits commands about memory to drivers"),
    ("runtime/src/stdpar/scratch.rs", "returns memory to drivers"),
    ("runtime/src/forks.rs", "registers functions that run before and after a fork"),
    ("runtime/src/buffers/record.rs", "allocates the copies of buffers"),
    ("runtime/src/buffers/submit.rs", "submits commands with the addresses that callers promise"),
    ("runtime/src/buffers/transfer.rs", "submits copies between memories"),
    ("examples/rust/src/main.rs", "launches kernels, which is unsafe by nature"),
    ("runtime/src/runtime.rs", "passes on the promises of those who launch"),
    ("runtime/src/queue/deferral.rs", "hands on commands with the pointers of their submitters"),
    ("runtime/src/native.rs", "takes over queues of a vendor's interface"),
    ("runtime/src/api/rust/", "memory of devices and launches, for programs in Rust"),
    ("runtime/src/registry/index.rs", "reads tables of images in the program's memory"),
    ("runtime/src/registry/mod.rs", "reads containers in the program's memory"),
    ("runtime/src/trace/device.rs", "hands on the unsafe calls of drivers"),
    ("runtime/src/trace/ranges.rs", "loads a tool and calls its functions"),
    ("runtime/src/system.rs", "calls the C library"),
    ("runtime/src/code/translator/library.rs", "opens and calls the translator"),
];

/// Files in which the environment may be read.
const ENVIRONMENT: &[&str] =
    &["runtime/src/settings/environment.rs", "tools/sinter-build/src/cargo.rs", "xtask/", "tests/", "benches/"];

const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0_WITH_LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unlicense",
    "CC0-1.0",
    "0BSD",
    "Unicode-3.0",
];

/// Crates that may occur in several versions, with the reason.
const DUPLICATES: &[(&str, &str)] = &[
    ("embedded-io", "postcard 1.1 offers both versions; neither is compiled without its features"),
    ("hashbrown", "dashmap 6.1 is one version behind"),
];

/// All entries that belong in the repository's root.
const ROOT: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "NOTICE",
    "README.md",
    "benches",
    "clippy.toml",
    "docs",
    "examples",
    "fuzz",
    "kernels",
    "llvm-to-backend",
    "runtime",
    "rustfmt.toml",
    "tests",
    "tools",
    "xtask",
];

/// Fails with all findings at once.
fn expect_none(rule: &str, findings: Vec<String>) {
    assert!(findings.is_empty(), "{rule}:\n  {}", findings.join("\n  "));
}

fn is_build_script_or_test(path: &str) -> bool {
    path.ends_with("build.rs")
        || path.starts_with("kernels/build/")
        || path.starts_with("kernels/table/build/")
        || path.starts_with("tests/")
        || path.contains("/tests/")
        || path.ends_with("/tests.rs")
}

#[test]
fn every_rust_file_opens_with_a_module_page() {
    let files = source::files();
    let without = files.iter().filter(|file| file.is_rust() && !file.text.starts_with("//! "));
    expect_none("a file must open with `//!` and a sentence", without.map(|file| file.path.clone()).collect());
}

#[test]
fn the_root_holds_nothing_that_was_left_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let Ok(output) = Command::new("git").args(list).current_dir(root).output() else {
        return println!("skipped: git is not installed");
    };
    let listed = String::from_utf8_lossy(&output.stdout);
    let present = |file: &&str| root.join(file).exists();
    let names: BTreeSet<&str> = listed.lines().filter(present).filter_map(|path| path.split('/').next()).collect();
    let strangers = names.into_iter().filter(|name| !ROOT.contains(name));
    expect_none("not among the files of the root (`ROOT`)", strangers.map(str::to_owned).collect());
}

#[test]
fn files_are_short() {
    let is_code =
        |file: &&File| [".rs", ".cpp", ".hpp", ".h", ".hip", ".cu"].iter().any(|end| file.path.ends_with(end));
    let files = source::files();
    let long = files.iter().filter(is_code).map(|file| (&file.path, file.text.lines().count()));
    let long = long.filter(|(_, lines)| *lines > MAX_FILE_LINES);
    expect_none("at most 600 lines", long.map(|(path, lines)| format!("{path}: {lines} lines")).collect());
}

#[test]
fn functions_are_short() {
    let files = source::files();
    let mut functions: Vec<_> = files.iter().filter(|file| file.is_rust()).flat_map(functions::functions).collect();
    functions.sort_by_key(|function| function.lines);
    let (median, p90) = (functions[functions.len() / 2].lines, functions[functions.len() * 9 / 10].lines);
    println!("{} functions: median {median} lines, 90th percentile {p90}", functions.len());
    let excepted = |name: &str| LONG_FUNCTIONS.iter().any(|(known, _)| *known == name);
    let long = functions.iter().filter(|f| f.lines > MAX_FUNCTION_LINES && !excepted(&f.name));
    let long = long.map(|f| format!("{}: {} has {} lines", f.place, f.name, f.lines)).collect();
    expect_none("at most 100 lines, exhaustive matches excepted", long);
    assert!(median <= MAX_MEDIAN_LINES && p90 <= MAX_P90_LINES, "median {median}, 90th percentile {p90}");
}

#[test]
fn unsafe_code_stays_behind_its_fence() {
    let files = source::files();
    let fenced = |file: &&File| {
        file.is_rust()
            && !is_build_script_or_test(&file.path)
            && !UNSAFE.iter().any(|(place, _)| is_below(place, &file.path))
    };
    let by_path: BTreeMap<&str, &File> = files.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut findings = Vec::new();
    for file in files.iter().filter(fenced) {
        let uses = source::words(&file.code, "unsafe").map(|at| source::line_of(&file.code, at));
        findings.extend(uses.map(|line| format!("{}:{line}: unsafe code outside the fence", file.path)));
        if !forbids_unsafe(file, &by_path) {
            findings.push(format!("{}: neither it nor its crate says #![forbid(unsafe_code)]", file.path));
        }
    }
    expect_none("see UNSAFE in tests/tests/tidy.rs", findings);
}

/// True if a path starts with a place, in which `*` matches a part of a name.
fn is_below(place: &str, path: &str) -> bool {
    match place.split_once('*') {
        None => path.starts_with(place),
        Some((before, after)) => path
            .strip_prefix(before)
            .and_then(|rest| rest.split_once(after))
            .is_some_and(|(part, _)| !part.contains('/')),
    }
}

fn forbids_unsafe(file: &File, files: &BTreeMap<&str, &File>) -> bool {
    let source_folder = file.path.rfind("src/").map_or("", |at| &file.path[..at + 4]);
    let roots = ["lib.rs", "main.rs"].map(|name| format!("{source_folder}{name}"));
    let roots = roots.iter().filter_map(|root| files.get(root.as_str()).copied());
    // `deny` is for crates with a fenced module; the search for the word covers their other
    // modules.
    let lints = ["#![forbid(unsafe_code)]", "#![deny(unsafe_code)]"];
    std::iter::once(file).chain(roots).any(|file| lints.iter().any(|lint| file.code.contains(lint)))
}

#[test]
fn every_unsafe_block_says_why_it_is_safe() {
    let mut findings = Vec::new();
    for file in source::files().iter().filter(|file| file.is_rust()) {
        let lines: Vec<&str> = file.text.lines().collect();
        for at in source::words(&file.code, "unsafe") {
            let after = file.code[at + 6..].trim_start();
            let line = source::line_of(&file.code, at);
            let needs_reason = after.starts_with('{') || after.starts_with("impl");
            if needs_reason && !has_reason(&lines[..line]) {
                findings.push(format!("{}:{line}", file.path));
            }
        }
    }
    expect_none("an unsafe block needs a `// SAFETY:` before it", findings);
}

/// The comment may be on the same line or in the comment block above the statement.
fn has_reason(lines: &[&str]) -> bool {
    lines.iter().rev().take(8).any(|line| line.contains("SAFETY:"))
}

#[test]
fn the_environment_is_read_at_the_edge_only() {
    let at_edge = |path: &str| {
        ENVIRONMENT.iter().any(|known| path.starts_with(known))
            || is_build_script_or_test(path)
            || (path.starts_with("tools/") && path.ends_with("src/main.rs"))
    };
    let mut findings = Vec::new();
    for file in source::files().iter().filter(|file| file.is_rust() && !at_edge(&file.path)) {
        let reads = |line: &str| ["env::var", "env::set_var", "getenv"].iter().any(|call| line.contains(call));
        let lines = file.code_lines().filter(|(_, line)| reads(line));
        findings.extend(lines.map(|(number, line)| format!("{}:{number}: {}", file.path, line.trim())));
    }
    expect_none("only tunables.rs and the tools' main.rs read the environment", findings);
}

#[test]
fn the_shim_is_small_enough_to_audit() {
    let files = source::files();
    let is_cpp = |path: &str| [".cpp", ".hpp"].iter().any(|end| path.ends_with(end));
    let is_plugin = |path: &str| path.starts_with("tools/stage1/plugin/") && is_cpp(path);
    let is_shim = |path: &str| path.starts_with("llvm-to-backend/llvm/shim/") || is_plugin(path);
    let shim = files.iter().filter(|file| is_shim(&file.path));
    let lines: usize = shim.map(|file| file.text.lines().count()).sum();
    assert!(
        (1..=MAX_SHIM_LINES).contains(&lines),
        "the C++ beside LLVM and in clang has {lines} lines; at most {MAX_SHIM_LINES}"
    );
}

#[test]
fn no_file_names_a_machine_or_an_unfinished_thought() {
    // Split in two pieces, or this file would match itself.
    let forbidden = [
        concat!("/wo", "rk/"),
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
    ];
    let mut findings = Vec::new();
    for file in source::files().iter().filter(|file| file.path != "Cargo.lock") {
        for (number, line) in file.text.lines().enumerate() {
            let found = forbidden.iter().find(|word| line.contains(*word));
            findings.extend(found.map(|word| format!("{}:{}: {word}", file.path, number + 1)));
        }
    }
    expect_none("paths of a machine and unfinished thoughts do not belong here", findings);
}

#[test]
fn the_runtime_does_not_depend_on_llvm() {
    let metadata = packages::metadata();
    // The runtime depends on core and on all drivers.
    for package in ["sinter", "sinter-device-cases", "xtask", "sinter-benches"] {
        let dependencies = packages::dependencies(&metadata, package);
        let compiler = dependencies.iter().filter(|name| {
            ["llvm", "inkwell", "sinter-translate", "sinter-stage1", "sinter-kernels"]
                .iter()
                .any(|word| name.contains(word))
        });
        expect_none(&format!("{package} must not depend on the compiler"), compiler.cloned().collect());
    }
}

#[test]
fn tools_of_the_workspace_stay_out_of_each_other() {
    let metadata = packages::metadata();
    for package in ["xtask", "sinter-benches"] {
        let ours = packages::dependencies(&metadata, package);
        let ours = ours.into_iter().filter(|name| name != package && name.starts_with("sinter")).collect();
        expect_none(&format!("{package} depends on no crate of the workspace"), ours);
    }
}

#[test]
fn licences_are_compatible() {
    let metadata = packages::metadata();
    let allowed = |licence: &str| LICENCES.contains(&licence);
    let packages = packages::packages(&metadata);
    let bad = packages.values().filter(|package| !packages::satisfiable(packages::text(&package["license"]), &allowed));
    let shown =
        |package: &&serde_json::Value| format!("{} {}: {}", package["name"], package["version"], package["license"]);
    expect_none("licences outside the list", bad.map(shown).collect());
}

#[test]
fn dependencies_occur_in_one_version() {
    let metadata = packages::metadata();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages::packages(&metadata).values() {
        versions.entry(packages::text(&package["name"])).or_default().push(packages::text(&package["version"]));
    }
    let excepted = |name: &str| DUPLICATES.iter().any(|(known, _)| *known == name);
    let twice = versions.iter().filter(|(name, versions)| versions.len() > 1 && !excepted(name));
    expect_none(
        "several versions of one crate",
        twice.map(|(name, versions)| format!("{name}: {versions:?}")).collect(),
    );
}

#[test]
fn the_lexer_sees_code_only() {
    let code =
        source::blank("let a = \"unsafe\"; // unsafe\nlet b = 'x'; /* unsafe /* */ */ r#\"unsafe\"#; fn f<'a>() {}\n");
    assert_eq!(source::words(&code, "unsafe").count(), 0);
    assert!(code.contains("fn f<'a>() {}"));
    assert_eq!(code.lines().count(), 2);
}

#[test]
fn licence_expressions_are_evaluated() {
    let allowed = |licence: &str| ["MIT", "Unicode-3.0"].contains(&licence);
    for good in ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"] {
        assert!(packages::satisfiable(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT MIT"] {
        assert!(!packages::satisfiable(bad, &allowed), "{bad}");
    }
}

#[test]
fn documents_exist() {
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/README.md",
        "docs/glossary.md",
        "NOTICE",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ];
    let missing = documents.iter().filter(|name| !Path::new(&source::root()).join(name).exists());
    expect_none("missing documents", missing.map(|name| (*name).to_owned()).collect());
}
