//! Instantiates functions written as IR text for any type.
//!
//! In: the body of an operation on scalars, with `{t}` for its type. Out: the function for a type,
//! which may be a vector or of half precision. *Invariant:* a vector is scalarised; half precision
//! is computed as `float` and rounded once.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_llvm::ir::Value;
use std::{collections::BTreeSet, fmt::Write};

/// A floating-point type of IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind<'t> {
    /// `half`, `bfloat`, `float` or `double`.
    pub(crate) scalar: &'t str,
    /// The number of elements; `None` for a scalar.
    pub(crate) lanes: Option<usize>,
}

impl<'t> Kind<'t> {
    /// Parses a type in IR syntax, such as `float` and `<2 x half>`.
    pub(crate) fn read(text: &'t str) -> Option<Self> {
        let vector =
            text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).and_then(|rest| rest.split_once(" x "));
        let (lanes, scalar) = match vector {
            Some((lanes, scalar)) => (Some(lanes.parse().ok()?), scalar),
            None => (None, text),
        };
        ["half", "bfloat", "float", "double"].contains(&scalar).then_some(Kind { scalar, lanes })
    }

    fn computed(self) -> &'static str {
        if self.scalar == "double" { "double" } else { "float" }
    }
}

/// Naming scheme of a vendor library for functions of libm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Naming {
    /// Prefix of C's name for `double`.
    pub(crate) prefix: &'static str,
    /// Suffix for `float`.
    pub(crate) single: &'static str,
    /// Suffix for `double`.
    pub(crate) double: &'static str,
}

/// IR text in which every called function is declared.
#[derive(Debug)]
pub(crate) struct Text {
    naming: Naming,
    definitions: String,
    called: BTreeSet<String>,
}

impl Text {
    /// Empty text that calls a library with this naming scheme.
    pub(crate) fn new(naming: Naming) -> Self {
        Text { naming, definitions: String::new(), called: BTreeSet::new() }
    }

    /// Adds lines in which `{t}` is the type, `{l}` the prefix and `{f}` the suffix of library
    /// names, and `{s}` the suffix of intrinsics.
    pub(crate) fn add(&mut self, template: &str, ty: &str) {
        let Naming { prefix, single, double } = self.naming;
        let (f, s) = if ty == "double" { (double, "f64") } else { (single, "f32") };
        let text = template.replace("{t}", ty).replace("{l}", prefix).replace("{f}", f).replace("{s}", s);
        self.called.extend(text.lines().filter_map(declaration));
        self.definitions += &text;
    }

    /// Adds a function that applies `body` to each element. `body` computes `{r}` from `{a}`, `{b}`
    /// and `{c}`.
    pub(crate) fn add_elementwise(
        &mut self,
        name: &str,
        kind: Kind<'_>,
        parameters: &[&str],
        result: &str,
        body: &str,
    ) {
        let shaped = |ty: &str| kind.lanes.map_or(ty.to_owned(), |lanes| format!("<{lanes} x {ty}>"));
        let list: Vec<String> = parameters.iter().zip('a'..).map(|(ty, name)| format!("{ty} %{name}")).collect();
        let returned = if result == "{t}" { shaped(kind.scalar) } else { shaped(result) };
        let mut text = format!("define {returned} @\"{name}\"({}) alwaysinline nounwind {{\n", list.join(", "));
        let mut last = "poison".to_owned();
        for lane in 0..kind.lanes.unwrap_or(1) {
            last = element(&mut text, kind, parameters, result, body, lane, &last);
        }
        let _ = writeln!(text, "  ret {returned} {last}\n}}");
        self.add(&text, kind.computed());
    }

    /// The whole module, with declarations of functions that it calls but does not define.
    pub(crate) fn finish(self) -> String {
        let Text { definitions, called, naming: _ } = self;
        let defined: BTreeSet<String> =
            definitions.lines().filter(|line| line.starts_with("define ")).filter_map(name).collect();
        let foreign = called.into_iter().filter(|line| name(line).is_none_or(|name| !defined.contains(&name)));
        foreign.fold(definitions, |text, line| text + &line + "\n")
    }
}

