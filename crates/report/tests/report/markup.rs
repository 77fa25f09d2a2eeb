//! Checks that a text is well-formed XML, for the subset of XML that the pictures use.

/// The names of all elements in document order; panics if the text is not well formed.
pub fn well_formed(text: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut names = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some(inside) = rest.strip_prefix('<') else {
            let end = rest.find('<').expect("an element at the end");
            assert!(!open.is_empty(), "text outside: {}", &rest[..end]);
            characters(&rest[..end]);
            rest = &rest[end..];
            continue;
        };
        let end = tag_end(inside);
        let (tag, behind) = (&inside[..end], &inside[end + 1..]);
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "what ends must have begun");
        } else {
            let (tag, closed) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "<{name}");
            attributes_of(attributes);
            names.push(name.to_string());
            if !closed {
                open.push(name);
            }
        }
        assert!(!open.is_empty() || rest.is_empty(), "one root: {rest}");
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    names
}

fn tag_end(inside: &str) -> usize {
    let mut quoted = false;
    for (i, c) in inside.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return i,
            '<' => panic!("`<` in a tag: {inside:.60}"),
            _ => {}
        }
    }
    panic!("a tag that does not end: {inside:.60}")
}

fn attributes_of(text: &str) {
    let mut seen = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, behind) = rest.split_once("=\"").expect("a value in quotes");
        assert!(!seen.contains(&name), "{name} twice");
        seen.push(name);
        let (value, behind) = behind.split_once('"').expect("the end of a value");
        characters(value);
        rest = behind.trim_start();
    }
}

fn characters(text: &str) {
    for (i, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;"];
        assert!(known.iter().any(|e| text[i..].starts_with(e)), "{text}");
    }
    let bad = text.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(bad, None, "{text}");
}
