//! Files of the runtime's `code`, and what they name.

#[path = "../../src/code/single_flight.rs"]
pub(crate) mod single_flight;
#[path = "../../src/code/tiers.rs"]
pub(crate) mod tiers;

pub(crate) mod variant {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) struct ShapeClass;
}
