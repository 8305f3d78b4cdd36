//! The seeds and past findings in the repository have the required properties, and the readers
//! accept them.
#![forbid(unsafe_code)]

use std::{fs, path::Path};

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let files = fs::read_dir(folder).expect("seeds").map(|file| fs::read(file.expect("a file").path()).expect("bytes"));
    let seeds: Vec<_> = files.collect();
    assert!(!seeds.is_empty(), "no seeds for {target}");
    seeds
}

#[test]
fn containers() {
    seeds("container").iter().for_each(|bytes| sinter_fuzz::container::check(bytes));
}

#[test]
fn requests() {
    seeds("request").iter().for_each(|bytes| sinter_fuzz::request::check(bytes));
}

#[test]
fn cache_entries() {
    seeds("cache_entry").iter().for_each(|bytes| sinter_fuzz::cache_entry::check(bytes));
}
