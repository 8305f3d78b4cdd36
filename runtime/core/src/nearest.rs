//! Suggests similar names for messages about unknown ones.

/// Number of edits between `a` and `b`: characters inserted, left out or replaced, and neighbours
/// that changed places (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.chars().collect::<Vec<_>>());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let are_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            let swapped = if are_swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
            row.push(replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1).min(swapped));
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The candidate closest to `name`, if it is likely to be a typing error: the limit is an edit
/// distance of a third of the characters, but at least 1.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|(edits, _)| *edits <= limit).min().map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_slip_and_refuses_a_stranger() {
        assert_eq!(nearest("SINTER_CACHEDIR", ["SINTER_DUMP", "SINTER_CACHE_DIR"]), Some("SINTER_CACHE_DIR"));
        assert_eq!(nearest("qqqqqqqq", ["SINTER_DUMP"]), None);
        assert_eq!(nearest("trid", ["triad", "copy"]), Some("triad"));
        assert_eq!(nearest("widht", ["width"]), Some("width"));
        assert_eq!(nearest("histogram", ["triad", "copy"]), None);
        assert_eq!(nearest("scan", ["saxpy", "sort"]), None);
    }
}
