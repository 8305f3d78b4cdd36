//! Versions of LLVM: that of the build, of the loaded library and of an image's writer.
//!
//! *Invariant:* no other crate depends on an LLVM version number.

/// The LLVM version at build time: major, minor, patch.
pub const BUILD_VERSION: [u32; 3] = [
    parse_number(env!("SINTER_LLVM_MAJOR")),
    parse_number(env!("SINTER_LLVM_MINOR")),
    parse_number(env!("SINTER_LLVM_PATCH")),
];

const fn parse_number(text: &str) -> u32 {
    let (bytes, mut value, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        value = value * 10 + (bytes[i] - b'0') as u32;
        i += 1;
    }
    value
}

/// The LLVM version of the loaded library.
pub fn runtime_version() -> [u32; 3] {
    let [mut major, mut minor, mut patch] = [0; 3];
    // SAFETY: the three out-pointers are valid.
    unsafe { llvm_sys::core::LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    [major, minor, patch]
}

/// The producer of the bitcode, if its major version is above that of this LLVM.
pub fn newer_producer(bitcode: &[u8]) -> Option<String> {
    let producer = crate::text::producer(bitcode)?;
    let digits: String =
        producer.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().is_ok_and(|major| major > BUILD_VERSION[0]).then_some(producer)
}

#[cfg(test)]
mod tests {
    #[test]
    fn runs_on_the_version_it_was_built_against() {
        assert_eq!(super::runtime_version(), super::BUILD_VERSION);
    }
}
