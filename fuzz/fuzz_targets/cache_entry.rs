//! Feeds [`sinter_fuzz::cache_entry`] with what libFuzzer makes up.
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sinter_fuzz::cache_entry::check(bytes));
