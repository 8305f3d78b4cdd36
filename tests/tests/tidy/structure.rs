//! Checks the dependencies between files, between crates, and of crates on packages.
//!
//! In: the workspace. Out: every file on a dependency cycle, every dependency that is not allowed,
//! and every unused one. *Invariant:* an exception is a row of a table here, with its reason.

use super::{
    expect_none,
    modules::{self, Graph},
    packages,
    source::{self, File},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Crates whose files may form cycles, by source folder: the number of these files, and the reason.
const KNOTS: &[(&str, usize, &str)] =
    &[("llvm-to-backend/llvm/src", 8, "values, blocks and modules of LLVM refer to each other")];

/// For each crate, by its folder, the crates of the workspace that it may depend on, without
/// dependencies of tests. The first matching row counts; `*` matches a part of a name.
const ARROWS: &[(&str, &[&str])] = &[
    ("benches", &[]),
    ("kernels/table", &[]),
    ("kernels", &["kernels/table"]),
    ("xtask", &[]),
    ("llvm-to-backend/llvm", &[]),
    ("runtime/dylib", &[]),
    ("runtime/program", &[]),
    ("runtime/signals", &[]),
    ("runtime/stdpar", &[]),
    ("tools/sinter-build", &[]),
    ("runtime/core", &["runtime/program"]),
    ("runtime/*-sys", &["runtime/dylib"]),
    ("runtime/driver", &["runtime/core", "runtime/program"]),
    ("runtime/drivers/common", &["runtime/core", "runtime/driver", "runtime/dylib", "runtime/signals"]),
    (
        "runtime/drivers/*",
        &[
            "runtime/core",
            "runtime/driver",
            "runtime/drivers/common",
            "runtime/dylib",
            "runtime/signals",
            "runtime/*-sys",
        ],
    ),
    ("runtime", &["runtime/core", "runtime/driver", "runtime/drivers/*", "runtime/program", "runtime/signals"]),
    ("llvm-to-backend", &["runtime/core", "kernels", "kernels/table", "llvm-to-backend/llvm"]),
    ("llvm-to-backend/capi", &["runtime/core", "llvm-to-backend"]),
    ("tools/common", &["runtime/core", "runtime/signals"]),
    ("tools/llvm-to-tool", &["runtime/core", "tools/common", "llvm-to-backend", "llvm-to-backend/llvm"]),
    ("tools/stage1", &["runtime/core", "kernels", "kernels/table", "llvm-to-backend/llvm"]),
    ("tools/stage1/plugin", &["tools/stage1", "llvm-to-backend/llvm"]),
    ("tools/sinter-cc", &["runtime/core"]),
    ("tools/sinter-hcf", &["runtime/core", "tools/common"]),
    ("tools/sinter-*", &["runtime", "runtime/core", "tools/common"]),
    ("tests/gpu", &["runtime/core", "runtime/driver", "runtime/drivers/*"]),
    ("tests", &["*"]),
];

/// A crate of the workspace.
struct Crate<'m> {
    folder: String,
    package: &'m Value,
}

fn crates(metadata: &Value) -> Vec<Crate<'_>> {
    let members: BTreeSet<&str> = list(&metadata["workspace_members"]).iter().map(packages::text).collect();
    let packages =
        list(&metadata["packages"]).iter().filter(|package| members.contains(packages::text(&package["id"])));
    let folder = |package: &Value| folder_of(Path::new(packages::text(&package["manifest_path"])).parent());
    packages.map(|package| Crate { folder: folder(package), package }).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A folder, relative to the workspace.
fn folder_of(path: Option<&Path>) -> String {
    let inside = path.and_then(|path| path.strip_prefix(source::root()).ok());
    inside.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Crate<'_> {
    fn dependencies(&self) -> &[Value] {
        list(&self.package["dependencies"])
    }

    /// Folders of the crates that this one depends on directly, without dependencies of tests.
    fn built_of(&self) -> BTreeSet<String> {
        let built = self.dependencies().iter().filter(|dependency| dependency["kind"] != "dev");
        built.filter_map(|dependency| Some(folder_of(Some(Path::new(dependency["path"].as_str()?))))).collect()
    }
}

