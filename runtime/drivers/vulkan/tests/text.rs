//! SPIR-V binaries, of the driver and of its tests, match their assembly files.

#[path = "../../common/tests/shared/assembly.rs"]
mod assembly;

#[test]
fn modules_are_those_of_their_texts() {
    for folder in ["src/shaders", "tests/spirv"] {
        assembly::expect_modules_of_texts(folder, "spv1.5", &["vulkan1.3", "--scalar-block-layout"]);
    }
}
