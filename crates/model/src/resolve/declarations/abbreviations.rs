//! Abbreviations (`let` at the top level). Each is resolved at its first use.

use crate::resolve::context::resolver::{LetState, Resolver};
use crate::resolve::context::scope::{Place, Scope};
use crate::{Let, LetId};
use source::{Diagnostic, Span, codes};

impl Resolver<'_> {
    /// Resolves every abbreviation, including unused ones.
    pub(crate) fn abbreviations(&mut self) {
        for index in 0..self.lets.len() {
            self.abbreviation(LetId(index as u32), None);
        }
    }

    /// Resolves an abbreviation unless this has been done; `used_at` is the span of its use. If the use is in its own
    /// definition, reports that and returns false.
    pub(crate) fn abbreviation(&mut self, id: LetId, used_at: Option<Span>) -> bool {
        match self.lets[id.index()] {
            LetState::Done => true,
            LetState::Running => {
                let name = self.model.abbreviation(id).name.clone();
                self.report(
                    Diagnostic::error(
                        codes::CYCLIC_LET,
                        used_at.unwrap_or(self.model.abbreviation(id).span),
                        format!("`{name}` is defined by itself"),
                    )
                    .note("an abbreviation stands for its text: it cannot contain itself, directly or through others"),
                );
                false
            }
            LetState::Waiting(tree) => {
                self.lets[id.index()] = LetState::Running;
                let mut scope = Scope::new(Place::Abbreviation);
                let value = self.infer(&tree.value, &mut scope, None);
                self.require_clear(&value, &tree.name);
                self.misplaced_now(&value);
                let reads_nodes = self.reads_nodes(&value);
                self.model.lets[id.index()] = Let {
                    name: tree.name.text.clone(),
                    value,
                    reads_nodes,
                    span: tree.name.span,
                };
                self.lets[id.index()] = LetState::Done;
                true
            }
        }
    }
}