/// True if a name matches a pattern, in which `*` matches a part.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => {
            name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some_and(|part| !part.is_empty())
                && (before.is_empty() || !name[before.len()..].contains('/'))
        }
    }
}

fn by_path(files: &[File]) -> BTreeMap<&str, &File> {
    files.iter().filter(|file| file.is_rust()).map(|file| (file.path.as_str(), file)).collect()
}

/// The files on dependency cycles, each with a cycle.
fn knots(graph: &Graph) -> Vec<String> {
    graph.keys().filter_map(|file| modules::cycle(graph, file)).map(|way| way.join(" -> ")).collect()
}

#[test]
fn files_do_not_need_each_other() {
    let files = source::files();
    let files = by_path(&files);
    let roots = files.keys().filter(|path| ["src/lib.rs", "src/main.rs"].iter().any(|root| path.ends_with(root)));
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for root in roots {
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        found.entry(folder).or_default().extend(knots(&modules::graph(&files, root)));
    }
    let allowed = |folder: &str| KNOTS.iter().find(|(known, ..)| *known == folder).map_or(0, |(_, count, _)| *count);
    for (folder, knots) in found.iter().filter(|(folder, knots)| knots.len() < allowed(folder)) {
        println!("{folder}: {} files need each other; the table says {}", knots.len(), allowed(folder));
    }
    let many = found.into_iter().filter(|(folder, knots)| knots.len() > allowed(folder));
    expect_none("files that need each other", many.flat_map(|(_, knots)| knots).collect());
}

#[test]
fn crates_depend_on_what_the_table_allows() {
    let metadata = packages::metadata();
    let mut findings = Vec::new();
    let (mut used, crates) = (BTreeSet::new(), crates(&metadata));
    for Crate { folder, .. } in &crates {
        match ARROWS.iter().position(|(pattern, _)| fits(pattern, folder)) {
            Some(row) => drop(used.insert(row)),
            None => findings.push(format!("{folder} has no row")),
        }
    }
    for one in &crates {
        let allowed = ARROWS.iter().find(|(pattern, _)| fits(pattern, &one.folder)).map_or(&[][..], |(_, row)| row);
        let strangers = one.built_of().into_iter().filter(|other| !allowed.iter().any(|pattern| fits(pattern, other)));
        findings.extend(strangers.map(|other| format!("{} depends on {other}", one.folder)));
    }
    let unused = ARROWS.iter().enumerate().filter(|(row, _)| !used.contains(row));
    findings.extend(unused.map(|(_, (pattern, _))| format!("no crate is {pattern}")));
    expect_none("see ARROWS", findings);
}

/// The chains of a line. Several spaces end a chain, unless an arrow follows.
fn chains(line: &str) -> Vec<Vec<String>> {
    let mut chains = vec![Vec::new()];
    for part in line.split("<-").map(str::trim) {
        let mut names = part.split("   ").filter(|names| !names.is_empty()).map(|names| names.trim().to_owned());
        let newest = chains.len() - 1;
        chains[newest].extend(names.next());
        chains.extend(names.map(|first| vec![first]));
    }
    chains.retain(|chain| chain.len() > 1);
    chains
}

/// Chains of arrows in the code blocks of a page: for each, the names between the arrows.
fn drawn(page: &str) -> Vec<Vec<String>> {
    let lines = page.lines().filter(|line| line.starts_with("    ") && line.contains(" <- "));
    lines.flat_map(chains).collect()
}

