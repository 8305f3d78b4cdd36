//! The most similar of several names, for messages.

/// The candidate that is closest to `name`, if one is close enough to be a likely slip.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let limit = (name.chars().count() / 3).max(2);
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate.to_owned())
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_nothing_else() {
        assert_eq!(nearest("trid", ["triad", "copy"]), Some("triad".to_owned()));
        assert_eq!(nearest("histogram", ["triad", "copy"]), None);
    }
}
