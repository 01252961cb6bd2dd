//! Which file of a crate uses an item of which. Follows `use` lines and paths, re-exports too, as far as names can be
//! followed without a compiler.

use super::super::tool_names::TESTS;
use super::super::tree::{Tree, TreeFile};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, ItemMod, ItemUse, Macro, Meta, Path, UseTree, Visibility};

/// A path as its names.
type Names = Vec<String>;

/// How many re-exports of a name are followed.
const HOPS: usize = 8;

/// A name that a `use` line brings into a file.
struct Import {
    /// From the root of the crate.
    path: Names,
    is_public: bool,
}

/// What a file declares, brings in and names.
#[derive(Default)]
struct Module {
    /// The module that the file is, and the modules inside of it that are being read.
    at: Names,
    defines: BTreeSet<String>,
    /// Modules in files of their own that only tests have.
    test_children: BTreeSet<String>,
    imports: BTreeMap<String, Import>,
    /// Modules of which everything is brought in.
    globs: Vec<Import>,
    paths: Vec<Names>,
}

/// The files of one crate without its tests, by their modules.
pub(super) struct Crate {
    modules: BTreeMap<Names, Module>,
    files: BTreeMap<Names, String>,
}

impl Crate {
    /// Reads the files below `src`, such as `xtask/src/`.
    pub(super) fn of(tree: &Tree, src: &str) -> Self {
        let (mut modules, mut files) = (BTreeMap::new(), BTreeMap::new());
        let is_test = |path: &str| TESTS.iter().any(|part| path.contains(part));
        for file in tree.rust().filter(|file| !is_test(&file.path)) {
            if let Some(at) = file.path.strip_prefix(src).and_then(module_of)
                && let Some(module) = Module::of(file, at.clone())
            {
                modules.insert(at.clone(), module);
                files.insert(at, file.path.clone());
            }
        }
        let mut read = Self { modules, files };
        read.leave_out_tests();
        read
    }

    fn leave_out_tests(&mut self) {
        let tests = self.modules.iter().flat_map(|(at, module)| {
            module
                .test_children
                .iter()
                .map(move |child| [at.as_slice(), std::slice::from_ref(child)].concat())
        });
        let tests: Vec<Names> = tests.collect();
        self.modules.retain(|at, _| !tests.iter().any(|test| at.starts_with(test)));
    }

    /// The files that each file uses items of.
    pub(super) fn edges(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let of_file = |at: &Names| self.files.get(at).map_or("", String::as_str);
        let edges = self.modules.iter().map(|(at, module)| {
            let used = self.used_by(module).into_iter().filter(|used| *used != at);
            (of_file(at), used.map(of_file).collect())
        });
        edges.collect()
    }

    fn used_by(&self, module: &Module) -> BTreeSet<&Names> {
        let is_named = |name: &String| module.paths.iter().any(|path| path.first() == Some(name));
        let imports = module.imports.iter();
        let imports = imports.filter(|(name, import)| !import.is_public || is_named(name));
        let imported = imports.filter_map(|(_, import)| self.home_of(&import.path, HOPS));
        let globs = module.globs.iter().filter(|glob| !glob.is_public);
        let globs = globs.filter_map(|glob| self.modules.get_key_value(&glob.path));
        let paths = module.paths.iter().filter(|path| path.len() > 1);
        let paths = paths.filter_map(|path| self.home_of(&module.absolute(path)?, HOPS));
        imported.chain(globs.map(|(at, _)| at)).chain(paths).collect()
    }

    /// The file that defines what a path from the root of the crate names; none where it names a module.
    fn home_of(&self, path: &[String], hops: usize) -> Option<&Names> {
        let lengths = (0..=path.len()).rev();
        let (at, module) =
            lengths.filter_map(|length| self.modules.get_key_value(&path[..length])).next()?;
        let (name, rest) = path[at.len()..].split_first()?;
        if module.defines.contains(name) || hops == 0 {
            return Some(at);
        }
        if let Some(import) = module.imports.get(name) {
            return self.home_of(&[&import.path, rest].concat(), hops - 1);
        }
        let through = module.globs.iter().filter_map(|glob| {
            let home = self
                .home_of(&[glob.path.as_slice(), std::slice::from_ref(name)].concat(), hops - 1)?;
            self.modules.get(home)?.defines.contains(name).then_some(home)
        });
        Some(through.into_iter().next().unwrap_or(at))
    }
}

/// The module of a file below `src/`; none for a program beside a library.
fn module_of(path: &str) -> Option<Names> {
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Some(Vec::new()),
        _ if path.starts_with("bin/") => None,
        _ => Some(path.split('/').map(str::to_owned).collect()),
    }
}

impl Module {
    fn of(file: &TreeFile, at: Names) -> Option<Self> {
        let parsed = syn::parse_file(&file.text).ok()?; // the detector of lengths tells it
        let mut module = Self { at, ..Self::default() };
        module.defines = parsed.items.iter().filter_map(defined).collect();
        module.visit_file(&parsed);
        Some(module)
    }

    /// A path in this file from the root of its crate; none where it leads to another crate.
    fn absolute(&self, path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let mut at = self.at.clone();
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => {}
            "super" => {
                at.pop()?;
                let supers = rest.iter().take_while(|name| *name == "super").count();
                at.truncate(at.len().saturating_sub(supers));
                return Some([&at, &rest[supers..]].concat());
            }
            _ if self.defines.contains(first) => at.push(first.clone()),
            _ => at.clone_from(&self.imports.get(first)?.path),
        }
        Some([&at, rest].concat())
    }

    fn import(&mut self, before: &Names, tree: &UseTree, is_public: bool) {
        let with = |name: &Ident| [before.as_slice(), &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.import(&with(&path.ident), &path.tree, is_public),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(before, tree, is_public));
            }
            UseTree::Name(name) if name.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.bring_in(name, before, is_public);
            }
            UseTree::Name(name) => {
                self.bring_in(name.ident.to_string(), &with(&name.ident), is_public);
            }
            UseTree::Rename(rename) => {
                self.bring_in(rename.rename.to_string(), &with(&rename.ident), is_public);
            }
            UseTree::Glob(_) => {
                if let Some(path) = self.absolute(before) {
                    self.globs.push(Import { path, is_public });
                }
            }
        }
    }

    fn bring_in(&mut self, name: String, path: &[String], is_public: bool) {
        if let Some(path) = self.absolute(path) {
            self.imports.insert(name, Import { path, is_public });
        }
    }

    /// Paths in the arguments of a macro.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut path: Names = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.name(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => colons = 0,
            }
        }
        self.name(path);
    }

    fn name(&mut self, path: Names) {
        // `super` is of the module that is being read, which may lie inside of the file.
        let is_relative = path.first().is_some_and(|first| first == "self" || first == "super");
        let absolute = is_relative.then(|| self.absolute(&path)).flatten();
        let absolute = absolute.map(|path| [&["crate".to_owned()], path.as_slice()].concat());
        self.paths.push(absolute.unwrap_or(path));
    }
}

/// The name of an item that others can use.
fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Whether an item is compiled for tests alone.
fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string();
            condition == "test"
                || condition.starts_with("any (test")
                || condition.starts_with("any(test")
        }
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_of_tests(attributes) {
            visit::visit_item(self, item);
        } else if let Item::Mod(module) = item
            && module.content.is_none()
        {
            self.test_children.insert(module.ident.to_string());
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.at.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.at.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_public = !matches!(item.vis, Visibility::Inherited);
        self.import(&Vec::new(), &item.tree, is_public);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.name(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.visit_path(&item.path);
        self.read_tokens(item.tokens.clone());
    }
}
