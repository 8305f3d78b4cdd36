//! Makes Rust constants of the table of device functions.
//!
//! In: `kernels/builtins/table/builtins.txt`. Out: `table.rs` in the build's folder, which `src/lib.rs` includes.
//! *Invariant:* a line that means nothing ends the build with its number.

mod constants;
mod table;

use std::{env, fs, path::PathBuf, process};

const TABLE: &str = "../builtins/table/builtins.txt";

fn main() {
    println!("cargo:rerun-if-changed={TABLE}");
    println!("cargo:rerun-if-changed=build");
    if let Err(message) = generate() {
        eprintln!("{message}");
        process::exit(1);
    }
}

fn generate() -> Result<(), String> {
    let text = fs::read_to_string(TABLE).map_err(|error| format!("{TABLE}: {error}"))?;
    let table = table::Table::parse(&text).map_err(|bad| bad.to_string())?;
    let path = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("table.rs");
    fs::write(&path, constants::write(&table)).map_err(|error| format!("{}: {error}", path.display()))
}
