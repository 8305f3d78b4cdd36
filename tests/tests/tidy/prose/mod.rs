//! Prose: pages, comments, messages.
//!
//! *Invariant:* nothing here looks at what code does.

mod pages;
mod words;
