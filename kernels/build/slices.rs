//! Splits a library into slices, since the cost of reading bitcode is proportional to its size: a
//! slice is read in a tenth of a millisecond.
//!
//! In: modules with functions of an interface. Out: for each function the slice that defines it,
//! with all internal symbols of its module that it needs. *Invariant:* a function of the interface
//! is in one slice; other interface functions that it calls are declarations there, unless they are
//! from its own module.

use crate::command::{LLVM, fail, output, run};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
};

/// Type suffixes in names of functions of one family.
const TYPES: [&str; 11] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"];

/// Functions and the module that defines them.
pub(crate) struct Slice {
    names: Vec<String>,
    /// Variables that other slices may define too.
    shared: Vec<String>,
    /// Path of the bitcode.
    pub path: PathBuf,
}

/// Splits modules into slices in the folder `name` of `out`.
pub(crate) fn cut(name: &str, modules: &[PathBuf], out: &Path) -> Vec<Slice> {
    let folder = out.join(name);
    fs::create_dir_all(&folder).unwrap_or_else(|e| fail(&format!("{}: {e}", folder.display())));
    let jobs: Vec<(PathBuf, Slice)> = modules.iter().flat_map(|module| plan(module, &folder)).collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for first in 0..workers {
            let mine = jobs.iter().skip(first).step_by(workers);
            scope.spawn(move || mine.for_each(|(module, slice)| extract(module, slice)));
        }
    });
    jobs.into_iter().map(|(_, slice)| slice).collect()
}

/// The slices of a module: one for each function family. Variables that a slice shares with others
/// stay visible.
fn plan(module: &Path, folder: &Path) -> Vec<(PathBuf, Slice)> {
    let bitcode = folder.join(module.file_name().unwrap_or_default()).with_extension("module");
    run(LLVM.tool("llvm-as").arg(module).arg("-o").arg(&bitcode));
    let symbols = output(LLVM.tool("llvm-nm").args(["--defined-only", "--extern-only"]).arg(&bitcode));
    let (mut families, mut shared) = (BTreeMap::<String, Vec<String>>::new(), Vec::new());
    for (kind, name) in symbols.lines().filter_map(|line| line.trim_start_matches(['-', ' ']).split_once(' ')) {
        match kind {
            "T" => families.entry(family(name).to_owned()).or_default().push(name.to_owned()),
            _ => shared.push(name.to_owned()),
        }
    }
    let slice = |(family, names): (String, _)| {
        let path = folder.join(family).with_extension("bc");
        (bitcode.clone(), Slice { names, shared: shared.clone(), path })
    };
    families.into_iter().map(slice).collect()
}

/// A name without its type or axis.
fn family(name: &str) -> &str {
    let Some((stem, last)) = name.rsplit_once('_') else { return name };
    if TYPES.contains(&last) || ["x", "y", "z"].contains(&last) { stem } else { name }
}

fn extract(module: &Path, slice: &Slice) {
    let public = format!("-internalize-public-api-list={}", [&slice.names[..], &slice.shared].concat().join(","));
    let mut opt = LLVM.tool("opt");
    run(opt
        .arg("-passes=internalize,globaldce,strip-dead-prototypes")
        .arg(public)
        .arg(module)
        .arg("-o")
        .arg(&slice.path));
}

/// A Rust constant: the slices, and for each function, in the order of the names, the index of its
/// slice.
pub(crate) fn constant(slices: &[Slice]) -> String {
    let bytes = |slice: &Slice| format!("include_bytes!({:?}),\n", slice.path.display().to_string());
    let files: String = slices.iter().map(bytes).collect();
    let number = |(number, slice): (usize, &Slice)| {
        slice.names.iter().map(move |name| (name.clone(), number)).collect::<Vec<_>>()
    };
    let numbers: BTreeMap<String, usize> = slices.iter().enumerate().flat_map(number).collect();
    let names: String = numbers.iter().map(|(name, number)| format!("({name:?}, {number}),\n")).collect();
    format!("Library {{ slices: &[{files}], numbers: &[{names}] }}")
}
