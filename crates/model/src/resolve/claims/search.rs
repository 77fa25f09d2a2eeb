//! `least x` and `greatest x`: resolves the question of a check that seeks a value.

use crate::resolve::claims::settings::sets_the_same;
use crate::resolve::context::resolver::Resolver;
use crate::{ClaimUse, Expr, ExprKind, ParamId, Question, Searched, Setting, SettingKind, Type};
use source::{Diagnostic, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// The question of a check with `least x: …` or `greatest x: …`. `None` after a reported error.
    pub(crate) fn extreme(
        &mut self,
        greatest: bool,
        name: &Name,
        claims: &[ast::Expr],
    ) -> Option<Question> {
        let param = self.model.params.iter().position(|p| p.name == name.text);
        if let Some(index) = param {
            let param = ParamId(index as u32);
            let uses: Vec<Option<ClaimUse>> =
                claims.iter().map(|c| self.claim_use(c, None)).collect();
            let ty = self.model.param(param).domain.ty();
            self.searched_type(&ty, name)?;
            return Some(Question::Extreme {
                greatest,
                searched: Searched::Param(param),
                claims: uses.into_iter().collect::<Option<_>>()?,
                span: name.span,
            });
        }
        // x is an argument of the claims. Its type is that of the first parameter that receives it.
        let ty = claims.iter().find_map(|c| self.type_given_to(c, name));
        let Some(ty) = ty else {
            for claim in claims {
                self.claim_use(claim, None)?;
            }
            let word = if greatest { "greatest" } else { "least" };
            let text = format!("nothing here depends on `{}`", name.text);
            self.report(
                Diagnostic::error(codes::NOTHING_SOUGHT, name.span, text).note(format!(
                    "`{word} x` looks for a parameter of the model, or for a value that the claim is given: `check {word} x: c(x)`"
                )),
            );
            return None;
        };
        self.searched_type(&ty, name)?;
        let local = self.local(name, ty);
        let mut uses = Vec::new();
        let mut places = Vec::new();
        for claim in claims {
            let used = self.claim_use(claim, Some((name, local)))?;
            let bare = |e: &Expr| e.kind == ExprKind::Local(local);
            let Some(place) = used.arguments.iter().position(bare) else {
                let text = format!(
                    "this claim is not given `{}` itself: nothing says which values it can have",
                    name.text
                );
                self.error(codes::NOTHING_SOUGHT, used.span, text);
                return None;
            };
            places.push(place);
            uses.push(used);
        }
        Some(Question::Extreme {
            greatest,
            searched: Searched::Argument { local, places },
            claims: uses,
            span: name.span,
        })
    }

    /// The type of the claim's parameter whose argument is this name alone; `None` if there is none.
    fn type_given_to(&self, claim: &ast::Expr, name: &Name) -> Option<Type> {
        let (called, arguments) = match &claim.kind {
            ast::ExprKind::Call(called, arguments) => (called, arguments),
            ast::ExprKind::Paren(inner) => return self.type_given_to(inner, name),
            _ => return None,
        };
        let claim = self.model.claim(*self.claims.get(&called.text)?);
        let is_name =
            |e: &ast::Expr| matches!(&e.kind, ast::ExprKind::Name(n) if n.text == name.text);
        let place = arguments.iter().position(is_name)?;
        claim.parameters.get(place).map(|(_, domain)| domain.ty())
    }

    fn searched_type(&mut self, ty: &Type, name: &Name) -> Option<()> {
        match ty {
            Type::Int | Type::Duration => Some(()),
            Type::Error => None,
            _ => {
                let text = format!(
                    "`{}` is {}: only numbers and times are sought",
                    name.text,
                    self.model.words(ty)
                );
                self.error(codes::NOTHING_SOUGHT, name.span, text);
                None
            }
        }
    }

    /// Reports a sought parameter that the check also sets.
    pub(crate) fn not_set(&mut self, question: &Option<Question>, settings: &[Setting]) {
        let Some(Question::Extreme {
            searched: Searched::Param(param),
            span,
            ..
        }) = question
        else {
            return;
        };
        let set = settings
            .iter()
            .find(|s| sets_the_same(&s.kind, &SettingKind::Every(*param)));
        if let Some(setting) = set {
            let text = format!(
                "`{}` is sought, so it cannot be set",
                self.model.param(*param).name
            );
            self.report(
                Diagnostic::error(codes::SET_TWICE, setting.span, text).other(*span, "sought here"),
            );
        }
    }
}
