//! Runs [`sinter_fuzz::cache_entry`] on inputs of libFuzzer.
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sinter_fuzz::cache_entry::check(bytes));
