//! Source texts and spans in them.

/// The index of a text in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The smallest span that contains both spans, which must be in the same file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// All source texts of one invocation.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

#[derive(Debug)]
struct SourceFile {
    name: String,
    text: String,
    /// The byte at which each line but the first begins.
    lines: Vec<usize>,
}

impl Sources {
    /// Adds a text and returns its number. `name` is what diagnostics show for the file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let (name, text) = (name.into(), text.into());
        let lines = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        self.files.push(SourceFile { name, text, lines });
        FileId(self.files.len() as u32 - 1)
    }

    /// The name of a text, as diagnostics show it.
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].name
    }

    /// The whole text of a file.
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text(span.file)[span.start as usize..span.end as usize]
    }

    /// The line in which a span begins, counted from 1.
    pub fn line(&self, span: Span) -> usize {
        let lines = &self.files[span.file.0 as usize].lines;
        1 + lines.partition_point(|begin| *begin <= span.start as usize)
    }
}