/// Patterns for a group of names: `core, drivers/{host,cuda}` are three.
fn patterns(names: &str) -> Vec<String> {
    let (mut found, mut depth, mut name) = (Vec::new(), 0usize, String::new());
    for c in names.chars().chain([',']) {
        match c {
            ',' if depth == 0 => found.push(std::mem::take(&mut name).trim().to_owned()),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c != ',' || depth > 0 {
            name.push(c);
        }
    }
    found.into_iter().flat_map(|name| alternatives(&name)).collect()
}

fn alternatives(name: &str) -> Vec<String> {
    match name.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
        Some((before, (inner, after))) => inner.split(',').map(|one| format!("{before}{one}{after}")).collect(),
        None => vec![name.to_owned()],
    }
}

/// The crates that a name on a page matches. The name is the end of their folder.
fn named<'c>(pattern: &str, folders: &BTreeSet<&'c str>) -> Vec<&'c str> {
    let ends = |folder: &str| folder.match_indices('/').any(|(at, _)| fits(pattern, &folder[at + 1..]));
    let exact: Vec<_> = folders.iter().copied().filter(|folder| fits(pattern, folder)).collect();
    if exact.is_empty() { folders.iter().copied().filter(|folder| ends(folder)).collect() } else { exact }
}

#[test]
fn the_arrows_on_the_page_are_those_of_the_crates() {
    let metadata = packages::metadata();
    let crates = crates(&metadata);
    let direct: BTreeMap<&str, BTreeSet<String>> = crates.iter().map(|c| (c.folder.as_str(), c.built_of())).collect();
    let folders: BTreeSet<&str> = direct.keys().copied().collect();
    let page = std::fs::read_to_string(source::root().join("ARCHITECTURE.md")).unwrap();
    let (mut findings, mut arrows) = (Vec::new(), 0);
    for pair in drawn(&page).iter().flat_map(|chain| chain.windows(2)) {
        let side = |names: &str| patterns(names).iter().flat_map(|name| named(name, &folders)).collect::<Vec<_>>();
        let (below, above) = (side(&pair[0]), side(&pair[1]));
        for (below, above) in below.iter().flat_map(|below| above.iter().map(move |above| (below, above))) {
            arrows += 1;
            if !reaches(&direct, above, below) {
                findings.push(format!("{below} <- {above}"));
            }
        }
    }
    assert!(arrows >= 15, "ARCHITECTURE.md draws {arrows} arrows between crates as `a <- b`");
    expect_none("ARCHITECTURE.md draws what no Cargo.toml says", findings);
}

fn reaches(direct: &BTreeMap<&str, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let next = direct.get(from).into_iter().flatten();
    next.into_iter().any(|next| next == to || reaches(direct, next, to))
}

/// Files of a package's targets of these kinds, with those that they include by path.
fn sources<'f>(one: &Crate<'_>, kinds: &[&str], files: &BTreeMap<&'f str, &'f File>) -> Vec<&'f File> {
    let is_wanted = |target: &&Value| list(&target["kind"]).iter().any(|kind| kinds.contains(&packages::text(kind)));
    let targets = list(&one.package["targets"]).iter().filter(is_wanted);
    let folders = targets.map(|target| folder_of(Path::new(packages::text(&target["src_path"])).parent()));
    let folders: BTreeSet<String> = folders.collect();
    let inside = |path: &str| folders.iter().any(|folder| Path::new(path).starts_with(folder));
    let mut found: Vec<&File> = files.values().copied().filter(|file| inside(&file.path)).collect();
    let included: BTreeSet<String> = found.iter().flat_map(|file| included(file)).collect();
    let shared = |folder: &Path| folder.to_string_lossy().into_owned();
    let folders: BTreeSet<String> = included.iter().filter_map(|path| Path::new(path).parent()).map(shared).collect();
    found.extend(files.values().filter(|file| folders.iter().any(|folder| Path::new(&file.path).starts_with(folder))));
    found
}

/// Files named by `#[path = ..]`.
fn included(file: &File) -> Vec<String> {
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    let named = file.text.lines().filter_map(|line| line.trim().strip_prefix("#[path = \"")?.split('"').next());
    named.map(|path| plain(&folder.join(path)).to_string_lossy().into_owned()).collect()
}

