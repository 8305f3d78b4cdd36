//! Serialises a shared byte string as one block instead of element by element.

use serde::{Deserialize, Deserializer, Serializer, de};
use std::{fmt, sync::Arc};

pub(crate) fn serialize<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
    struct Visitor;
    impl de::Visitor<'_> for Visitor {
        type Value = Bytes;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a byte string")
        }
        fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
            Ok(Bytes(Arc::from(bytes)))
        }
        fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
            Ok(Bytes(Arc::from(bytes)))
        }
    }
    struct Bytes(Arc<[u8]>);
    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_bytes(Visitor)
        }
    }
    Bytes::deserialize(deserializer).map(|bytes| bytes.0)
}
