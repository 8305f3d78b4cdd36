//! Suggests similar names for messages about unknown ones.

/// Number of single-character edits between `a` and `b` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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
        assert_eq!(nearest("histogram", ["triad", "copy"]), None);
        assert_eq!(nearest("scan", ["saxpy", "sort"]), None);
    }
}
