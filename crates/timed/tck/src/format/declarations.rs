//! The outer grammar: one declaration per line, with attributes in braces.

use crate::format::error::Mistake;

/// A name with its position.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) at: usize,
    pub(crate) text: String,
}

/// An attribute: its key, and the trimmed text of its value.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) key: Name,
    pub(crate) value: Name,
}

/// A participant of a synchronisation.
#[derive(Clone, Debug)]
pub(crate) struct Participant {
    pub(crate) process: Name,
    pub(crate) event: Name,
    pub(crate) is_weak: bool,
}

/// A declaration without its attributes.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Process(Name),
    Event(Name),
    Clock {
        size: i64,
        name: Name,
    },
    Int {
        size: i64,
        least: i64,
        most: i64,
        initial: i64,
        name: Name,
    },
    Location {
        process: Name,
        name: Name,
    },
    Edge {
        process: Name,
        source: Name,
        target: Name,
        event: Name,
    },
    Sync(Vec<Participant>),
}

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) at: usize,
    pub(crate) kind: Kind,
    pub(crate) attributes: Vec<Attribute>,
}

/// The name of the system, and the declarations in the order of the file.
pub(crate) fn parse(text: &str) -> Result<(Name, Vec<Declaration>), Mistake> {
    let mut parser = Parser { text, at: 0 };
    parser.skip_lines();
    let first = parser.name()?;
    if first.text != "system" {
        return Err(Mistake::new(
            first.at,
            "the first declaration is `system:name`",
        ));
    }
    parser.expect(':')?;
    let system = parser.name()?;
    parser.attributes()?;
    parser.end_of_line()?;
    let mut declarations = Vec::new();
    loop {
        cancellation::poll();
        parser.skip_lines();
        if parser.peek().is_none() {
            return Ok((system, declarations));
        }
        declarations.push(parser.declaration()?);
        parser.end_of_line()?;
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn declaration(&mut self) -> Result<Declaration, Mistake> {
        let keyword = self.name()?;
        let kind = match &keyword.text[..] {
            "process" => Kind::Process(self.field()?),
            "event" => Kind::Event(self.field()?),
            "clock" => Kind::Clock {
                size: self.number()?,
                name: self.field()?,
            },
            "int" => Kind::Int {
                size: self.number()?,
                least: self.number()?,
                most: self.number()?,
                initial: self.number()?,
                name: self.field()?,
            },
            "location" => Kind::Location {
                process: self.field()?,
                name: self.field()?,
            },
            "edge" => Kind::Edge {
                process: self.field()?,
                source: self.field()?,
                target: self.field()?,
                event: self.field()?,
            },
            "sync" => Kind::Sync(self.participants()?),
            "system" => return Err(Mistake::new(keyword.at, "`system` is declared twice")),
            other => {
                let message = format!(
                    "`{other}` is no declaration: write process, event, clock, int, location, edge or sync"
                );
                return Err(Mistake::new(keyword.at, message));
            }
        };
        Ok(Declaration {
            at: keyword.at,
            kind,
            attributes: self.attributes()?,
        })
    }

    fn participants(&mut self) -> Result<Vec<Participant>, Mistake> {
        let mut participants = Vec::new();
        while self.eat(':') {
            let process = self.name()?;
            self.expect('@')?;
            participants.push(Participant {
                process,
                event: self.name()?,
                is_weak: self.eat('?'),
            });
        }
        if participants.is_empty() {
            self.expect(':')?;
        }
        Ok(participants)
    }

    fn attributes(&mut self) -> Result<Vec<Attribute>, Mistake> {
        let mut attributes = Vec::new();
        if !self.eat('{') || self.eat('}') {
            return Ok(attributes);
        }
        loop {
            let key = self.name()?;
            self.expect(':')?;
            attributes.push(Attribute {
                key,
                value: self.value(),
            });
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    return Ok(attributes);
                }
                Some(':') => self.at += 1,
                Some(other) => {
                    let message = format!("`{other}` in an attribute");
                    return Err(Mistake::new(self.at, message));
                }
                None => {
                    return Err(Mistake::new(
                        self.at,
                        "the attributes are not closed by `}`",
                    ));
                }
            }
            // Line breaks are allowed between attributes, as they are in values.
            self.skip_line_breaks();
        }
    }

    /// The text up to the next special character, trimmed.
    fn value(&mut self) -> Name {
        let rest = &self.text[self.at..];
        let length = rest.find([':', '{', '}', '#']).unwrap_or(rest.len());
        let value = &rest[..length];
        let at = self.at + (value.len() - value.trim_start().len());
        self.at += length;
        Name {
            at,
            text: value.trim().to_string(),
        }
    }

    fn field(&mut self) -> Result<Name, Mistake> {
        self.expect(':')?;
        self.name()
    }

    fn number(&mut self) -> Result<i64, Mistake> {
        self.expect(':')?;
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let sign = usize::from(rest.starts_with(['+', '-']));
        let is_digit = |c: char| c.is_ascii_digit();
        let digits = rest[sign..]
            .find(|c| !is_digit(c))
            .unwrap_or(rest.len() - sign);
        let number: Result<i32, _> = rest[..sign + digits].parse();
        let Ok(number) = number else {
            return Err(Mistake::new(
                self.at,
                "an integer of 32 bits is expected here",
            ));
        };
        self.at += sign + digits;
        Ok(number.into())
    }

    fn name(&mut self) -> Result<Name, Mistake> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = rest.find(|c| !is_inner(c)).unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return Err(Mistake::new(self.at, "a name is expected here"));
        }
        let name = Name {
            at: self.at,
            text: rest[..length].to_string(),
        };
        self.at += length;
        Ok(name)
    }

    fn expect(&mut self, expected: char) -> Result<(), Mistake> {
        if self.eat(expected) {
            return Ok(());
        }
        Err(Mistake::new(
            self.at,
            format!("`{expected}` is expected here"),
        ))
    }

    fn eat(&mut self, expected: char) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(expected);
        self.at += usize::from(found);
        found
    }

    fn end_of_line(&mut self) -> Result<(), Mistake> {
        self.skip_blanks();
        self.skip_comment();
        match self.peek() {
            None | Some('\n') => Ok(()),
            Some(_) => Err(Mistake::new(
                self.at,
                "the end of the line is expected here",
            )),
        }
    }

    fn skip_lines(&mut self) {
        loop {
            self.skip_line_breaks();
            if self.peek() != Some('#') {
                return;
            }
            self.skip_comment();
        }
    }

    fn skip_line_breaks(&mut self) {
        self.skip_while(|c| " \t\r\n".contains(c));
    }

    fn skip_blanks(&mut self) {
        self.skip_while(|c| " \t\r".contains(c));
    }

    fn skip_comment(&mut self) {
        if self.peek() == Some('#') {
            self.skip_while(|c| c != '\n');
        }
    }

    fn skip_while(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !is_skipped(c)).unwrap_or(rest.len());
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }
}
