//! Typed values of IR constants and of specialised arguments.
//!
//! In: `NAME=TYPE:VALUE` from a command line, or a value from an application. Out: a name and a
//! typed value. *Invariant:* floating-point values are kept as bits, so that equality, hashing and
//! serialisation agree.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A typed value. Floating-point values are held as their bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ConstantValue {
    /// `i1` or C++ `bool`.
    Bool(bool),
    /// An 8-bit integer.
    I8(u8),
    /// A 16-bit integer.
    I16(u16),
    /// A 32-bit integer.
    I32(u32),
    /// A 64-bit integer.
    I64(u64),
    /// Bits of a 32-bit IEEE value.
    F32(u32),
    /// Bits of a 64-bit IEEE value.
    F64(u64),
    /// Memory representation of a value of any type.
    Bytes(Vec<u8>),
}

impl ConstantValue {
    /// Name of the type on command lines and in messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            ConstantValue::Bool(_) => "bool",
            ConstantValue::I8(_) => "i8",
            ConstantValue::I16(_) => "i16",
            ConstantValue::I32(_) => "i32",
            ConstantValue::I64(_) => "i64",
            ConstantValue::F32(_) => "f32",
            ConstantValue::F64(_) => "f64",
            ConstantValue::Bytes(_) => "bytes",
        }
    }

    /// Memory representation of the value, little endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            ConstantValue::Bool(v) => vec![u8::from(*v)],
            ConstantValue::I8(v) => vec![*v],
            ConstantValue::I16(v) => v.to_le_bytes().to_vec(),
            ConstantValue::I32(v) | ConstantValue::F32(v) => v.to_le_bytes().to_vec(),
            ConstantValue::I64(v) | ConstantValue::F64(v) => v.to_le_bytes().to_vec(),
            ConstantValue::Bytes(v) => v.clone(),
        }
    }

    /// Bits of the value, zero-extended; `None` for more than eight bytes.
    pub fn bits(&self) -> Option<u64> {
        let bytes = self.to_bytes();
        let mut bits = [0; 8];
        bits.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        Some(u64::from_le_bytes(bits))
    }

    /// Type and value as a string: equal only for equal values.
    pub fn canonical(&self) -> String {
        format!("{}:{}", self.type_name(), hexadecimal(&self.to_bytes()))
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for ConstantValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.type_name();
        match self {
            ConstantValue::Bool(v) => write!(f, "{name}:{v}"),
            ConstantValue::I8(v) => write!(f, "{name}:{}", *v as i8),
            ConstantValue::I16(v) => write!(f, "{name}:{}", *v as i16),
            ConstantValue::I32(v) => write!(f, "{name}:{}", *v as i32),
            ConstantValue::I64(v) => write!(f, "{name}:{}", *v as i64),
            ConstantValue::F32(v) => write!(f, "{name}:{:?}", f32::from_bits(*v)),
            ConstantValue::F64(v) => write!(f, "{name}:{:?}", f64::from_bits(*v)),
            ConstantValue::Bytes(v) => write!(f, "{name}:0x{}", hexadecimal(v)),
        }
    }
}

/// Reason why a string is not a constant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstantParseError {
    /// The string is not of the form `TYPE:VALUE` or `NAME=TYPE:VALUE`.
    #[error("`{0}` is not of the form NAME=TYPE:VALUE, for example block=i32:16")]
    Form(String),
    /// Unknown type.
    #[error(
        "`{0}` is not a type; valid types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 and bytes (0x and two digits a byte)"
    )]
    Type(String),
    /// The value cannot be parsed as its type or does not fit it.
    #[error("`{value}` is not a value of type {ty}")]
    Value {
        /// Type in the string.
        ty: String,
        /// Value in the string.
        value: String,
    },
}

/// Parses a signed or unsigned integer of `width` bits; returns its bits.
fn parse_integer(ty: &str, text: &str, width: u32) -> Option<u64> {
    let signed = ty.starts_with('i');
    let value: i128 = match text.strip_prefix("0x") {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        None => text.parse().ok()?,
    };
    let low = if signed { -(1i128 << (width - 1)) } else { 0 };
    // A signed type also accepts the unsigned representation of its bits, as LLVM's assembler does.
    let fits = value >= low && value < (1i128 << width);
    fits.then_some((value as u64) & (u64::MAX >> (64 - width)))
}

