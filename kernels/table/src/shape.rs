//! Signature shapes of math functions.
//!
//! In: a line of the table. Out: the shape of its signature, for which C++ macros define functions.
//! *Invariant:* a shape has one name everywhere: it is the suffix of list names.

/// A signature, where `T` is the type of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `T(T)`
    Unary,
    /// `T(T, T)`
    Binary,
    /// `T(T, T, T)`
    Ternary,
    /// `T(T, i32)`
    Whole,
    /// `i32(T)`
    Exponent,
    /// `i32(T, T)`
    Comparison,
    /// `T(T, T*)`
    Split,
    /// `T(T, i32*)`
    Count,
    /// `T(T, T, i32*)`
    Quotient,
}

impl Shape {
    /// All shapes, with their signatures.
    pub const ALL: [(Shape, &str, &[&str]); 9] = [
        (Shape::Unary, "T", &["T"]),
        (Shape::Binary, "T", &["T", "T"]),
        (Shape::Ternary, "T", &["T", "T", "T"]),
        (Shape::Whole, "T", &["T", "i32"]),
        (Shape::Exponent, "i32", &["T"]),
        (Shape::Comparison, "i32", &["T", "T"]),
        (Shape::Split, "T", &["T", "T*"]),
        (Shape::Count, "T", &["T", "i32*"]),
        (Shape::Quotient, "T", &["T", "T", "i32*"]),
    ];

    /// The shape of a signature; `None` if no list has it.
    pub fn of(result: &str, parameters: &[&str]) -> Option<Shape> {
        let same = |row: &&(Shape, &str, &[&str])| row.1 == result && row.2 == parameters;
        Shape::ALL.iter().find(same).map(|(shape, ..)| *shape)
    }

    /// Suffix in the names of lists.
    pub fn word(self) -> String {
        format!("{self:?}").to_uppercase()
    }
}
