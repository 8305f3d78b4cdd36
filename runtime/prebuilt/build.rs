//! Links the package with the runtime of an installation.

fn main() -> Result<(), sinter_build::BuildError> {
    sinter_build::link_runtime()
}