/// Parses `0x` and two digits for each byte, lowest address first.
fn parse_bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.is_empty() && digits.len().is_multiple_of(2))?;
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| Some((digit(pair.first()?)? * 16 + digit(pair.get(1)?)?) as u8);
    digits.as_bytes().chunks(2).map(pair).collect()
}

impl FromStr for ConstantValue {
    type Err = ConstantParseError;

    fn from_str(text: &str) -> Result<Self, ConstantParseError> {
        let (ty, value) = text.split_once(':').ok_or_else(|| ConstantParseError::Form(text.to_owned()))?;
        let bad = || ConstantParseError::Value { ty: ty.to_owned(), value: value.to_owned() };
        let integer = |width| parse_integer(ty, value, width).ok_or_else(bad);
        Ok(match ty {
            "bool" | "i1" => match value {
                "true" | "1" => ConstantValue::Bool(true),
                "false" | "0" => ConstantValue::Bool(false),
                _ => return Err(bad()),
            },
            "i8" | "u8" => ConstantValue::I8(integer(8)? as u8),
            "i16" | "u16" => ConstantValue::I16(integer(16)? as u16),
            "i32" | "u32" => ConstantValue::I32(integer(32)? as u32),
            "i64" | "u64" => ConstantValue::I64(integer(64)?),
            "f32" => ConstantValue::F32(value.parse::<f32>().map_err(|_| bad())?.to_bits()),
            "f64" => ConstantValue::F64(value.parse::<f64>().map_err(|_| bad())?.to_bits()),
            "bytes" => ConstantValue::Bytes(parse_bytes(value).ok_or_else(bad)?),
            _ => return Err(ConstantParseError::Type(ty.to_owned())),
        })
    }
}

/// A named IR constant and its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Constant {
    /// Exact (mangled) name of the global.
    pub name: String,
    /// Typed value.
    pub value: ConstantValue,
}

impl FromStr for Constant {
    type Err = ConstantParseError;

    fn from_str(text: &str) -> Result<Self, ConstantParseError> {
        let (name, value) = text.split_once('=').ok_or_else(|| ConstantParseError::Form(text.to_owned()))?;
        if name.is_empty() {
            return Err(ConstantParseError::Form(text.to_owned()));
        }
        Ok(Constant { name: name.to_owned(), value: value.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_through_text() {
        for text in ["bool:true", "i8:-1", "i16:-7", "i32:16", "i64:-9", "f32:1.5", "f64:-0.0", "bytes:0x00ff1a"] {
            let value: ConstantValue = text.parse().expect(text);
            assert_eq!(value.to_string(), text);
        }
    }

    #[test]
    fn bytes_are_those_in_memory() {
        assert_eq!(ConstantValue::I32(0x0102_0304).to_bytes(), [4, 3, 2, 1]);
        assert_eq!(ConstantValue::Bytes(vec![4, 3, 2, 1]).bits(), Some(0x0102_0304));
        assert_eq!(ConstantValue::Bytes(vec![0; 9]).bits(), None);
        assert_ne!(ConstantValue::I8(1).canonical(), ConstantValue::Bytes(vec![1]).canonical());
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_eq!(
            "u8:256".parse::<ConstantValue>(),
            Err(ConstantParseError::Value { ty: "u8".into(), value: "256".into() })
        );
        assert_eq!(
            "i8:-129".parse::<ConstantValue>(),
            Err(ConstantParseError::Value { ty: "i8".into(), value: "-129".into() })
        );
        for odd in ["bytes:", "bytes:0x", "bytes:0x1", "bytes:11", "bytes:0x1g", "bytes:0xé"] {
            assert!(matches!(odd.parse::<ConstantValue>(), Err(ConstantParseError::Value { .. })), "{odd}");
        }
        assert!(matches!("x=q9:1".parse::<Constant>(), Err(ConstantParseError::Type(_))));
        assert!(matches!("x".parse::<Constant>(), Err(ConstantParseError::Form(_))));
    }
}
