//! Files and functions stay short enough to read at once, and no test is ignored in silence.
//!
//! A comment `// tidy: table` right above a function, const or static says that it is data: it has
//! no limit and does not count to its file. `// tidy: painting` allows a function 80 lines.

use super::tree::{Tree, TreeFile};
use super::violation::Violation;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, File, ImplItemFn, ItemConst, ItemFn, ItemStatic, Meta, TraitItemFn};

const FILE_LIMIT: usize = 500;
const FUNCTION_LIMIT: usize = 40;
const PAINTING_LIMIT: usize = 80;

/// Files and functions over their limits, and `#[ignore]` without a reason.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    tree.rust().flat_map(violations).collect()
}

fn violations(file: &TreeFile) -> Vec<Violation> {
    let parsed: File = match syn::parse_file(&file.text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let line = error.span().start().line;
            return vec![Violation::new(&file.path, line, format!("is not Rust: {error}"))];
        }
    };
    let mut reader = Reader::new(file);
    reader.visit_file(&parsed);
    let counted = reader.lines.len().saturating_sub(reader.table_lines);
    let mut found = reader.found;
    if counted > FILE_LIMIT {
        let message = format!(
            "{counted} lines, at most {FILE_LIMIT}: split it by feature, tests move with the code"
        );
        found.push(Violation::new(&file.path, 0, message));
    }
    found
}

/// What a comment above an item says that it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Code,
    Painting,
    Table,
}

struct Reader<'a> {
    path: &'a str,
    lines: Vec<&'a str>,
    table_lines: usize,
    found: Vec<Violation>,
}

impl<'a> Reader<'a> {
    fn new(file: &'a TreeFile) -> Self {
        Self {
            path: &file.path,
            lines: file.text.lines().collect(),
            table_lines: 0,
            found: Vec::new(),
        }
    }

    /// The mark in the comments above an item whose first attribute or word is at `first`, and whose
    /// name is at `name` (both lines counted from 1).
    fn mark(&self, first: usize, name: usize) -> Mark {
        let above = self.lines[..first.saturating_sub(1)]
            .iter()
            .rev()
            .take_while(|line| line.trim_start().starts_with("//"));
        let between = self.lines[first.saturating_sub(1)..name].iter();
        let mut marks = above.chain(between).map(|line| line.trim());
        marks.find_map(marked).unwrap_or(Mark::Code)
    }

    /// Counts the item to the tables of its file when it is marked as one.
    fn item(&mut self, whole: Span, name: Span) -> Mark {
        let (first, last) = (whole.start().line, whole.end().line);
        let mark = self.mark(first, name.start().line);
        if mark == Mark::Table {
            self.table_lines += last - first + 1;
        }
        mark
    }

    fn function(&mut self, whole: Span, name: &syn::Ident, block: &Block) {
        let limit = match self.item(whole, name.span()) {
            Mark::Code => FUNCTION_LIMIT,
            Mark::Painting => PAINTING_LIMIT,
            Mark::Table => return,
        };
        let counted = self.code_lines(block);
        if counted > limit {
            let message = format!(
                "`{name}` has {counted} lines of code, at most {limit}: give its parts names; \
                 if it is data, put `// tidy: table` above it"
            );
            let line = name.span().start().line;
            self.found.push(Violation::new(self.path, line, message));
        }
    }

    /// Lines between the braces, without blank lines and comments.
    fn code_lines(&self, block: &Block) -> usize {
        let open = block.brace_token.span.open().start().line;
        let close = block.brace_token.span.close().end().line;
        let inside = open..close.saturating_sub(1).max(open);
        let code = |line: &&&str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with("//")
        };
        self.lines[inside].iter().filter(code).count()
    }
}

fn marked(line: &str) -> Option<Mark> {
    match line {
        "// tidy: table" => Some(Mark::Table),
        "// tidy: painting" => Some(Mark::Painting),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(item.span(), &item.sig.ident, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(item.span(), &item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(item.span(), &item.sig.ident, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.item(item.span(), item.ident.span());
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.item(item.span(), item.ident.span());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if matches!(&attribute.meta, Meta::Path(path) if path.is_ident("ignore")) {
            let message =
                "`#[ignore]` without a reason: write `#[ignore = \"why, and when to run it\"]`";
            let line = attribute.span().start().line;
            self.found.push(Violation::new(self.path, line, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Violation> {
        check(&Tree::planted(&[("a/src/a.rs", text)]))
    }

    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    work();\n".repeat(lines))
    }

    #[test]
    fn a_function_over_the_limit_is_caught_with_its_line() {
        assert_eq!(found(&function(FUNCTION_LIMIT)), []);
        let over = found(&format!("//! A.\n\n{}", function(FUNCTION_LIMIT + 1)));
        assert_eq!((over.len(), over[0].line), (1, 3));
        assert!(over[0].message.contains("`long` has 41 lines"), "{}", over[0]);
    }

    #[test]
    fn methods_and_functions_in_modules_count_too() {
        let body = function(FUNCTION_LIMIT + 1);
        assert_eq!(found(&format!("struct A;\nimpl A {{\n{body}}}\n")).len(), 1);
        assert_eq!(found(&format!("trait A {{\n{body}}}\n")).len(), 1);
        assert_eq!(found(&format!("mod a {{\n{body}}}\n")).len(), 1);
    }

    #[test]
    fn comments_and_blank_lines_are_free() {
        let body = "    // Why.\n\n".repeat(50);
        assert_eq!(found(&format!("fn long() {{\n{body}}}\n")), []);
    }

    #[test]
    fn tables_have_no_limit_and_paintings_a_higher_one() {
        let over = function(FUNCTION_LIMIT + 1);
        assert_eq!(found(&format!("// tidy: table\n{over}")), []);
        assert_eq!(found(&format!("/// Doc.\n// tidy: table\n#[rustfmt::skip]\n{over}")), []);
        assert_eq!(found(&format!("#[rustfmt::skip]\n// tidy: table\n{over}")), []);
        assert_eq!(found(&format!("// tidy: painting\n{over}")), []);
        let painting = function(PAINTING_LIMIT + 1);
        assert_eq!(found(&format!("// tidy: painting\n{painting}")).len(), 1);
        assert_eq!(found(&format!("fn a() {{}}\n// tidy: tables\n{over}")).len(), 1);
    }

    #[test]
    fn a_long_file_is_caught_and_tables_do_not_count() {
        let line = "const A: u8 = 0;\n";
        assert_eq!(found(&line.repeat(FILE_LIMIT)), []);
        assert_eq!(found(&line.repeat(FILE_LIMIT + 1)).len(), 1);
        let rows = "    0,\n".repeat(FILE_LIMIT);
        assert_eq!(found(&format!("// tidy: table\nconst A: [u8; 500] = [\n{rows}];\n")), []);
        assert_eq!(found(&format!("const A: [u8; 500] = [\n{rows}];\n")).len(), 1);
    }

    #[test]
    fn an_ignored_test_needs_a_reason() {
        assert_eq!(found("#[test]\n#[ignore = \"needs a host\"]\nfn a() {}\n"), []);
        let planted = found("mod tests {\n    #[test]\n    #[ignore]\n    fn a() {}\n}\n");
        assert_eq!((planted.len(), planted[0].line), (1, 3));
    }

    #[test]
    fn text_that_is_not_rust_is_told() {
        assert!(found("fn (").first().is_some_and(|v| v.message.contains("is not Rust")));
    }
}
