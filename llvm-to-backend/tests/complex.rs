//! Products and quotients of complex numbers equal those of the C run-time library.

mod support;

use support::{address, request, run, translate};

/// The return value of a `double _Complex` function.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Double(f64, f64);

#[link(name = "gcc_s")]
unsafe extern "C" {
    safe fn __muldc3(a: f64, b: f64, c: f64, d: f64) -> Double;
    safe fn __divdc3(a: f64, b: f64, c: f64, d: f64) -> Double;
}

const VALUES: [f64; 11] =
    [0.0, -0.0, 1.0, -2.5, 0.3, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e18, -1e-18, f64::MAX];
/// Products of numbers with a part this large may overflow in one algorithm and not in another.
const LARGE: f64 = 1e100;

fn code(operation: &str, ty: &str, result: &str) -> String {
    let pack = match result.starts_with('<') {
        true => ["extractelement", "i32 0", "i32 1"],
        false => ["extractvalue", "0", "1"],
    };
    let [take, first, second] = pack;
    let load = |name: char, place: u32| {
        format!("  %p{name} = getelementptr {ty}, ptr %from, i64 {place}\n  %{name} = load {ty}, ptr %p{name}\n")
    };
    let loads: String = ('a'..='d').zip(0..).map(|(name, place)| load(name, place)).collect();
    format!(
        "declare i64 @__acpp_sscp_get_group_id_x()\ndeclare {result} @{operation}({ty}, {ty}, {ty}, {ty})\n\
         define void @k(ptr %in, ptr %out) {{\n  %i = call i64 @__acpp_sscp_get_group_id_x()\n  \
         %from = getelementptr [4 x {ty}], ptr %in, i64 %i\n  %to = getelementptr [2 x {ty}], ptr %out, i64 %i\n{loads}  \
         %r = call {result} @{operation}({ty} %a, {ty} %b, {ty} %c, {ty} %d)\n  %x = {take} {result} %r, {first}\n  \
         %y = {take} {result} %r, {second}\n  store {ty} %x, ptr %to\n  %q = getelementptr {ty}, ptr %to, i64 1\n  \
         store {ty} %y, ptr %q\n  ret void\n}}"
    )
}

/// Every combination of four values.
fn inputs() -> Vec<[f64; 4]> {
    let count = VALUES.len();
    let value = |number: usize, place: u32| VALUES[number / count.pow(place) % count];
    (0..count.pow(4)).map(|number| std::array::from_fn(|place| value(number, place as u32))).collect()
}

/// The operation on each input.
fn results<T: Clone + Default>(operation: &str, ty: &str, result: &str, inputs: &[[T; 4]]) -> Vec<[T; 2]> {
    let code = translate(&request(&code(operation, ty, result), "k"));
    let outputs = vec![[T::default(), T::default()]; inputs.len()];
    run(&code, &[&address(inputs), &address(&outputs)], [inputs.len() as u64, 1, 1], [1; 3]);
    outputs
}

/// Equal, both NaN, or different in the last places.
fn alike(ours: f64, theirs: f64, tolerance: f64) -> bool {
    ours == theirs || (ours.is_nan() && theirs.is_nan()) || (ours - theirs).abs() <= tolerance * theirs.abs()
}

fn compare(operation: &str, expected: impl Fn(f64, f64, f64, f64) -> Double) {
    let inputs = inputs();
    for (input, output) in inputs.iter().zip(results(operation, "double", "{ double, double }", &inputs)) {
        let [a, b, c, d] = *input;
        let Double(x, y) = expected(a, b, c, d);
        let fits = alike(output[0], x, 1e-14) && alike(output[1], y, 1e-14);
        let extreme = input.iter().any(|value| value.is_finite() && value.abs() > LARGE);
        assert!(fits || extreme, "{operation} {input:?}: {output:?}, not {x} {y}");
    }
}

#[test]
fn products_are_those_of_the_c_library() {
    compare("__muldc3", |a, b, c, d| __muldc3(a, b, c, d));
}

#[test]
fn quotients_are_those_of_the_c_library() {
    compare("__divdc3", |a, b, c, d| __divdc3(a, b, c, d));
}

#[test]
fn single_precision_has_both_forms_of_results() {
    for (operation, expected) in [("__mulsc3", [-5.0f32, 10.0]), ("__divsc3", [0.44, 0.08])] {
        for result in ["<2 x float>", "{ float, float }"] {
            assert_eq!(
                results(operation, "float", result, &[[1.0, 2.0, 3.0, 4.0]]),
                [expected],
                "{operation} {result}"
            );
        }
    }
}
