//! Parses the table that a program writes for `SINTER_REPORT`.
//!
//! In: the report as text. Out: the rows of its first table. The runtime aligns columns. Of the
//! last columns only the first, `source`, is not a number, and none of their cells has a space.

use anyhow::{Context, Result};
use std::{fs, path::Path};

/// One kernel variant of one process.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) kernel: String,
    pub(crate) device: String,
    pub(crate) variant: String,
    /// `translated`, `disk` or `memory`.
    pub(crate) source: String,
    pub(crate) translate: String,
    pub(crate) assemble: String,
    pub(crate) load: String,
}

impl Row {
    fn cells(&self) -> [&str; 7] {
        let Row { kernel, device, variant, source, translate, assemble, load } = self;
        [kernel, device, variant, source, translate, assemble, load]
    }
}

/// Reads the report at `path`.
pub(crate) fn read(path: &Path) -> Result<Vec<Row>> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("{} was not written; the program did not end normally", path.display()))?;
    parse(&text).with_context(|| format!("{} is not a report:\n{text}", path.display()))
}

fn parse(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines();
    let heading = lines.next()?;
    let start = |name: &str| heading.find(name).map(|at| heading[..at].chars().count());
    let columns = [start("device")?, start("variant")?, start("source")?];
    lines.take_while(|line| !line.is_empty()).map(|line| row(line, columns)).collect()
}

fn row(line: &str, [device, variant, source]: [usize; 3]) -> Option<Row> {
    let chars: Vec<char> = line.chars().collect();
    let cell = |from: usize, to: usize| Some(chars.get(from..to)?.iter().collect::<String>().trim().to_owned());
    let rest = cell(source, chars.len())?;
    let mut rest = rest.split_whitespace().map(str::to_owned);
    Some(Row {
        kernel: cell(0, device)?,
        device: cell(device, variant)?,
        variant: cell(variant, source)?,
        source: rest.next()?,
        translate: rest.next()?,
        assemble: rest.next()?,
        load: rest.next()?,
    })
}

/// The rows as an aligned table.
pub(crate) fn table(rows: &[Row]) -> String {
    let heading = ["kernel", "device", "variant", "source", "translate ms", "assemble ms", "load ms"];
    let lines: Vec<[&str; 7]> = std::iter::once(heading).chain(rows.iter().map(Row::cells)).collect();
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    lines.iter().map(|cells| line(cells, &widths)).collect()
}

fn line(cells: &[&str; 7], widths: &[usize; 7]) -> String {
    let padded = cells.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
        0..4 => format!("{cell:<width$}"),
        _ => format!("{cell:>width$}"),
    });
    padded.collect::<Vec<_>>().join("  ") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_beside_wide_names() {
        let text = "kernel  device  variant        source      translate ms  assemble ms  load ms  launches\n\
                    triäd   a  cpu  range, 32-bit  translated         1.500        0.250    0.100         2\n";
        let row = &parse(text).unwrap()[0];
        assert_eq!(row.cells(), ["triäd", "a  cpu", "range, 32-bit", "translated", "1.500", "0.250", "0.100"]);
        assert_eq!(parse(&format!("{text}\nkernel  device  runs\ntriäd   a  cpu  2\n")).unwrap().len(), 1);
        assert_eq!(parse("no table"), None);
    }
}
