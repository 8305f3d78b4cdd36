//! Generates the page about flags of other compilers.
//!
//! Out: Markdown for `docs/compiler-flags.md` and `--sinter-flags`. *Invariant:* the page has one
//! row for each row of the tables.

use super::{
    acpp,
    flag::{Does, Flag, Shape, VALUE},
    icpx,
};

const HEAD: &str = "# Flags of other SYCL compilers

`sinter-cc` takes the command lines of icpx, DPC++ and acpp. What is not needed is dropped, and one
line on standard error names it; `--sinter-no-note` leaves that line out. All other flags, such as
`-O3` or `-ffast-math`, are clang's.
";
const COLUMNS: &str = "\n| flag | sinter-cc |\n|---|---|\n";
const OLD_NAMES: &str = "\nFlags that start with `--hipsycl-` or `--opensycl-` are those of the same name here.\n";

/// The page as Markdown.
pub(crate) fn page() -> String {
    let rows = |table: &[Flag]| table.iter().map(row).collect::<String>();
    let (icpx, acpp) = (rows(icpx::TABLE), rows(acpp::TABLE));
    format!("{HEAD}\n## icpx and DPC++\n{COLUMNS}{icpx}\n## acpp\n{OLD_NAMES}{COLUMNS}{acpp}")
}

fn row(Flag(name, shape, does): &Flag) -> String {
    format!("| `{}` | {} |\n", spelling(name, *shape), meaning(*does))
}

/// The flag in the notation of a manual.
pub(super) fn spelling(name: &str, shape: Shape) -> String {
    let switch = || format!("-f[no-]{}", name.strip_prefix("-f").unwrap_or(name));
    match shape {
        Shape::Alone => name.to_owned(),
        Shape::Switch => switch(),
        Shape::Joined => format!("{name}VALUE"),
        Shape::SwitchJoined => format!("{}VALUE", switch()),
        Shape::Optional => format!("{name}[=VALUE]"),
        Shape::Attached => format!("{name}NAME"),
        Shape::Separate => format!("{name} VALUE"),
        Shape::Either => format!("{name}[ ]VALUE"),
        Shape::Tool => format!("{name}[=TRIPLE] VALUE"),
    }
}

fn meaning(does: Does) -> String {
    match does {
        Does::Always => "does so always, or has no need to".to_owned(),
        Does::Drop(reason) => format!("drops it: {reason}"),
        Does::Becomes(words) => format!("passes `{}`", words.join(" ").replace(VALUE, "VALUE")),
        Does::Words => "passes the words of the value".to_owned(),
        Does::Set(_, what) => what.to_owned(),
        Does::Refuse(advice) => format!("refuses it: {advice}"),
    }
}
