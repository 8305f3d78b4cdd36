//! Values of constants for launches.
//!
//! *Invariant:* a constant has one value, the last that was set.
#![forbid(unsafe_code)]

use crate::element::{Element, bytes_of};

/// Values of IR constants and specialization constants, by mangled name.
#[derive(Debug, Clone, Default)]
pub struct Constants(Vec<(String, Vec<u8>)>);

impl Constants {
    /// Sets a constant; replaces an earlier value of `name`.
    pub fn set(&mut self, name: &str, value: impl Element) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), bytes_of(&[value]).to_vec()));
    }

    /// True if no constant is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Mangled names and bytes, in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_slice()))
    }
}
