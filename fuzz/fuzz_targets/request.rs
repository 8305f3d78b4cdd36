//! Feeds [`sinter_fuzz::request`] with what libFuzzer makes up.
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sinter_fuzz::request::check(bytes));
