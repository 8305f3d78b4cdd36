//! Debug information that says which source line code comes from, and no more.
//!
//! *Invariant:* the code is the same as without it.

use crate::failure::{Failure, Outcome};
use sinter_llvm::{Module, Session};

/// How much of the debug information the compiler of the image asked for.
const EMISSION: [&str; 2] = ["emissionKind: FullDebug", "emissionKind: LineTablesOnly"];
/// The description of a translation unit.
const UNIT: &str = "= distinct !DICompileUnit(";

/// The same module with less debug information, as much as `emission` says.
pub(crate) fn reduce<'s>(session: &'s Session, module: &Module<'_>, emission: &str) -> Outcome<Module<'s>> {
    let ir: String = module.text().split_inclusive('\n').map(|line| reduced(line, emission)).collect();
    session.parse(ir.as_bytes()).map_err(|error| Failure::internal(error.to_string()))
}

/// A line of IR; texts of the program may say the same as the description of a translation unit.
fn reduced(line: &str, emission: &str) -> String {
    if !line.starts_with('!') || !line.contains(UNIT) {
        return line.to_owned();
    }
    EMISSION.iter().fold(line.to_owned(), |line, kind| line.replace(kind, emission))
}
