//! Renews the list of the functions that first translations run.
//!
//! In: files of callgrind, one for each process, those first whose functions shall lie together,
//! and lists of names, a line each, for code that callgrind cannot run, such as that for AVX-512.
//! Out: `llvm-to-backend/capi/first_functions.txt`, by which the translator's library is laid out.
//! *Invariant:* a group of lines has the functions of one file that no earlier file has, as hashes
//! in order, so that the same profiles give the same list.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
};

const LIST: &str = "llvm-to-backend/capi/first_functions.txt";
/// How callgrind's files begin.
const CALLGRIND: &str = "# callgrind format";
const LIBRARY: &str = "libsinter_translate";

/// Writes the list from the files that the arguments name.
pub(crate) fn first_functions(files: &[String]) -> Result<()> {
    if files.is_empty() {
        bail!("name files of `valgrind --tool=callgrind --demangle=no` with first launches");
    }
    let (mut seen, mut groups) = (HashSet::new(), Vec::new());
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
        let names = if text.starts_with(CALLGRIND) { executed(&text) } else { text.lines().collect() };
        let hashes: BTreeSet<u32> = names.into_iter().map(hash).filter(|hash| seen.insert(*hash)).collect();
        groups.push(hashes.into_iter().map(|hash| format!("{hash:08x}\n")).collect::<String>());
    }
    fs::write(shell::root().join(LIST), groups.join("\n"))?;
    eprintln!("xtask: {} functions in {LIST}", seen.len());
    Ok(())
}

/// The functions of LLVM in the translator's library that a process ran. Names of objects and
/// functions are written once, with a number: `fn=(12) name`, later `fn=(12)`.
fn executed(text: &str) -> HashSet<&str> {
    let (mut objects, mut functions) = (HashMap::new(), HashMap::new());
    let (mut is_ours, mut found) = (false, HashSet::new());
    for line in text.lines() {
        let Some((field, value)) = line.split_once('=') else { continue };
        let names = match field {
            "ob" | "cob" => &mut objects,
            "fn" | "cfn" => &mut functions,
            _ => continue,
        };
        let (number, name) = value.split_once(' ').unwrap_or((value, ""));
        if !name.is_empty() {
            names.insert(number, name);
        }
        let name: &str = names.get(number).copied().unwrap_or("");
        match field {
            "ob" => is_ours = name.contains(LIBRARY),
            "fn" if is_ours && (name.starts_with("_Z") || name.starts_with("LLVM")) => {
                // 'N is the depth of a recursion.
                found.insert(name.split('\'').next().unwrap_or(name));
            }
            _ => {}
        }
    }
    found
}

/// FNV-1a, as in `llvm-to-backend/capi/build.rs`.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
