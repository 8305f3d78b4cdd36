//! Multiplication and division of complex numbers.
//!
//! In: nothing. Out: the functions of compilers' run-time libraries that C++ compilers call for
//! `*` and `/`. *Invariant:* the translator defines each of them for every target.

use crate::Precision;

/// An operation on complex numbers, for which compilers emit a call.
#[derive(Debug)]
pub struct ComplexOperation {
    /// The symbol of its function, which takes the four parts.
    pub symbol: &'static str,
    /// Type of the parts.
    pub precision: Precision,
    /// True for a quotient, false for a product.
    pub is_quotient: bool,
}

/// All operations.
pub const COMPLEX_OPERATIONS: [ComplexOperation; 4] = [
    ComplexOperation { symbol: "__muldc3", precision: Precision::Double, is_quotient: false },
    ComplexOperation { symbol: "__mulsc3", precision: Precision::Single, is_quotient: false },
    ComplexOperation { symbol: "__divdc3", precision: Precision::Double, is_quotient: true },
    ComplexOperation { symbol: "__divsc3", precision: Precision::Single, is_quotient: true },
];
