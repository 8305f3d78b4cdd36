//! Checks pages, comments and messages.
//!
//! *Invariant:* no check here depends on the behaviour of code.

mod pages;
mod words;
