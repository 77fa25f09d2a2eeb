//! A chapter of the reference: a file of the semantics suite, and its page.

use super::answers;
use crate::tree::Tree;
use crate::tree::markdown::prose;

/// A file of the semantics suite.
pub(super) struct Chapter {
    /// The file name without its extension.
    pub file: String,
    /// The first heading.
    pub title: String,
    /// The second-level headings; each is a sentence that the suite tests.
    pub sentences: Vec<String>,
    text: String,
}

impl Chapter {
    /// Reads a file. An error says which part is missing.
    pub fn read(file: &str, text: &str) -> Result<Chapter, String> {
        let headings = |mark: &str| -> Vec<String> {
            let lines = prose(text).filter_map(|(_, line)| line.strip_prefix(mark));
            lines.map(|line| line.trim().to_string()).collect()
        };
        let [title] = &headings("# ")[..] else {
            return Err("a chapter has one title, `# …`".into());
        };
        let chapter = Chapter {
            file: file.into(),
            title: title.clone(),
            sentences: headings("## "),
            text: text.into(),
        };
        match chapter.summary().is_empty() {
            true => Err("there is no introduction behind the title".into()),
            false => Ok(chapter),
        }
    }

    /// The first sentence of the introduction.
    pub fn summary(&self) -> String {
        let lines = self.text.lines().skip_while(|line| !line.starts_with("# "));
        let lines = lines.skip(1).skip_while(|line| line.trim().is_empty());
        let lines: Vec<&str> = lines.take_while(|line| is_text(line)).collect();
        let paragraph = lines.join(" ");
        let ends = paragraph.match_indices(". ").map(|(at, _)| at);
        let end = ends
            .filter(|at| !paragraph[..*at].ends_with('.'))
            .find(|at| paragraph[at + 2..].starts_with(|c: char| !c.is_lowercase()));
        match end {
            Some(at) => paragraph[..=at].to_string(),
            None => paragraph,
        }
    }

    /// The page, with links to the previous and the next chapter.
    pub fn page(&self, tree: &Tree, before: Option<&Chapter>, behind: Option<&Chapter>) -> String {
        let link = |chapter: &Chapter| format!("[{}]({}.md)", chapter.title, chapter.file);
        let mut ways = vec!["[Contents](README.md)".to_string()];
        let before = before.map_or("[Types and operators](overview.md)".into(), link);
        ways.push(format!("before: {before}"));
        ways.extend(behind.map(|chapter| format!("next: {}", link(chapter))));
        format!(
            "<!-- Made from tests/semantics/{}.md by `cargo xtask reference`. -->\n{}\n---\n\n{}\n",
            self.file,
            self.body(tree),
            ways.join(" · ")
        )
    }

    /// The text of the file, with answers for readers instead of `expect` blocks.
    fn body(&self, tree: &Tree) -> String {
        let mut page = String::new();
        let mut lines = self.text.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(language) = line.strip_prefix("```") else {
                page.push_str(line);
                page.push('\n');
                continue;
            };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = block.join("\n");
            if language == "scrut-common" {
                page.push_str("Every model of this chapter begins with this:\n\n");
            }
            let shown = language.starts_with("scrut").then_some("scrut");
            let shown = shown.unwrap_or(language);
            page.push_str(&format!("```{shown}\n{}\n```\n", block.trim_end()));
            if !matches!(language, "scrut" | "scrut-error") {
                continue;
            }
            while lines.next_if(|line| line.trim().is_empty()).is_some() {}
            let mut expected = Vec::new();
            if lines.next_if_eq(&"```expect").is_some() {
                expected.extend(lines.by_ref().take_while(|line| *line != "```"));
                while lines.next_if(|line| line.trim().is_empty()).is_some() {}
            }
            let answer = answers::answers_text(tree, &block, &expected);
            page.push_str(&format!("\n{answer}\n"));
            if lines.peek().is_some() {
                page.push('\n');
            }
        }
        page
    }
}

/// Whether a line belongs to a paragraph: not empty, no heading, and no code fence.
fn is_text(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#') && !line.starts_with("```")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Switches\n\nOn and\noff. Nothing else.\n\n## A switch goes on\n\nOnce.\n\n\
        ```scrut\nnode A { }\n\ncheck on expect holds\n```\n\n```expect\nstates 2\n```\n\n## And off\n\nNever.\n\n\
        ```scrut-error\nnode A { }\n```\n\n```expect\nerror E0101\n```\n";

    #[test]
    fn a_page_has_answers() {
        let tree = Tree::of(&[("crates/source/codes/E0101.md", "# E0101: not understood\n")]);
        let chapter = Chapter::read("switches", TEXT).expect("a chapter");
        assert_eq!(chapter.title, "Switches");
        assert_eq!(chapter.summary(), "On and off.");
        assert_eq!(chapter.sentences, ["A switch goes on", "And off"]);
        let page = chapter.page(&tree, None, Some(&chapter));
        assert!(
            page.contains("```\n\nAnswer: **holds**. 2 states.\n\n## And off"),
            "{page}"
        );
        assert!(
            page.contains("```\n\nRefused: [E0101](../../crates/source/codes/E0101.md), not understood.\n\n---\n"),
            "{page}"
        );
        assert!(page.ends_with("· next: [Switches](switches.md)\n"));
    }

    #[test]
    fn a_chapter_has_a_title_and_an_introduction() {
        assert!(Chapter::read("a", "## A\n").is_err());
        assert!(Chapter::read("a", "# A\n\n## B\n").is_err());
    }
}
