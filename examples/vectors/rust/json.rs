//! A small reader for JSON: enough for `vectors.json`, and nothing to install.

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text.
    pub fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { rest: text };
        let value = reader.value()?;
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.wrong("the end")),
        }
    }

    /// A field of an object; null if there is none.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => {
                let found = fields.iter().find(|(n, _)| n == name);
                found.map_or(&Json::Null, |(_, value)| value)
            }
            _ => &Json::Null,
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// A number.
    pub fn number(&self) -> i64 {
        match self {
            Json::Number(number) => *number,
            other => panic!("a number was expected: {other:?}"),
        }
    }

    /// A truth value.
    pub fn is_true(&self) -> bool {
        *self == Json::Bool(true)
    }

    /// A text.
    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn wrong(&self, expected: &str) -> String {
        let here: String = self.rest.chars().take(20).collect();
        format!("{expected} was expected at `{here}`")
    }

    fn eat(&mut self, word: &str) -> bool {
        self.peek();
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.peek() {
            Some('{') => {
                let mut fields = Vec::new();
                self.items('}', |this| {
                    let name = this.string()?;
                    if !this.eat(":") {
                        return Err(this.wrong("`:`"));
                    }
                    fields.push((name, this.value()?));
                    Ok(())
                })?;
                Ok(Json::Object(fields))
            }
            Some('[') => {
                let mut items = Vec::new();
                self.items(']', |this| {
                    items.push(this.value()?);
                    Ok(())
                })?;
                Ok(Json::List(items))
            }
            Some('"') => Ok(Json::Text(self.string()?)),
            _ if self.eat("null") => Ok(Json::Null),
            _ if self.eat("true") => Ok(Json::Bool(true)),
            _ if self.eat("false") => Ok(Json::Bool(false)),
            _ => {
                let is_part = |c: char| c.is_ascii_digit() || c == '-';
                let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
                let number = self.rest[..end].parse().map_err(|_| self.wrong("a value"))?;
                self.rest = &self.rest[end..];
                Ok(Json::Number(number))
            }
        }
    }

    /// What stands between brackets, separated by commas.
    fn items(
        &mut self,
        close: char,
        mut one: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.rest = &self.rest[1..];
        if self.peek() == Some(close) {
            self.rest = &self.rest[1..];
            return Ok(());
        }
        loop {
            one(self)?;
            if self.peek() == Some(close) {
                self.rest = &self.rest[1..];
                return Ok(());
            }
            if !self.eat(",") {
                return Err(self.wrong("`,`"));
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.eat("\"") {
            return Err(self.wrong("a text"));
        }
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, c @ ('"' | '\\' | '/'))) => text.push(c),
                    _ => return Err("an escape that this reader does not know".into()),
                },
                c => text.push(c),
            }
        }
        Err("a text without end".into())
    }
}
