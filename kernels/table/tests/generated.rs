//! What is made of the table and lies in the tree is up to date.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_builtins::lists;
use std::{env, fs, path::Path};

/// A file by its place in the tree, and its text.
type Generated = (&'static str, fn() -> String);

const GENERATED: [Generated; 5] = [
    ("docs/builtins.md", lists::page),
    ("runtime/include/sycl/detail/declarations.hpp", lists::declarations),
    ("runtime/include/sycl/detail/function_lists.hpp", lists::function_lists),
    ("tests/gpu/ulp_functions.hpp", lists::measured),
    ("tests/programs/types/builtin_functions.hpp", lists::tested),
];

#[test]
fn the_generated_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, text) in GENERATED {
        let (path, text) = (root.join(name), text());
        if env::var_os("SINTER_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let present = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            present == text,
            "{name} is out of date; run `SINTER_BLESS=1 cargo test -p sinter-builtins --test generated`"
        );
    }
}
