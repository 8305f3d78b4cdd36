//! Test cases as values, and as files.
//!
//! *Invariant:* a file of another version is rejected, or reads as written.

use serde::{Deserialize, Serialize};
use sinter_core::CodeObject;

const MAGIC: &[u8; 8] = b"SINTERD1";

/// A kernel with the expected effects of its launches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Name for messages: the kernel and the way it was translated.
    pub name: String,
    /// The translated kernel.
    pub code: CodeObject,
    /// Launches of the kernel, each with its own memory.
    pub launches: Vec<Launch>,
}

/// One launch with its expected effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Work-items per dimension.
    pub global: [u64; 3],
    /// Work-items per work-group and dimension.
    pub group: [u32; 3],
    /// Dynamically sized local memory per work-group, in bytes.
    pub local_memory: u32,
    /// Memory that the pointers among the parameters refer to.
    pub buffers: Vec<Buffer>,
    /// Parameters of the kernel, by index of their records.
    pub parameters: Vec<Value>,
}

/// A block of device memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// Name for messages.
    pub name: String,
    /// Contents before the launch.
    pub before: Vec<u32>,
    /// Expected contents after the launch.
    pub after: Vec<u32>,
}

/// Value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// Address of a buffer, given by its index.
    Pointer(u32),
    /// Bytes of the value in memory order.
    Bytes(Vec<u8>),
}

/// Error while reading cases.
#[derive(Debug, PartialEq, Eq)]
pub enum CaseError {
    /// The file does not hold cases.
    Magic,
    /// The file is damaged or was written by another version.
    Damaged(String),
}

/// Serialises cases for a file.
pub fn write(cases: &[Case]) -> Vec<u8> {
    // Serialising plain values into memory has no error path in postcard.
    postcard::to_extend(cases, MAGIC.to_vec()).unwrap_or_default()
}

/// Parses the output of [`write()`].
pub fn read(bytes: &[u8]) -> Result<Vec<Case>, CaseError> {
    let payload = bytes.strip_prefix(MAGIC).ok_or(CaseError::Magic)?;
    match postcard::take_from_bytes(payload) {
        Ok((cases, [])) => Ok(cases),
        Ok((_, rest)) => Err(CaseError::Damaged(format!("{} bytes follow the last case", rest.len()))),
        Err(error) => Err(CaseError::Damaged(error.to_string())),
    }
}
