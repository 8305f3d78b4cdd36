//! Fills IR templates with the types of an instruction.
//!
//! In: a template in which `{i32}` stands for a scalar or for a vector of them, and `{i32:5}` for a
//! literal of that type. Out: IR. *Invariant:* the types of one instruction have the same number of
//! elements, so one shape fills its template.

use sinter_llvm::ir::{Type, Value};

/// The widest integers that the templates support; LLVM's own passes expand the operations of wider
/// ones, as far as they can.
pub(crate) const WIDEST: u32 = 128;

/// Element type and number of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    /// Element type in IR syntax.
    pub(super) element: String,
    /// Number of elements; `None` for a scalar.
    pub(super) lanes: Option<u32>,
}

impl Shape {
    pub(super) fn of(ty: Type<'_>) -> Shape {
        let text = ty.text();
        let vector = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')?.split_once(" x "));
        let vector = vector.and_then(|(lanes, element)| Some((lanes.parse().ok()?, element.to_owned())));
        match vector {
            Some((lanes, element)) => Shape { element, lanes: Some(lanes) },
            None => Shape { element: text, lanes: None },
        }
    }

    /// A type of the same shape with this element type, in IR syntax.
    pub(super) fn with(&self, element: &str) -> String {
        self.lanes.map_or(element.to_owned(), |lanes| format!("<{lanes} x {element}>"))
    }

    /// Type suffix in names of intrinsics; `element` is `f32` for `float`.
    pub(super) fn suffix(&self, element: &str) -> String {
        self.lanes.map_or(element.to_owned(), |lanes| format!("v{lanes}{element}"))
    }

    /// Width of an integer element; `None` for others.
    pub(super) fn bits(&self) -> Option<u32> {
        self.element.strip_prefix('i')?.parse().ok()
    }

    fn literal(&self, element: &str, value: &str) -> String {
        self.lanes.map_or(value.to_owned(), |_| format!("splat ({element} {value})"))
    }

    /// Fills a template, after replacing the keys of `parts`.
    pub(super) fn fill(&self, template: &str, parts: &[(&str, String)]) -> String {
        let template = parts.iter().fold(template.to_owned(), |text, (word, part)| text.replace(word, part));
        let mut pieces = template.split('{');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (word, rest) = piece.split_once('}').unwrap_or((piece, ""));
            text += &match word.split_once(':') {
                Some((element, value)) => self.literal(element, value),
                None => self.with(word),
            };
            text += rest;
        }
        text
    }
}

/// Definition of a function that computes `%r` from `%a`, `%b` and so on.
pub(super) fn function(result: Type<'_>, operands: &[Value<'_>], body: &str) -> String {
    let named = operands.iter().zip('a'..).map(|(value, name)| format!("{} %{name}", value.ty().text()));
    let (result, parameters) = (result.text(), named.collect::<Vec<_>>().join(", "));
    format!("define {result} @NAME({parameters}) alwaysinline nounwind {{\nentry:\n{body}  ret {result} %r\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn literals_of_vectors_are_splats() {
        let template = "  %r = add {i32} %a, {i32:-5}\n";
        let scalar = Shape { element: "float".to_owned(), lanes: None };
        assert_eq!(scalar.fill(template, &[]), "  %r = add i32 %a, -5\n");
        let vector = Shape { element: "float".to_owned(), lanes: Some(4) };
        assert_eq!(vector.fill(template, &[]), "  %r = add <4 x i32> %a, splat (i32 -5)\n");
        assert_eq!(vector.suffix("f32"), "v4f32");
    }
}
