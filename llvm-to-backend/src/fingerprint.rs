//! The identity of this build, which is part of every cache key.
//!
//! *Invariant:* two builds that may generate different code have different fingerprints.

use sinter_core::{Fingerprint, fingerprint::TRANSLATOR_ABI};
use sinter_llvm::BUILD_VERSION;

/// Identity of this build: LLVM's version and a digest of sources and builtins.
pub const FINGERPRINT: Fingerprint = Fingerprint { abi: TRANSLATOR_ABI, llvm: BUILD_VERSION, build: build_digest() };

/// The digest of the sources combined with that of the builtins as clang compiled them. Both are digests of
/// independent inputs, so that combining them bit by bit loses nothing.
const fn build_digest() -> [u8; 32] {
    let (text, mut digest, mut i) = (env!("SINTER_TRANSLATOR_BUILD").as_bytes(), sinter_kernels::DIGEST, 0);
    while i < digest.len() {
        digest[i] ^= digit(text[2 * i]) << 4 | digit(text[2 * i + 1]);
        i += 1;
    }
    digest
}

const fn digit(byte: u8) -> u8 {
    if byte <= b'9' { byte - b'0' } else { byte - b'a' + 10 }
}
