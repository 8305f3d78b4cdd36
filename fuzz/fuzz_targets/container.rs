//! Feeds [`sinter_fuzz::container`] with what libFuzzer makes up.
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sinter_fuzz::container::check(bytes));
