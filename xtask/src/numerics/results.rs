//! Errors of functions on one target, as the program in `tests/numerics` writes them.
//!
//! In: a line for the device, then a line of fields separated by tabs for each function and type.
//! Out: the rows. *Invariant:* a row of a later measurement replaces that of the same function and
//! type, and no other.

use anyhow::{Context, Result};
use std::{fs, path::Path};

/// A function of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// `sycl` or a namespace in it.
    pub(super) family: String,
    pub(super) name: String,
    pub(super) ty: String,
    /// In units in the last place; `-` without one.
    pub(super) bound: String,
    /// Number of arguments.
    pub(super) tried: u64,
    pub(super) error: String,
    /// Number of results beyond the bound.
    pub(super) beyond: u64,
    /// Number of results that are zero instead of a subnormal number.
    pub(super) flushed: u64,
    /// The arguments with the largest error, their result and the exact one.
    pub(super) at: [String; 3],
}

/// All functions of one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) device: String,
    pub(super) rows: Vec<Row>,
}

const DEVICE: &str = "device\t";

impl Row {
    fn parse(line: &str) -> Option<Row> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [family, name, ty, bound, tried, error, beyond, flushed, at, found, exact] = fields[..] else {
            return None;
        };
        Some(Row {
            family: family.to_owned(),
            name: name.to_owned(),
            ty: ty.to_owned(),
            bound: bound.to_owned(),
            tried: tried.parse().ok()?,
            error: error.to_owned(),
            beyond: beyond.parse().ok()?,
            flushed: flushed.parse().ok()?,
            at: [at, found, exact].map(str::to_owned),
        })
    }

    fn line(&self) -> String {
        let Row { family, name, ty, bound, tried, error, beyond, flushed, at } = self;
        let at = at.join("\t");
        format!("{family}\t{name}\t{ty}\t{bound}\t{tried}\t{error}\t{beyond}\t{flushed}\t{at}\n")
    }

    pub(super) fn is_of(&self, other: &Row) -> bool {
        (&self.family, &self.name, &self.ty) == (&other.family, &other.name, &other.ty)
    }
}

impl Results {
    /// `None` if a line is not one of the program's.
    pub(super) fn parse(text: &str) -> Option<Results> {
        let mut lines = text.lines();
        let device = lines.next()?.strip_prefix(DEVICE)?.to_owned();
        Some(Results { device, rows: lines.map(Row::parse).collect::<Option<_>>()? })
    }

    pub(super) fn read(path: &Path) -> Result<Results> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Results::parse(&text).with_context(|| format!("{} has lines that are not the program's", path.display()))
    }

    pub(super) fn text(&self) -> String {
        format!("{DEVICE}{}\n{}", self.device, self.rows.iter().map(Row::line).collect::<String>())
    }

    /// Takes over the rows of a later measurement.
    pub(super) fn update(&mut self, later: Results) {
        self.device = later.device;
        for row in later.rows {
            match self.rows.iter_mut().find(|known| known.is_of(&row)) {
                Some(known) => *known = row,
                None => self.rows.push(row),
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
pub(super) mod tests {
    use super::*;

    pub(crate) const TEXT: &str = "device\tA CPU\n\
        sycl\tsin\tf32\t4\t64\t0.512\t0\t0\t0x1p+0\t0x1.1p-1\t0x1.2p-1\n\
        sycl\tpow\tf32\t16\t64\t17.000\t3\t0\t0x1p+0, 0x1p+1\t0x1.1p-1\t0x1.2p-1\n";

    #[test]
    fn lines_are_read_and_written() {
        let read = Results::parse(TEXT).unwrap();
        assert_eq!((read.device.as_str(), read.rows.len()), ("A CPU", 2));
        assert_eq!((read.rows[1].beyond, read.rows[1].at[0].as_str()), (3, "0x1p+0, 0x1p+1"));
        assert_eq!(read.text(), TEXT);
        assert_eq!(Results::parse("device\tA CPU\nsycl\tsin\n"), None);
        assert_eq!(Results::parse("sycl\tsin\n"), None);
    }

    #[test]
    fn a_later_row_replaces_its_own() {
        let mut known = Results::parse(TEXT).unwrap();
        known.update(Results::parse("device\tB\nsycl\tsin\tf32\t4\t99\t0.6\t0\t0\ta\tb\tc\n").unwrap());
        assert_eq!(
            (known.device.as_str(), known.rows.len(), known.rows[0].tried, known.rows[1].tried),
            ("B", 2, 99, 64)
        );
    }
}
