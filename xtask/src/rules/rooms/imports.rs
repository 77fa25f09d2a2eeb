//! The imports of the modules of a crate, resolved to the folders from which they come.
//!
//! Only paths that begin with `crate`, `super` or `self` are considered. Re-exports are followed, except glob
//! re-exports.

use super::Imports;
use super::crates::{Crate, ModulePath};
use std::collections::BTreeMap;

/// A path in the code, such as `crate::a::B`, with the names of the inline modules around it.
struct Reference {
    inline: Vec<String>,
    path: Vec<String>,
}

/// The paths to which a module refers, and the names that it imports or re-exports with their paths.
#[derive(Default)]
struct Paths {
    references: Vec<Reference>,
    names: BTreeMap<String, Vec<String>>,
}

/// The imports between different folders of a crate.
pub(super) fn between_folders(found: &Crate) -> Imports {
    let paths: BTreeMap<&ModulePath, Paths> = { found.modules.iter() }
        .map(|(path, module)| (path, Paths::read(&module.code)))
        .collect();
    let resolver = Resolver {
        found,
        paths: &paths,
    };
    let mut imports = Imports::new();
    for (module, paths) in paths.iter().filter(|(module, _)| !module.is_empty()) {
        for reference in &paths.references {
            let base: ModulePath = module.iter().chain(&reference.inline).cloned().collect();
            let target = resolver.resolve(&base, &reference.path, &mut Vec::new());
            let to = target.and_then(|target| found.folder_of(&target));
            let (Some(from), Some(to)) = (found.folder_of(module), to) else {
                continue;
            };
            if from != to {
                let file = &found.modules[*module].file;
                let text = format!("{file} uses {}", reference.path.join("::"));
                imports.entry((from, to)).or_default().insert(text);
            }
        }
    }
    imports
}

struct Resolver<'a> {
    found: &'a Crate,
    paths: &'a BTreeMap<&'a ModulePath, Paths>,
}

impl Resolver<'_> {
    /// The module that defines the item that a path denotes in module `base`. `None` for items of other crates.
    /// `visited` prevents endless cycles of re-exports.
    fn resolve(
        &self,
        base: &[String],
        path: &[String],
        visited: &mut Vec<(ModulePath, String)>,
    ) -> Option<ModulePath> {
        let mut module: ModulePath = base.to_vec();
        let mut rest = path;
        if let Some(("crate", after)) = split_first(rest) {
            module.clear();
            rest = after;
        }
        while let Some((first @ ("self" | "super"), after)) = split_first(rest) {
            if first == "super" {
                module.pop();
            }
            rest = after;
        }
        let is_relative = rest.len() == path.len();
        let mut entered = false;
        while let Some((first, after)) = rest.split_first() {
            module.push(first.clone());
            if !self.found.modules.contains_key(&module) {
                module.pop();
                break;
            }
            entered = true;
            rest = after;
        }
        if is_relative && !entered {
            return None;
        }
        if let Some((name, after)) = rest.split_first() {
            let key = (module.clone(), name.clone());
            let paths = self.paths.get(&module);
            let imported = paths.and_then(|paths| paths.names.get(name));
            if let Some(imported) = imported.filter(|_| !visited.contains(&key)) {
                visited.push(key);
                let whole: Vec<String> = imported.iter().chain(after).cloned().collect();
                let target = self.resolve(&module, &whole, visited);
                if target.is_some() {
                    return target;
                }
            }
        }
        // An inline module belongs to the file that contains it.
        while !self.found.modules.contains_key(&module) && !module.is_empty() {
            module.pop();
        }
        Some(module)
    }
}

fn split_first(path: &[String]) -> Option<(&str, &[String])> {
    path.split_first().map(|(first, rest)| (&first[..], rest))
}

/// A token of code, as far as the reading of paths needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'c> {
    Name(&'c str),
    Colons,
    Sign(char),
}

fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = match c {
            _ if is_name(c) => {
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                found.push(Token::Name(&rest[..end]));
                end
            }
            _ if rest.starts_with("::") => {
                found.push(Token::Colons);
                2
            }
            _ => {
                if !c.is_whitespace() {
                    found.push(Token::Sign(c));
                }
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    found
}

impl Paths {
    fn read(code: &str) -> Paths {
        let tokens = tokens(code);
        let mut paths = Paths::default();
        let mut depth = 0usize;
        let mut inline: Vec<(String, usize)> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => {
                    depth = depth.saturating_sub(1);
                    inline.retain(|(_, outside)| *outside < depth);
                }
                Token::Name("mod") => {
                    if let [Token::Name(name), Token::Sign('{'), ..] = tokens[at..] {
                        inline.push((name.to_string(), depth));
                    }
                }
                Token::Name("use") if tokens.get(at) != Some(&Token::Sign('<')) => {
                    let mut imported = Vec::new();
                    at = use_tree(&tokens, at, &[], &mut imported);
                    for (path, name) in imported {
                        paths.refer(&inline, &path);
                        if inline.is_empty() {
                            paths.names.entry(name).or_insert(path);
                        }
                    }
                }
                Token::Name(first @ ("crate" | "super" | "self")) => {
                    let mut path = vec![first.to_string()];
                    while let [Token::Colons, Token::Name(name), ..] = tokens[at..] {
                        path.push(name.to_string());
                        at += 2;
                    }
                    if path.len() > 1 {
                        paths.refer(&inline, &path);
                    }
                }
                _ => {}
            }
        }
        paths
    }

    fn refer(&mut self, inline: &[(String, usize)], path: &[String]) {
        if let Some("crate" | "super" | "self") = path.first().map(String::as_str) {
            self.references.push(Reference {
                inline: inline.iter().map(|(name, _)| name.clone()).collect(),
                path: path.to_vec(),
            });
        }
    }
}

/// Reads a tree of a `use` item from position `at`, and adds the imported paths with their names. Returns the position
/// after the tree.
fn use_tree(
    tokens: &[Token<'_>],
    mut at: usize,
    prefix: &[String],
    imported: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let mut path = prefix.to_vec();
    let mut name = None;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Sign('{') => {
                at += 1;
                while !matches!(tokens.get(at), Some(Token::Sign('}')) | None) {
                    at = use_tree(tokens, at, &path, imported);
                    at += usize::from(tokens.get(at) == Some(&Token::Sign(',')));
                }
                return at + 1;
            }
            Token::Sign(',' | '}' | ';') => break,
            Token::Name("as") => {
                if let Some(Token::Name(other)) = tokens.get(at + 1) {
                    name = Some(other.to_string());
                }
                at += 1;
            }
            // `use a::{self}` imports `a`.
            Token::Name("self") if !path.is_empty() => {}
            Token::Name(part) => path.push(part.to_string()),
            Token::Colons | Token::Sign(_) => {}
        }
        at += 1;
    }
    if let Some(last) = path.last().cloned() {
        imported.push((path, name.unwrap_or(last)));
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(code: &str) -> Vec<String> {
        let paths = Paths::read(code);
        let references = paths.references.iter();
        let texts = references.map(|r| format!("{}/{}", r.inline.join("/"), r.path.join("::")));
        texts.collect()
    }

    #[test]
    fn use_trees_are_read() {
        assert_eq!(
            references("pub(crate) use crate::a::{self, b::{C, D as E}, F::*}; use std::fmt;"),
            [
                "/crate::a",
                "/crate::a::b::C",
                "/crate::a::b::D",
                "/crate::a::F"
            ]
        );
        let names = Paths::read("use crate::a::{self, B as C}; use d::E;").names;
        let names: Vec<&str> = names.keys().map(String::as_str).collect();
        assert_eq!(names, ["C", "E", "a"]);
    }

    #[test]
    fn paths_in_code_are_read() {
        assert_eq!(
            references("fn f(a: super::A) -> impl Fn() + use<> { crate::b::c(a); self.d() }"),
            ["/super::A", "/crate::b::c"]
        );
    }

    #[test]
    fn inline_modules_are_tracked() {
        assert_eq!(
            references("mod a { fn f() {} use super::B; mod c { use super::D; } } use super::E;"),
            ["a/super::B", "a/c/super::D", "/super::E"]
        );
    }
}