/// Removes `..` from a path.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
        plain
    })
}

#[test]
fn every_dependency_is_used() {
    const ALL: [&str; 9] = ["lib", "bin", "rlib", "cdylib", "staticlib", "proc-macro", "test", "example", "bench"];
    let (metadata, files) = (packages::metadata(), source::files());
    let files = by_path(&files);
    let mut findings = Vec::new();
    for one in crates(&metadata) {
        for dependency in one.dependencies() {
            let kinds: &[&str] = match packages::text(&dependency["kind"]) {
                "dev" => &ALL,
                "build" => &["custom-build"],
                _ => &ALL[..6],
            };
            let name = dependency["rename"].as_str().unwrap_or(packages::text(&dependency["name"])).replace('-', "_");
            let mut sources = sources(&one, kinds, &files).into_iter();
            if !sources.any(|file| source::words(&file.code, &name).next().is_some()) {
                findings.push(format!("{}/Cargo.toml: {}", one.folder, packages::text(&dependency["name"])));
            }
        }
    }
    expect_none("dependencies that no source of their kind names", findings);
}

/// The graph of a crate with these files, given by path and code.
fn graph_of(sources: &[(&str, &str)]) -> Graph {
    let file = |(path, code): &(&str, &str)| File {
        path: format!("c/src/{path}"),
        text: (*code).to_owned(),
        code: source::blank(code),
    };
    let files: Vec<File> = sources.iter().map(file).collect();
    modules::graph(&by_path(&files), "c/src/lib.rs")
}

#[test]
fn files_are_followed_through_imports_paths_and_re_exports() {
    let graph = graph_of(&[
        ("lib.rs", "mod a;\nmod b;\npub use a::{A, inner::I};\n#[cfg(test)]\nmod tests { use crate::b::B; }"),
        ("a.rs", "pub mod inner;\npub struct A;\nfn f() { inner::g(super::b::C) }"),
        ("a/inner.rs", "use crate::A;\npub struct I; pub fn g() {} mod deep { fn h() { super::g() } }"),
        (
            "b.rs",
            "// crate::a::A\nuse crate::{self as root, a as other};\npub struct B; pub const C: &str = \"crate::A\";\nfn f() -> root::I { other::inner::g() }",
        ),
    ]);
    let uses = |file: &str| graph[&format!("c/src/{file}")].iter().map(|path| &path[6..]).collect::<Vec<_>>();
    assert_eq!(uses("lib.rs"), Vec::<&str>::new());
    assert_eq!(uses("a.rs"), ["a/inner.rs", "b.rs"]);
    assert_eq!(uses("a/inner.rs"), ["a.rs"]);
    assert_eq!(uses("b.rs"), ["a/inner.rs"]);
    let ways = knots(&graph);
    assert_eq!(ways.len(), 3, "{ways:?}");
    assert_eq!(ways[0], "c/src/a.rs -> c/src/a/inner.rs -> c/src/a.rs");
}

#[test]
fn names_on_the_page_are_crates() {
    let folders = BTreeSet::from(["runtime", "runtime/core", "runtime/drivers/cuda", "runtime/drivers/hip", "a/x-sys"]);
    assert_eq!(patterns("core, drivers/{cuda,hip}"), ["core", "drivers/cuda", "drivers/hip"]);
    assert_eq!(named("drivers/*", &folders), ["runtime/drivers/cuda", "runtime/drivers/hip"]);
    assert_eq!((named("runtime", &folders), named("*-sys", &folders)), (vec!["runtime"], vec!["a/x-sys"]));
    let page = "text <- no\n    a            <- b <- c, d          e <- f\n";
    assert_eq!(drawn(page), [vec!["a", "b", "c, d"], vec!["e", "f"]]);
    assert!(fits("runtime/*-sys", "runtime/hip-sys") && !fits("runtime/*-sys", "runtime/sys"));
}
