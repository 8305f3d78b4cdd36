//! Formats figures as a Markdown table whose columns are aligned as plain text too.
//!
//! *Invariant:* every row has as many cells as the header; a `|` inside a cell is escaped.

use crate::figure::{Figure, Goal};
use crate::stats;

const HEADER: [&str; 8] = ["figure", "Sinter", "peer", "peer is", "ratio", "quartiles of the ratio", "goal", "reached"];

/// A table with one row for each figure, and a column of limits if one has a limit.
pub(crate) fn markdown(figures: &[Figure]) -> String {
    let mut rows = vec![HEADER.map(String::from).to_vec()];
    rows.extend(figures.iter().map(|figure| row(figure).to_vec()));
    if figures.iter().any(|figure| figure.reached.is_some()) {
        let limits = std::iter::once("of the limit".to_owned()).chain(figures.iter().map(limit));
        rows.iter_mut().zip(limits).for_each(|(row, limit)| row.push(limit));
    }
    render(&rows)
}

fn limit(figure: &Figure) -> String {
    figure.reached.map_or_else(dash, |(part, limit)| format!("{:.0} % of {limit}", 100.0 * part))
}

/// A table with one row for each figure that has a variant: a figure with the same ID and `suffix`.
pub(crate) fn beside_variants(figures: &[Figure], suffix: &str, header: [&str; 8]) -> String {
    let variant = |figure: &Figure| figures.iter().find(|other| other.id == format!("{}{suffix}", figure.id));
    let pairs = figures.iter().filter_map(|figure| Some((row(figure), variant(figure)?)));
    let rows = pairs.map(|([title, ours, peer, name, ratio, ..], other)| {
        let [_, its, _, _, its_ratio, ..] = row(other);
        vec![title, ours, peer, name, ratio, its, its_ratio, limit(other)]
    });
    render(&std::iter::once(header.map(String::from).to_vec()).chain(rows).collect::<Vec<_>>())
}

fn row(figure: &Figure) -> [String; 8] {
    let peer = figure.peer.as_ref();
    [
        figure.title.to_owned(),
        quantity(figure, &figure.samples),
        peer.map_or_else(dash, |peer| quantity(figure, &peer.samples)),
        peer.map_or_else(dash, |peer| peer.name.to_owned()),
        figure.ratio().map_or_else(dash, number),
        figure.ratio_quartiles().map_or_else(dash, |[lower, upper]| format!("{} to {}", number(lower), number(upper))),
        goal(figure),
        figure.verdict().word().to_owned(),
    ]
}

fn dash() -> String {
    "-".to_owned()
}

fn quantity(figure: &Figure, samples: &[f64]) -> String {
    stats::median(samples).map_or_else(dash, |median| format!("{} {}", number(median), figure.unit.symbol()))
}

fn goal(figure: &Figure) -> String {
    match figure.goal {
        Goal::Ratio(limit) => format!("ratio <= {limit:.2}"),
        Goal::AtMost(limit) => format!("<= {limit} {}", figure.unit.symbol()),
        Goal::Above(limit) => format!("peer + {limit} {}", figure.unit.symbol()),
        Goal::None => dash(),
    }
}

/// At least three significant digits from 0.1 on, never an exponent.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A table of `rows`, of which the first is the header. All have the same number of cells.
pub(crate) fn render(rows: &[Vec<String>]) -> String {
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| cell.replace('|', "\\|")).collect()).collect();
    let width = |column: usize| {
        cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let (header, body) = cells.split_at(cells.len().min(1));
    header.iter().chain([&rule]).chain(body).map(|row| line(row, &widths)).collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    fn last_cells(table: &str) -> Vec<&str> {
        table.lines().last().unwrap().split('|').map(str::trim).collect()
    }

    #[test]
    fn a_figure_with_a_peer_shows_medians_ratio_and_verdict() {
        let figure = Figure::new("stream.copy", "copy", Unit::Milliseconds, &[0.030, 0.010, 0.020])
            .beside("OpenMP", &[0.040, 0.020, 0.040])
            .goal(Goal::Ratio(1.0));
        let table = markdown(&[figure]);
        let expected =
            ["", "copy", "20.0 ms", "40.0 ms", "OpenMP", "0.500", "0.500 to 0.625", "ratio <= 1.00", "yes", ""];
        assert_eq!(last_cells(&table), expected);
    }

    #[test]
    fn limits_have_a_column_where_one_is_known() {
        let copy = || Figure::new("copy", "copy", Unit::Milliseconds, &[0.010]);
        assert!(!markdown(&[copy()]).contains("limit"));
        let table = markdown(&[copy(), copy().reaching(0.914, "traffic")]);
        assert!(table.lines().next().unwrap().contains("| of the limit "), "{table}");
        assert_eq!(last_cells(&table)[9], "91 % of traffic");
        assert_eq!(table.lines().map(|line| line.matches('|').count()).collect::<Vec<_>>(), [10; 4]);
    }

    #[test]
    fn a_figure_and_its_variant_share_a_row() {
        let figure = |id: &str, ours| Figure::new(id, id, Unit::Milliseconds, &[ours]).beside("CL", &[0.010]);
        let host = figure("sum.host", 0.005).reaching(0.5, "traffic");
        let table = beside_variants(&[figure("sum", 0.020), figure("dot", 0.020), host], ".host", [""; 8]);
        let expected = ["", "sum", "20.0 ms", "10.0 ms", "CL", "2.00", "5.00 ms", "0.500", "50 % of traffic", ""];
        assert_eq!((last_cells(&table).as_slice(), table.lines().count()), (expected.as_slice(), 3));
    }

    #[test]
    fn what_is_not_known_is_a_dash() {
        let table = markdown(&[Figure::new("load", "load", Unit::Microseconds, &[])]);
        assert_eq!(last_cells(&table), ["", "load", "-", "-", "-", "-", "-", "-", "-", ""]);
    }

    #[test]
    fn all_lines_are_equally_long() {
        let figures = [
            Figure::new("a", "a", Unit::Seconds, &[1.0]),
            Figure::new("b", "a longer title", Unit::Mebibytes, &[70_000.0]).goal(Goal::AtMost(70.0)),
        ];
        let table = markdown(&figures);
        let lengths: Vec<_> = table.lines().map(|line| line.chars().count()).collect();
        assert_eq!(lengths.len(), 4);
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{table}");
    }

    #[test]
    fn a_bar_in_a_cell_does_not_open_a_column() {
        let table = markdown(&[Figure::new("a", "a|b", Unit::Seconds, &[1.0])]);
        assert!(table.contains("a\\|b"));
    }

    #[test]
    fn numbers_keep_about_three_digits() {
        assert_eq!(
            [number(1234.5), number(12.345), number(1.2345), number(0.12345)],
            ["1234", "12.3", "1.23", "0.123"]
        );
    }
}
