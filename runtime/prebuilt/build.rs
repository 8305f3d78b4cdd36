//! Links the package with an installed runtime.

fn main() -> Result<(), sinter_build::BuildError> {
    sinter_build::link_runtime()
}
