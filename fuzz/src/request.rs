//! Properties of translation requests.

use crate::memory::bounded;
use sinter_core::{Fingerprint, TranslateRequest};

const FINGERPRINT: Fingerprint = Fingerprint { abi: 1, llvm: [19, 1, 7], build: [7; 32] };

/// Bytes before the content: the magic and the digest.
const HEADER: usize = 8 + 32;

/// Checks `bytes` as they are, and their content with a repaired digest.
pub fn check(bytes: &[u8]) {
    decode(bytes);
    let content = if TranslateRequest::is_request(bytes) { bytes.get(HEADER..).unwrap_or_default() } else { bytes };
    decode(&TranslateRequest::enclose(content));
}

fn decode(bytes: &[u8]) {
    let Ok(request) = bounded(bytes, || TranslateRequest::from_bytes(bytes)) else { return };
    let encoded = request.to_bytes();
    // Numbers have longer encodings than the one that is written, so the result may be shorter,
    // never longer.
    assert!(encoded.len() <= bytes.len(), "encoding again gives {} bytes of {}", encoded.len(), bytes.len());
    let again = TranslateRequest::from_bytes(&encoded).expect("what is written is read back");
    assert_eq!(again, request, "what is written is read back as it was");
    assert_eq!(again.key(&FINGERPRINT), request.key(&FINGERPRINT), "equal requests have one key");
    assert!(!request.target.to_string().is_empty());
}
