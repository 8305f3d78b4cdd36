//! The tests' SPIR-V binaries match their assembly files.

#[path = "../../common/tests/shared/assembly.rs"]
mod assembly;

#[test]
fn modules_are_those_of_their_texts() {
    assembly::expect_modules_of_texts("../common/tests/spirv", "spv1.0", &["opencl2.1"]);
}
