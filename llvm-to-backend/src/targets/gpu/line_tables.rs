//! Reduces debug information to line tables.
//!
//! *Invariant:* the generated code is the same as without debug information.

use crate::failure::{Failure, Outcome};
use sinter_llvm::{Module, Session};

/// Amounts of debug information that the image's compiler may have emitted.
const EMISSION: [&str; 2] = ["emissionKind: FullDebug", "emissionKind: LineTablesOnly"];
/// Start of a compile unit in IR text.
const UNIT: &str = "= distinct !DICompileUnit(";

/// The same module with the amount of debug information that `emission` says.
pub(crate) fn reduce<'s>(session: &'s Session, module: &Module<'_>, emission: &str) -> Outcome<Module<'s>> {
    let ir: String = module.text().split_inclusive('\n').map(|line| reduced(line, emission)).collect();
    session.parse(ir.as_bytes()).map_err(|error| Failure::internal(error.to_string()))
}

/// Rewrites a line of IR if it is a compile unit. A string constant of the program may contain the
/// same characters.
fn reduced(line: &str, emission: &str) -> String {
    if !line.starts_with('!') || !line.contains(UNIT) {
        return line.to_owned();
    }
    EMISSION.iter().fold(line.to_owned(), |line, kind| line.replace(kind, emission))
}
