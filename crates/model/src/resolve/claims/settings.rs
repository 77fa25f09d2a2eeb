//! Settings: the clauses of a check after `for`.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::{suggest, suggest_or_list};
use crate::{Domain, Expr, FieldId, FieldRole, KindId, ParamId, Setting, SettingKind, Type};
use source::{Diagnostic, codes};
use syntax::ast::{self, ForClause, Name};

impl Resolver<'_> {
    pub(crate) fn setting(&mut self, clause: &ForClause, settings: &mut Vec<Setting>) {
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

    /// Reports `x = S` with a range or set of values, for which `x in S` is meant; returns whether it was reported.
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

    /// Reports `ids` or `strangers` in a model in which no node has an id.
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

    /// The kinds that have this constant, and its domain. `None` after a reported error.
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
        // The constant may be declared in a variant only.
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
