//! The table of loaded kernels, and what it names.

pub mod swaps;
#[path = "../../src/launch/table.rs"]
mod table;

mod bound {
    use std::sync::Arc;

    #[derive(Debug)]
    pub(crate) struct Leads;

    /// A kernel with its code.
    #[derive(Debug, Clone)]
    pub(super) struct Bound {
        pub(super) leads: Arc<Leads>,
        pub(super) has_imports: bool,
        pub(super) has_constants: bool,
        /// Number of the code. A later one is better.
        pub(super) code: u64,
    }

    impl Bound {
        pub(super) fn has_constants(&self) -> bool {
            self.has_constants
        }
    }
}

mod shape {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct LaunchSize;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct LaunchShape;
}

mod values {
    #[derive(Debug)]
    pub(crate) struct Leaves;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub(crate) struct Digest;
}
