//! Compiles the kernels: one file is linked into the program, the other is kept as a container.

use sinter_build::{Build, BuildError};

fn main() -> Result<(), BuildError> {
    Build::new().file("src/saxpy.cpp").link("kernels")?;
    Build::new().file("src/sum.cpp").container("sum.hcf").map(drop)
}
