//! Checks: the question and its instances.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::{suggest, suggest_or_list};
use crate::{
    Check, ClaimUse, Constant, Domain, Environment, Expr, FieldId, FieldRole, KindId, LocalId,
    ParamId, Question, Setting, SettingKind, TopologyShape, Type, VariantId, WorldId, evaluate,
};
use source::{Diagnostic, codes};
use syntax::ast::{self, ForClause, Item, Name};

impl Resolver<'_> {
    /// Every check of the file.
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

    /// Reports `every graph` for a network that is not `graphs`.
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

    /// A claim with its arguments, which may mention `searched`, the name of the searched parameter.
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

    /// Advice for a claim that has arguments and no parameters.
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

    /// Reports a time that is certainly negative.
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

    fn setting(&mut self, clause: &ForClause, settings: &mut Vec<Setting>) {
        let (kind, span) = match clause {
            ForClause::Every(name, span) if name.text == "graph" => {
                (SettingKind::EveryGraph, *span)
            }
            ForClause::Every(name, span) => {
                let Some(param) = self.param_named(name) else {
                    return;
                };
                if self.model.param(param).domain.ty() != Type::Int {
                    let text = format!(
                        "`every` goes through numbers; `{}` is {}",
                        name.text,
                        self.model.words(&self.model.param(param).domain.ty())
                    );
                    self.error(codes::NOT_A_NUMBER, name.span, text);
                    return;
                }
                (SettingKind::Every(param), *span)
            }
            ForClause::Topology(tree) => {
                let Some(mut topology) = self.topology(tree) else {
                    return;
                };
                self.topology_condition(tree, &mut topology);
                (SettingKind::Topology(topology), tree.span)
            }
            ForClause::Is(name, value) if self.several_values(name, value) => return,
            ForClause::Is(name, value) if name.text == "strangers" => {
                self.require_ids(name);
                let value = self.constant_number(value);
                (SettingKind::Strangers(value), name.span)
            }
            ForClause::In(name, set) if name.text == "strangers" => {
                self.require_ids(name);
                let holder = "what `strangers` goes through is";
                let ty = Type::Set(Box::new(Type::Int));
                let set = self.constant_value(set, &ty, holder);
                (SettingKind::StrangersIn(set), name.span)
            }
            ForClause::Is(name, value) => {
                let Some(param) = self.param_named(name) else {
                    return;
                };
                let (ty, holder) = (
                    self.model.param(param).domain.ty(),
                    format!("`{}` is", name.text),
                );
                let value = self.constant_value(value, &ty, &holder);
                let domain = self.model.param(param).domain.clone();
                self.certain_range(&value, &domain, &holder);
                (SettingKind::Param(param, value), name.span)
            }
            ForClause::In(name, set) => {
                let Some(param) = self.param_named(name) else {
                    return;
                };
                let ty = Type::Set(Box::new(self.model.param(param).domain.ty()));
                let holder = format!("what `{}` goes through is", name.text);
                let set = self.constant_value(set, &ty, &holder);
                (SettingKind::ParamIn(param, set), name.span)
            }
            ForClause::List(name, values, span) if name.text == "ids" => {
                let values: Vec<Expr> = values.iter().map(|v| self.constant_number(v)).collect();
                self.distinct_ids(&values);
                self.require_ids(name);
                (SettingKind::Ids(values), *span)
            }
            ForClause::List(name, values, span) => {
                let Some((owners, domain)) = self.constants_named(name) else {
                    return;
                };
                let holder = format!("`{}` is", name.text);
                let values = values
                    .iter()
                    .map(|v| {
                        let value = self.constant_value(v, &domain.ty(), &holder);
                        self.certain_range(&value, &domain, &holder);
                        value
                    })
                    .collect();
                (SettingKind::Constants(owners, values), *span)
            }
        };
        let twice = settings.iter().find(|s| sets_the_same(&s.kind, &kind));
        if let Some(first) = twice {
            let first = first.span;
            self.report(
                Diagnostic::error(codes::SET_TWICE, span, "this is set twice in one check")
                    .other(first, "first here"),
            );
            return;
        }
        settings.push(Setting { kind, span });
    }

    /// Reports `=` with several values: `in` is meant.
    fn several_values(&mut self, name: &Name, value: &ast::Expr) -> bool {
        let param = self.model.params.iter().find(|p| p.name == name.text);
        let ty = match param {
            _ if name.text == "strangers" => Type::Int,
            Some(param) => param.domain.ty(),
            None => return false,
        };
        let several = match &value.kind {
            ast::ExprKind::Range(..) => ty == Type::Int,
            ast::ExprKind::Set(_) => !matches!(ty, Type::Set(_) | Type::Error),
            _ => false,
        };
        if several {
            let values = self.text(value.span);
            let meant = format!("{} in {values}", name.text);
            let text = format!(
                "`{} = …` gives one value; `{values}` are several",
                name.text
            );
            let whole = name.span.to(value.span);
            self.report(
                Diagnostic::error(codes::TYPE_MISMATCH, whole, text)
                    .at(format!("write `{meant}`"))
                    .fix(whole, meant),
            );
        }
        several
    }

    /// Reports `ids` or `strangers` in a model whose nodes have no ids.
    fn require_ids(&mut self, name: &Name) {
        let mut fields = self.model.kinds.iter().flat_map(|k| &k.fields);
        if !fields.any(|f| f.role == FieldRole::Constant && f.ty == Type::Id) {
            let text = match name.text.as_str() {
                "ids" => "no node has an id that could be given",
                _ => "strangers have ids, and here no node has one to compare them with",
            };
            self.report(
                Diagnostic::error(codes::UNKNOWN_PARAM, name.span, text)
                    .note("declare the constant `id: Id` in the node"),
            );
        }
    }

    pub(crate) fn constant_value(&mut self, e: &ast::Expr, ty: &Type, holder: &str) -> Expr {
        let mut scope = Scope::new(Place::Constant);
        let value = self.check(e, &mut scope, ty, holder);
        self.require_constant(value)
    }

    fn param_named(&mut self, name: &Name) -> Option<ParamId> {
        let found = self.model.params.iter().position(|p| p.name == name.text);
        if let Some(index) = found {
            return Some(ParamId(index as u32));
        }
        if matches!(self.globals.get(&name.text), Some(Global::Refused)) {
            return None;
        }
        let constant = self.constants_of(&name.text);
        let text = match constant.first() {
            Some((kind, _)) => format!(
                "`{}` is a constant of every node of `{}`: give one value per node, `{} = [ … ]`",
                name.text,
                self.model.kind(*kind).name,
                name.text
            ),
            None => format!("there is no parameter `{}`", name.text),
        };
        let diagnostic = Diagnostic::error(codes::UNKNOWN_PARAM, name.span, text);
        let known: Vec<String> = self.model.params.iter().map(|p| p.name.clone()).collect();
        self.report(match constant.is_empty() {
            true => suggest_or_list(diagnostic, "parameter", name, &known),
            false => diagnostic,
        });
        None
    }

    fn constants_of(&self, name: &str) -> Vec<(KindId, FieldId)> {
        (0..self.model.kinds.len() as u32)
            .map(KindId)
            .filter_map(|kind| {
                let field = self.model.field_named(kind, name)?;
                let role = self.model.kind(kind).fields[field.index()].role;
                (role == FieldRole::Constant).then_some((kind, field))
            })
            .collect()
    }

    /// The kinds that have this constant, and its domain.
    fn constants_named(&mut self, name: &Name) -> Option<(Vec<(KindId, FieldId)>, Domain)> {
        let owners = self.constants_of(&name.text);
        let Some((kind, field)) = owners.first().copied() else {
            let mut diagnostic = Diagnostic::error(
                codes::UNKNOWN_PARAM,
                name.span,
                format!("no node has a constant `{}`", name.text),
            );
            if self.model.params.iter().any(|p| p.name == name.text) {
                diagnostic = diagnostic.note(format!(
                    "`{0}` is a parameter: write `{0} = v` or `{0} in {{ … }}`",
                    name.text
                ));
            }
            let known: Vec<String> = self
                .model
                .kinds
                .iter()
                .flat_map(|k| &k.fields)
                .filter(|f| f.role == FieldRole::Constant)
                .map(|f| f.name.clone())
                .chain(["ids".to_string()])
                .collect();
            self.report(suggest(diagnostic, name, known.iter().map(String::as_str)));
            return None;
        };
        // The constant may exist in a variant only.
        let variants = self.model.variants.iter().filter(|v| v.of == kind);
        let domain = std::iter::once(&self.model.kind(kind).body)
            .chain(variants.map(|v| &v.body))
            .flat_map(|body| &body.constants)
            .find(|c| c.field == field)
            .map_or(Domain::Error, |c| c.domain.clone());
        if domain == Domain::Id {
            self.report(
                Diagnostic::error(
                    codes::UNKNOWN_PARAM,
                    name.span,
                    format!(
                        "`{}` is the id of the nodes: of ids only the order is given",
                        name.text
                    ),
                )
                .at("write `ids = [ … ]`")
                .fix(name.span, "ids"),
            );
            return None;
        }
        Some((owners, domain))
    }

    fn distinct_ids(&mut self, values: &[Expr]) {
        for (index, value) in values.iter().enumerate() {
            let Some(number) = self.literal(value) else {
                continue;
            };
            let first = values[..index]
                .iter()
                .find(|v| self.literal(v) == Some(number));
            if let Some(first) = first {
                let first = first.span;
                self.report(
                    Diagnostic::error(
                        codes::EQUAL_IDS,
                        value.span,
                        format!("two nodes have the id {number}: ids are all different"),
                    )
                    .other(first, "the other one")
                    .note("give the nodes different ids; for numbers that may be equal, use a range such as `1..9` instead of `Id`, for the constant and wherever its value is sent or kept, and set `id = [ … ]`"),
                );
            }
        }
    }
}

pub(crate) fn sets_the_same(a: &SettingKind, b: &SettingKind) -> bool {
    use SettingKind::{Constants, Every, EveryGraph, Ids, Param, ParamIn, Strangers, StrangersIn};
    match (a, b) {
        (Param(a, _) | ParamIn(a, _) | Every(a), Param(b, _) | ParamIn(b, _) | Every(b)) => a == b,
        (Ids(_), Ids(_)) | (EveryGraph, EveryGraph) => true,
        (Strangers(_) | StrangersIn(_), Strangers(_) | StrangersIn(_)) => true,
        (Constants(a, _), Constants(b, _)) => a == b,
        _ => false,
    }
}