/// Links the definitions in `text` that the module needs, and returns them.
pub(crate) fn link_text<'s, S>(cx: &Context<'s, '_>, m: &DeviceModule<'s, S>, text: &str) -> Outcome<Vec<Value<'s>>> {
    let source = cx.session.parse(text.as_bytes());
    let source = source.map_err(|error| Failure::internal(format!("generated text: {error}")))?;
    source.copy_target(&m.module);
    let names: Vec<_> = source.functions().into_iter().filter(|f| !f.is_declaration()).map(Value::name).collect();
    m.module.link_needed(source)?;
    Ok(names.iter().filter_map(|name| m.module.function(name)).filter(|function| !function.is_declaration()).collect())
}

/// The name that a line defines or declares.
fn name(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(" @")?;
    Some(rest.split_once('(')?.0.trim_matches('"').to_owned())
}

/// Adds the computation of one element. Returns the name of the value that contains the results so
/// far.
fn element(
    text: &mut String,
    kind: Kind<'_>,
    parameters: &[&str],
    result: &str,
    body: &str,
    lane: usize,
    so_far: &str,
) -> String {
    let mut code = body.to_owned();
    for (ty, name) in parameters.iter().zip('a'..) {
        let value = argument(text, kind, ty, name, lane);
        code = code.replace(&format!("{{{name}}}"), &value);
    }
    let _ = writeln!(text, "{}", code.replace("{r}", &format!("%r.{lane}")));
    let narrow = result == "{t}" && kind.scalar != kind.computed();
    let mut value = format!("%r.{lane}");
    if narrow {
        let _ = writeln!(text, "  %n.{lane} = fptrunc float {value} to {}", kind.scalar);
        value = format!("%n.{lane}");
    }
    let Some(lanes) = kind.lanes else { return value };
    let ty = if result == "{t}" { kind.scalar } else { result };
    let _ = writeln!(text, "  %v.{lane} = insertelement <{lanes} x {ty}> {so_far}, {ty} {value}, i32 {lane}");
    format!("%v.{lane}")
}

/// Extracts one element of a parameter, in the type of the computation.
fn argument(text: &mut String, kind: Kind<'_>, ty: &str, name: char, lane: usize) -> String {
    let Some(Kind { scalar, lanes }) = Kind::read(ty) else { return format!("%{name}") };
    let mut value = format!("%{name}");
    if lanes.is_some() {
        let _ = writeln!(text, "  %{name}.{lane} = extractelement {ty} {value}, i32 {lane}");
        value = format!("%{name}.{lane}");
    }
    if scalar != kind.computed() {
        let _ = writeln!(text, "  %{name}.w.{lane} = fpext {scalar} {value} to float");
        value = format!("%{name}.w.{lane}");
    }
    value
}

/// The declaration of the function that a line calls.
fn declaration(line: &str) -> Option<String> {
    let (_, call) = line.split_once("call ")?;
    let (ty, call) = call.split_once(" @")?;
    let (name, arguments) = call.split_once('(')?;
    // A call of a variadic function states the whole function type.
    if let Some((result, types)) = ty.split_once(" (") {
        return Some(format!("declare {result} @{name}({types}"));
    }
    let types = arguments.trim_end_matches(')').split(", ").filter_map(|argument| argument.split_whitespace().next());
    Some(format!("declare {ty} @{name}({})", types.collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{Kind, Naming, Text};

    #[test]
    fn a_vector_of_halves_is_taken_apart() {
        let kind = Kind::read("<2 x half>").expect("a type");
        let mut text = Text::new(Naming { prefix: "__nv_", single: "f", double: "" });
        let body = "  {r} = call {t} @{l}sin{f}({t} {a})";
        text.add_elementwise("sin", kind, &["<2 x half>"], "{t}", body);
        let text = text.finish();
        for line in ["%a.w.1 = fpext half %a.1 to float", "%r.1 = call float @__nv_sinf(float %a.w.1)"] {
            assert!(text.contains(line), "{line} not in {text}");
        }
        assert!(text.contains("ret <2 x half> %v.1") && text.contains("declare float @__nv_sinf(float)"));
        assert_eq!(Kind::read("<2 x i32>"), None);
    }
}
