//! Circles of imports: files of a crate that need each other can only be read together. Types and vocabulary lie in
//! files that use no other; only what is called first uses the rest.

mod imports;

use super::tree::Tree;
use super::violation::Violation;
use imports::Crate;
use std::collections::{BTreeMap, BTreeSet};

/// So many files may need each other: a module, its parts and a type of theirs.
const LARGEST: usize = 3;

/// Each circle that is larger.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let crates = tree.files.iter().filter_map(|file| file.path.strip_suffix("Cargo.toml"));
    crates.filter(|folder| !folder.is_empty()).flat_map(|folder| of_crate(tree, folder)).collect()
}

fn of_crate(tree: &Tree, folder: &str) -> Vec<Violation> {
    let src = format!("{folder}src/");
    let read = Crate::of(tree, &src);
    let circles = circles(&read.edges());
    let message = |circle: &Vec<&str>| {
        format!(
            "{} import each other in a circle, at most {LARGEST} may: move what they share to a file that uses none \
             of them",
            named(circle, &src)
        )
    };
    circles.iter().map(|circle| Violation::new(folder, 0, message(circle))).collect()
}

fn named(circle: &[&str], src: &str) -> String {
    let names = circle.iter().map(|file| file.strip_prefix(src).unwrap_or(file));
    format!("{} files: {}", circle.len(), names.collect::<Vec<_>>().join(", "))
}

/// The largest sets of more than [`LARGEST`] files of which each leads to each.
fn circles<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|file| (*file, reached_from(file, edges))).collect();
    let circle = |file: &&'a str| -> Vec<&'a str> {
        let others = reached[file].iter().filter(|other| reached[*other].contains(file));
        others.copied().collect()
    };
    let circles = edges.keys().map(circle).filter(|circle| circle.len() > LARGEST);
    circles.collect::<BTreeSet<_>>().into_iter().collect()
}

fn reached_from<'a>(
    file: &'a str,
    edges: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeSet<&'a str> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![file]);
    while let Some(at) = next.pop() {
        let new = edges.get(at).into_iter().flatten().filter(|to| reached.insert(**to));
        next.extend(new.copied().collect::<Vec<_>>());
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate of these files, each below `src/`.
    fn planted(files: &[(&str, &str)]) -> Tree {
        let path = |name: &str| format!("a/src/{name}");
        let files: Vec<_> = files.iter().map(|(name, text)| (path(name), *text)).collect();
        let mut all: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        all.push(("a/Cargo.toml", ""));
        Tree::planted(&all)
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        check(&planted(files)).into_iter().map(|violation| violation.message).collect()
    }

    const LIB: (&str, &str) = ("lib.rs", "mod one; mod two; mod three; mod four;");
    const ONE: (&str, &str) = ("one.rs", "use crate::two::Two; pub struct One;");
    const TWO: (&str, &str) = ("two.rs", "pub struct Two(super::three::Three);");
    const THREE: (&str, &str) =
        ("three.rs", "use crate::four; pub struct Three; fn f() { assert!(four::is_so()) }");
    const FOUR: (&str, &str) =
        ("four.rs", "use crate::{one::{self, One}}; pub fn is_so() -> bool { one::is_so() }");

    #[test]
    fn a_circle_of_four_is_caught_and_named() {
        let caught = found(&[LIB, ONE, TWO, THREE, FOUR]);
        assert!(caught[0].contains("4 files: four.rs, one.rs, three.rs, two.rs"), "{caught:?}");
    }

    #[test]
    fn three_files_may_need_each_other() {
        let three = ("three.rs", "use crate::one::One; pub struct Three;");
        assert!(found(&[LIB, ONE, TWO, three]).is_empty());
    }

    #[test]
    fn a_module_that_only_declares_or_hands_on_is_in_no_circle() {
        let lib = ("lib.rs", "mod one; mod two; mod three; mod four; pub use one::One;");
        let four = ("four.rs", "pub fn is_so() -> bool { true } type Root = super::One;");
        let one = ("one.rs", "pub struct One;");
        assert!(found(&[lib, one, TWO, THREE, four]).is_empty());
    }

    #[test]
    fn a_name_is_followed_through_what_hands_it_on() {
        let lib = ("lib.rs", "mod one; mod two; mod three; mod four; pub use one::*;");
        let four = ("four.rs", "use crate::One; pub fn is_so() -> bool { One::is_so() }");
        assert_eq!(found(&[lib, ONE, TWO, THREE, four]).len(), 1);
    }

    #[test]
    fn tests_are_left_out() {
        let three = (
            "three.rs",
            "pub struct Three; #[cfg(test)] mod tests { use crate::four::is_so; }
             #[cfg(test)] mod more; #[cfg(test)] fn f() { crate::four::is_so() }",
        );
        let more = ("three/more.rs", "use crate::four::is_so; type It = super::Three;");
        assert!(found(&[LIB, ONE, TWO, three, more, FOUR]).is_empty());
    }
}
