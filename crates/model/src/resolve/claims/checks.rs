//! Checks: the question, its claims, and the variants.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::{
    Check, ClaimUse, Constant, Environment, Expr, LocalId, Question, Setting, SettingKind,
    TopologyShape, VariantId, WorldId, evaluate,
};
use source::{Diagnostic, codes};
use syntax::ast::{self, ForClause, Item, Name};

impl Resolver<'_> {
    /// Resolves every check of the file.
    pub(crate) fn checks(&mut self) {
        let file = self.trees.file;
        for item in &file.items {
            let Item::Check(tree) = item else {
                continue;
            };
            if let Some(check) = self.one_check(tree) {
                self.model.checks.push(check);
            }
        }
    }

    fn one_check(&mut self, tree: &ast::Check) -> Option<Check> {
        if self.model.kinds.is_empty() {
            self.error(
                codes::NO_NODES,
                tree.span,
                "there is nothing to check: the file declares no `node`",
            );
            return None;
        }
        let question = self.question(&tree.question);
        let world = tree.world.as_ref().map(|name| self.world_named(name));
        let variants = self.variants(&tree.variants);
        let mut settings = Vec::new();
        for clause in &tree.ranges {
            self.setting(clause, &mut settings);
        }
        self.not_set(&question, &settings);
        self.has_graphs(&settings, world.flatten());
        for clause in &tree.ranges {
            if let ForClause::Topology(topology) = clause {
                self.has_network(topology, world.flatten());
            }
        }
        let assuming = tree
            .assuming
            .as_ref()
            .map(|e| self.start_condition(e, "`assuming`"));
        let expect = self.answers(tree, question.as_ref());
        Some(Check {
            question: question?,
            world: world.map_or(Some(None), |w| w.map(Some))?,
            variants,
            settings,
            assuming,
            unfair: tree.unfair.is_some(),
            expect,
            span: tree.span,
        })
    }

    fn question(&mut self, tree: &ast::Question) -> Option<Question> {
        match tree {
            ast::Question::Claims(claims) => {
                let uses: Vec<Option<ClaimUse>> =
                    claims.iter().map(|c| self.claim_use(c, None)).collect();
                Some(Question::Claims(uses.into_iter().collect::<Option<_>>()?))
            }
            ast::Question::Possible(condition) => Some(Question::Possible(
                self.state_condition(condition, "`possible:`"),
            )),
            ast::Question::Least {
                greatest,
                name,
                claims,
            } => self.extreme(*greatest, name, claims),
        }
    }

    /// Reports `every graph` in a check whose topology is not `graphs`.
    fn has_graphs(&mut self, settings: &[Setting], world: Option<WorldId>) {
        let clause = settings.iter().find(|s| s.kind == SettingKind::EveryGraph);
        let own = world.and_then(|w| self.model.world(w).network.as_ref());
        let network = own.or(self.model.network.as_ref());
        let mut given = settings.iter().filter_map(|s| match &s.kind {
            SettingKind::Topology(topology) => Some(topology.shape),
            _ => None,
        });
        let shape = given.next().or(network.map(|n| n.topology.shape));
        let missing = match shape {
            Some(shape) => shape != TopologyShape::Graphs || given.next().is_some(),
            None => !self.network_refused,
        };
        if let Some(clause) = clause.filter(|_| missing) {
            let span = clause.span;
            let mut diagnostic = Diagnostic::error(
                codes::UNKNOWN_PARAM,
                span,
                "`every graph` goes through the networks of `network graphs`, and this check has none",
            );
            if let Some(network) = network {
                diagnostic = diagnostic.other(network.topology.span, "its network");
            }
            self.report(diagnostic);
        }
    }

    /// A claim with its arguments, which may contain `searched`: the name and the local of what `least` or `greatest`
    /// seeks.
    pub(crate) fn claim_use(
        &mut self,
        e: &ast::Expr,
        searched: Option<(&Name, LocalId)>,
    ) -> Option<ClaimUse> {
        let (name, arguments): (&Name, &[ast::Expr]) = match &e.kind {
            ast::ExprKind::Name(name) => (name, &[]),
            ast::ExprKind::Call(name, arguments) => (name, arguments),
            ast::ExprKind::Paren(inner) => return self.claim_use(inner, searched),
            ast::ExprKind::Error => return None,
            _ => {
                self.report(
                    Diagnostic::error(
                        codes::UNKNOWN_CLAIM,
                        e.span,
                        "a check names claims, and this is no name",
                    )
                    .note("write `claim c: …` and `check c`, or `check possible: …` for a state to reach"),
                );
                return None;
            }
        };
        let claim = self.claim_named(name)?;
        let parameters = self.model.claim(claim).parameters.clone();
        if parameters.len() != arguments.len() {
            let wanted: Vec<String> = parameters
                .iter()
                .map(|(local, _)| self.model.local(*local).name.clone())
                .collect();
            let text = match parameters.len() {
                0 => format!("the claim `{}` has no parameters", name.text),
                _ => format!(
                    "the claim `{}` needs values: `{}({})`",
                    name.text,
                    name.text,
                    wanted.join(", ")
                ),
            };
            let diagnostic = Diagnostic::error(codes::CLAIM_ARGUMENTS, e.span, text);
            self.report(match parameters.is_empty() {
                true => diagnostic.note(self.without_parameters(name, arguments)),
                false => diagnostic,
            });
            return None;
        }
        let mut values = Vec::new();
        for (argument, (local, domain)) in arguments.iter().zip(&parameters) {
            let holder = format!("`{}` is", self.model.local(*local).name);
            let mut scope = Scope::new(Place::Constant);
            if let Some((name, local)) = searched {
                scope.bind(&name.text, local);
            }
            let value = self.check(argument, &mut scope, &domain.ty(), &holder);
            let value = self.require_constant(value);
            self.certain_range(&value, domain, &holder);
            self.certain_time(&value, &holder);
            values.push(value);
        }
        Some(ClaimUse {
            claim,
            arguments: values,
            span: e.span,
        })
    }

    /// A note for a claim without parameters that is given arguments.
    fn without_parameters(&self, name: &Name, arguments: &[ast::Expr]) -> String {
        let mut new = false;
        let mut declared = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            declared.push(match &argument.kind {
                ast::ExprKind::Name(argument) if !self.globals.contains_key(&argument.text) => {
                    new = true;
                    format!("{}: 0..9", argument.text)
                }
                _ if i == 0 => "x: 0..9".to_string(),
                _ => format!("x{}: 0..9", i + 1),
            });
        }
        let (name, declared) = (&name.text, declared.join(", "));
        let declare = format!("declare what it is given: `claim {name}({declared}): …`");
        match new {
            true => declare,
            false => format!("write `{name}` alone, or {declare}"),
        }
    }

    /// Reports a constant time that is negative.
    fn certain_time(&mut self, value: &Expr, holder: &str) {
        if let Ok(Constant::Duration(time)) = evaluate(value, &Environment::new(&self.model, &[]))
            && time.is_negative()
        {
            let text = format!(
                "{holder} {}, which is less than no time",
                self.model.time(&time)
            );
            self.error(codes::BAD_TIMING, value.span, text);
        }
    }

    fn variants(&mut self, names: &[Name]) -> Vec<VariantId> {
        let mut chosen: Vec<VariantId> = Vec::new();
        for name in names {
            let Some(id) = self.variant_named(name) else {
                continue;
            };
            let kind = self.model.variant(id).of;
            let other = chosen.iter().find(|v| self.model.variant(**v).of == kind);
            if let Some(other) = other {
                let text = format!(
                    "`{}` and `{}` are both variants of `{}`: a node is one of them",
                    self.model.variant(*other).name,
                    name.text,
                    self.model.kind(kind).name
                );
                self.error(codes::TWO_VARIANTS, name.span, text);
                continue;
            }
            chosen.push(id);
        }
        chosen
    }
}
