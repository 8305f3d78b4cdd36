//! Cases as values, and as files.
//!
//! *Invariant:* a file that another version wrote is refused, or read as what it says.

use serde::{Deserialize, Serialize};
use sinter_core::CodeObject;

const MAGIC: &[u8; 8] = b"SINTERD1";

/// A kernel, and what its launches must do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// For messages: what it is and how it was translated.
    pub name: String,
    /// The kernel.
    pub code: CodeObject,
    /// Launches of it, each with memory of its own.
    pub launches: Vec<Launch>,
}

/// One launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Work-items per dimension.
    pub global: [u64; 3],
    /// Work-items per work-group and dimension.
    pub group: [u32; 3],
    /// Dynamically sized local memory per work-group, in bytes.
    pub local_memory: u32,
    /// The memory that its pointers point to.
    pub buffers: Vec<Buffer>,
    /// The kernel's parameters, by index of their records.
    pub parameters: Vec<Value>,
}

/// A block of memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// For messages.
    pub name: String,
    /// What it holds before the launch.
    pub before: Vec<u32>,
    /// What it must hold afterwards.
    pub after: Vec<u32>,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// The address of a buffer, by number.
    Pointer(u32),
    /// Bytes, lowest address first.
    Bytes(Vec<u8>),
}

/// Why bytes are not cases.
#[derive(Debug, PartialEq, Eq)]
pub enum CaseError {
    /// The file is something else.
    Magic,
    /// The file is damaged, or another version wrote it.
    Damaged(String),
}

/// The form that files have.
pub fn write(cases: &[Case]) -> Vec<u8> {
    // Serialising plain values into memory has no error path in postcard.
    postcard::to_extend(cases, MAGIC.to_vec()).unwrap_or_default()
}

/// Reads what [`write()`] wrote.
pub fn read(bytes: &[u8]) -> Result<Vec<Case>, CaseError> {
    let payload = bytes.strip_prefix(MAGIC).ok_or(CaseError::Magic)?;
    match postcard::take_from_bytes(payload) {
        Ok((cases, [])) => Ok(cases),
        Ok((_, rest)) => Err(CaseError::Damaged(format!("{} bytes follow the last case", rest.len()))),
        Err(error) => Err(CaseError::Damaged(error.to_string())),
    }
}
