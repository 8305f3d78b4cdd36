//! Reduces samples to the reported statistics.
//!
//! The median, because noise of a shared machine is one-sided and heavy-tailed; the ratio of two
//! programs per pair, because both runs of a pair see nearly the same machine and slow drift
//! cancels.
//!
//! *Invariant:* without samples there is no number: every function returns `None`.

/// Reported statistics of one set of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// Smallest sample.
    pub(crate) minimum: f64,
    /// A quarter of the samples is at most this.
    pub(crate) lower_quartile: f64,
    /// Half of the samples is at most this.
    pub(crate) median: f64,
    /// Three quarters of the samples are at most this.
    pub(crate) upper_quartile: f64,
    /// Largest sample.
    pub(crate) maximum: f64,
}

/// Computes the statistics; `samples` may be in any order.
pub(crate) fn summary(samples: &[f64]) -> Option<Summary> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(Summary {
        minimum: quantile(&sorted, 0.0)?,
        lower_quartile: quantile(&sorted, 0.25)?,
        median: quantile(&sorted, 0.5)?,
        upper_quartile: quantile(&sorted, 0.75)?,
        maximum: quantile(&sorted, 1.0)?,
    })
}

/// Median; `samples` may be in any order.
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    summary(samples).map(|summary| summary.median)
}

/// Ratios of ours to the peer's, per pair; `None` unless both have the same number of samples and
/// no peer is 0.
pub(crate) fn paired_ratios(ours: &[f64], peer: &[f64]) -> Option<Vec<f64>> {
    if ours.len() != peer.len() || peer.contains(&0.0) {
        return None;
    }
    Some(ours.iter().zip(peer).map(|(ours, peer)| ours / peer).collect())
}

/// Geometric mean of positive numbers, as is right for ratios.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let all_positive = !ratios.is_empty() && ratios.iter().all(|ratio| *ratio > 0.0);
    all_positive.then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp())
}

/// The geometric mean of the i-th elements of all `rows`, for each i; `None` unless all rows have
/// the same length.
pub(crate) fn geometric_means(rows: &[&[f64]]) -> Option<Vec<f64>> {
    let length = rows.iter().map(|row| row.len()).max()?;
    let column = |i: usize| rows.iter().map(|row| row.get(i).copied()).collect::<Option<Vec<_>>>();
    (0..length).map(|i| geometric_mean(&column(i)?)).collect()
}

// Interpolates linearly between the neighbours of the rank.
fn quantile(sorted: &[f64], fraction: f64) -> Option<f64> {
    let rank = fraction * sorted.len().checked_sub(1)? as f64;
    let below = sorted.get(rank.floor() as usize)?;
    let above = sorted.get(rank.ceil() as usize)?;
    Some(below + (above - below) * rank.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_odd_number_is_the_middle_sample() {
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_middle_samples() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }

    #[test]
    fn one_outlier_does_not_move_the_median() {
        assert_eq!(median(&[1.0, 1.0, 1.0, 1.0, 1000.0]), Some(1.0));
    }

    #[test]
    fn no_samples_have_no_summary() {
        assert_eq!(summary(&[]), None);
    }

    #[test]
    fn quartiles_interpolate() {
        let found = summary(&[5.0, 1.0, 2.0, 4.0, 3.0]).unwrap();
        let expected = Summary { minimum: 1.0, lower_quartile: 2.0, median: 3.0, upper_quartile: 4.0, maximum: 5.0 };
        assert_eq!(found, expected);
        assert_eq!(summary(&[1.0, 2.0]).unwrap().lower_quartile, 1.25);
    }

    #[test]
    fn a_ratio_and_its_inverse_have_the_mean_one() {
        let mean = geometric_mean(&[0.25, 4.0]).unwrap();
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(geometric_mean(&[1.0, 0.0]), None);
    }

    #[test]
    fn means_of_rows_are_taken_sample_by_sample() {
        let means = geometric_means(&[&[1.0, 2.0], &[4.0, 8.0]]).unwrap();
        assert!((means[0] - 2.0).abs() < 1e-12 && (means[1] - 4.0).abs() < 1e-12);
        assert_eq!(geometric_means(&[&[1.0, 2.0], &[4.0]]), None);
        assert_eq!(geometric_means(&[]), None);
    }

    #[test]
    fn drift_that_hits_both_programs_cancels_in_paired_ratios() {
        let ours = [1.0, 2.0, 4.0, 8.0];
        let peer = [2.0, 4.0, 8.0, 16.0];
        assert_eq!(paired_ratios(&ours, &peer), Some(vec![0.5; 4]));
    }

    #[test]
    fn unpaired_samples_and_a_zero_peer_have_no_ratio() {
        assert_eq!(paired_ratios(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(paired_ratios(&[1.0], &[0.0]), None);
    }
}
