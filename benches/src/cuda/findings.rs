//! Results of one part of the GPU suite.
//!
//! *Invariant:* a test that could not be measured is a failure with its reason, never a missing
//! row.

use crate::figure::Figure;
use crate::floor::Floor;

/// Results that a part adds to the report.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) figures: Vec<Figure>,
    pub(super) floors: Vec<Floor>,
    pub(super) notes: Vec<String>,
    // Tests that could not be measured, with the reasons.
    pub(super) failures: Vec<(String, String)>,
}
