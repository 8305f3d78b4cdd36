//! The devices a process wants to see.
//!
//! In: `host;cuda:0,1`. Out: driver names and device numbers, in order. *Invariant:* the syntax is checked here, the
//! names against the drivers when devices are looked for.
#![forbid(unsafe_code)]

use std::{fmt, str::FromStr};

/// The devices of one driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskEntry {
    /// Name of the driver.
    pub driver: String,
    /// Its devices, by the driver's own numbers; `None` means all.
    pub indices: Option<Vec<usize>>,
}

/// The devices a process wants to see, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibilityMask(pub Vec<MaskEntry>);

/// What a mask looks like.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entries such as host or cuda:0,1 with ; between them")]
pub struct MaskError;

impl FromStr for MaskEntry {
    type Err = MaskError;

    fn from_str(text: &str) -> Result<Self, MaskError> {
        let (driver, indices) = match text.split_once(':') {
            Some((driver, list)) => (driver, Some(list)),
            None => (text, None),
        };
        if driver.is_empty() || !driver.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return Err(MaskError);
        }
        let parse = |list: &str| list.split(',').map(|index| index.trim().parse().map_err(|_| MaskError)).collect();
        Ok(MaskEntry { driver: driver.to_ascii_lowercase(), indices: indices.map(parse).transpose()? })
    }
}

impl FromStr for VisibilityMask {
    type Err = MaskError;

    fn from_str(text: &str) -> Result<Self, MaskError> {
        text.split(';').map(|entry| entry.trim().parse()).collect::<Result<_, _>>().map(VisibilityMask)
    }
}

impl fmt::Display for MaskEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indices = self.indices.iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
        let separator = if indices.is_empty() { "" } else { ":" };
        write!(f, "{}{separator}{}", self.driver, indices.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_documented_syntax() {
        let mask: VisibilityMask = "host;CUDA:0,2".parse().expect("mask");
        assert_eq!(mask.0.iter().map(ToString::to_string).collect::<Vec<_>>(), ["host", "cuda:0,2"]);
        assert_eq!(mask.0[0].indices, None);
    }

    #[test]
    fn refuses_anything_else() {
        for text in ["", ";", "host:", "host:x", "a b", "host;;cuda"] {
            assert_eq!(text.parse::<VisibilityMask>(), Err(MaskError), "{text}");
        }
    }
}
