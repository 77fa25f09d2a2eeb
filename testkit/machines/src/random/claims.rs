//! Random restrictions of initial states and random properties.

use super::Generator;
use super::exprs::{Context, not, quantified};
use machine::{
    BinaryOp, Expr, Fault, Formula, Init, Instance, KindId, LocalId, Mode, Predicate, Property,
    PropertyKind, Quantifier, RecordId, Type, UnaryOp,
};

fn boxed(formula: Formula) -> Box<Formula> {
    Box::new(formula)
}

impl Generator {
    /// Generates restrictions of initial states, and properties.
    pub(super) fn claims(&mut self) {
        let free = self.machine.vars.iter();
        let free = { free }.any(|v| !matches!(v.init, Init::Value(..)));
        if self.rng.percent(if free { 40 } else { 3 }) {
            let mut cx = self.claim_context();
            let condition = self.about_nodes(&mut cx, Quantifier::Exists);
            self.machine.initially.push(Predicate {
                scope: cx.scope,
                condition,
            });
            if !self.begins() && self.rng.percent(80) {
                self.machine.initially.clear();
            }
        }
        let count = self.rng.between(3, i64::from(self.size.properties.max(3)));
        for i in 1..=count {
            let mut cx = self.claim_context();
            let (name, kind) = match self.rng.below(13) {
                _ if (self.features.intermittent || self.features.retransmits) && i <= 2 => {
                    ("progress", PropertyKind::Claim(self.progress(&mut cx)))
                }
                _ if self.features.faulty && i == 3 && self.rng.percent(60) => {
                    let (local, domain) = self.bind_node(&mut cx);
                    let wrong = self.wrong_with(Box::new(Expr::Local(local)));
                    let body = wrong.binary(BinaryOp::Implies, self.condition(&mut cx, 1));
                    let holds = quantified(Quantifier::All, local, domain, body);
                    let always = Formula::Always(boxed(Formula::State(holds)));
                    ("faulty", PropertyKind::Claim(always))
                }
                0 | 1 => {
                    let holds = self.about_nodes(&mut cx, Quantifier::All);
                    let always = Formula::Always(boxed(Formula::State(holds)));
                    ("invariant", PropertyKind::Claim(always))
                }
                2 => {
                    let condition = self.about_nodes(&mut cx, Quantifier::Exists);
                    ("reach", PropertyKind::Possible(condition))
                }
                3..=6 => {
                    let condition = self.rare(&mut cx);
                    let always = Formula::Always(boxed(Formula::State(condition)));
                    ("rare", PropertyKind::Claim(always))
                }
                7 | 8 => ("progress", PropertyKind::Claim(self.progress(&mut cx))),
                _ => {
                    let formula = self.formula(&mut cx, 2);
                    ("claim", PropertyKind::Claim(formula))
                }
            };
            self.machine.properties.push(Property {
                name: format!("{name} {i}"),
                scope: cx.scope,
                kind,
            });
        }
    }

    /// Whether the first choice of frozen values has an initial state.
    fn begins(&self) -> bool {
        let machine = &self.machine;
        machine.frozen_choices().next().is_some_and(|frozen| {
            let frozen = &frozen;
            let states = Instance { machine, frozen }.initial_states();
            states.is_ok_and(|states| !states.is_empty())
        })
    }

    fn claim_context(&self) -> Context {
        Context {
            claim: true,
            ..Context::default()
        }
    }

    /// Binds a local name that ranges over the nodes of a random kind; returns the name and its domain.
    fn bind_node(&mut self, cx: &mut Context) -> (LocalId, Expr) {
        let kind = KindId(self.rng.below(self.machine.kinds.len()) as u32);
        let local = cx.local("n", Type::Node);
        cx.node(&self.machine, local, kind);
        (local, Expr::Nodes(Some(kind)))
    }

    /// A condition on all nodes of a kind or on some node; mostly with the quantifier `usual`.
    fn about_nodes(&mut self, cx: &mut Context, usual: Quantifier) -> Expr {
        let before = cx.readers.len();
        let (local, domain) = self.bind_node(cx);
        let body = self.about(cx, local);
        cx.readers.truncate(before);
        let other = [Quantifier::All, Quantifier::Exists];
        let quantifier = if self.rng.percent(75) {
            usual
        } else {
            *self.rng.pick(&other)
        };
        quantified(quantifier, local, domain, body)
    }

    /// A condition on a node: on its mode, its variables, or the messages in transit from it to the next node.
    fn about(&mut self, cx: &mut Context, node: LocalId) -> Expr {
        let this = || Box::new(Expr::Local(node));
        let draw = if self.features.faulty { 5 } else { 8 };
        match self.rng.below(draw) {
            0 | 1 => {
                let modes = [Mode::Halted, Mode::Running, Mode::Waiting];
                let mode = match self.features.faulty && self.rng.percent(70) {
                    true => self.wrong_with(this()),
                    false => Expr::InMode(*self.rng.pick(&modes), this()),
                };
                if self.rng.percent(50) {
                    return mode;
                }
                mode.binary(BinaryOp::Implies, self.condition(cx, 1))
            }
            2 => {
                let next = Expr::Map(machine::MapId(0), this());
                let count = Expr::InFlight(RecordId(0), this(), Box::new(next));
                count.binary(BinaryOp::Le, Expr::int(self.rng.between(0, 2)))
            }
            _ => self.condition(cx, self.size.depth),
        }
    }

    /// The condition that a node has a certain fault from the start.
    fn wrong_with(&mut self, node: Box<Expr>) -> Expr {
        let faults = self.machine.node_faults.iter().flat_map(|f| &f.faults);
        let faults: Vec<Fault> = faults.copied().collect();
        match *self.rng.pick(&faults) {
            Fault::Off if self.rng.percent(75) => Expr::InMode(Mode::Off, node),
            fault => Expr::HasFault(fault, node),
        }
    }

    /// A random temporal formula.
    fn formula(&mut self, cx: &mut Context, depth: u32) -> Formula {
        if depth == 0 {
            return Formula::State(match self.rng.below(12) {
                0 => Expr::Quiescent,
                _ if cx.readers.is_empty() => self.about_nodes(cx, Quantifier::Exists),
                _ => self.condition(cx, 1),
            });
        }
        let below = depth - 1;
        let formula = match self.rng.below(12) {
            0 | 1 => Formula::Always(boxed(self.formula(cx, below))),
            2 | 3 => Formula::Eventually(boxed(self.formula(cx, below))),
            4 => {
                let first = boxed(self.formula(cx, below));
                Formula::Until(first, boxed(self.formula(cx, below)))
            }
            5 => {
                let first = boxed(self.formula(cx, below));
                Formula::LeadsTo(first, boxed(self.formula(cx, below)))
            }
            6 => Formula::Not(boxed(self.formula(cx, below))),
            7 => {
                let first = boxed(self.formula(cx, below));
                Formula::And(first, boxed(self.formula(cx, below)))
            }
            8 => {
                let first = boxed(self.formula(cx, below));
                Formula::Or(first, boxed(self.formula(cx, below)))
            }
            9 => {
                let first = boxed(self.formula(cx, below));
                Formula::Implies(first, boxed(self.formula(cx, below)))
            }
            _ => {
                let before = cx.readers.len();
                let (local, domain) = self.bind_node(cx);
                let body = boxed(self.formula(cx, depth));
                cx.readers.truncate(before);
                if self.rng.percent(60) {
                    Formula::All(local, domain, body)
                } else {
                    Formula::Exists(local, domain, body)
                }
            }
        };
        if self.rng.percent(15) {
            return Formula::At(self.origin(), boxed(formula));
        }
        formula
    }

    /// A liveness formula about all nodes of a kind, or about some node: a condition holds eventually, infinitely
    /// often, from some point on, or after another condition.
    fn progress(&mut self, cx: &mut Context) -> Formula {
        let (local, domain) = self.bind_node(cx);
        let first = boxed(Formula::State(self.condition(cx, 0)));
        let then = boxed(Formula::State(
            match self
                .rng
                .below(if self.features.intermittent || self.features.retransmits {
                    2
                } else {
                    4
                }) {
                0 => Expr::InMode(Mode::Halted, Box::new(Expr::Local(local))),
                1 => self.spent(local, &domain),
                _ => self.condition(cx, 0),
            },
        ));
        let body = boxed(match self.rng.below(5) {
            0 => Formula::Eventually(then),
            1 => Formula::Always(boxed(Formula::Eventually(then))),
            2 => Formula::Eventually(boxed(Formula::Always(then))),
            _ => Formula::LeadsTo(first, then),
        });
        if self.rng.percent(75) {
            Formula::All(local, domain, body)
        } else {
            Formula::Exists(local, domain, body)
        }
    }

    /// The condition that a node has no fuel left.
    fn spent(&self, node: LocalId, nodes: &Expr) -> Expr {
        let kind = match nodes {
            Expr::Nodes(Some(kind)) => *kind,
            _ => KindId(0),
        };
        let fuel = Expr::Var(self.fuel[kind.index()], Box::new(Expr::Local(node)));
        fuel.binary(BinaryOp::Eq, Expr::int(0))
    }

    /// A condition with an operator that the other generators rarely produce.
    fn rare(&mut self, cx: &mut Context) -> Expr {
        let kind = KindId(self.rng.below(self.machine.kinds.len()) as u32);
        let fuel = self.fuel[kind.index()];
        let nodes = || Expr::Nodes(Some(kind));
        let k = cx.scope.add("k", Type::Node);
        let fuel_of_k = Expr::Var(fuel, Box::new(Expr::Local(k)));
        let singleton = Expr::Set(Type::Node, vec![Expr::Local(k)]);
        let around = Expr::Neighbours(Box::new(Expr::Local(k)));
        let bound = Expr::int(self.rng.between(0, 3));
        match self.rng.below(11) {
            0 => quantified(Quantifier::Sum, k, nodes(), fuel_of_k).binary(BinaryOp::Ge, bound),
            1 => quantified(Quantifier::Max, k, nodes(), fuel_of_k).binary(BinaryOp::Le, bound),
            2 => quantified(Quantifier::Min, k, nodes(), fuel_of_k).binary(BinaryOp::Lt, bound),
            3 => {
                let halted = Expr::InMode(Mode::Halted, Box::new(Expr::Local(k)));
                quantified(Quantifier::Count, k, nodes(), halted).binary(BinaryOp::Lt, bound)
            }
            4 => {
                let union = quantified(Quantifier::Union, k, nodes(), singleton);
                Expr::Unary(UnaryOp::Size, Box::new(union)).binary(BinaryOp::Gt, bound)
            }
            5 | 9 => {
                let common = quantified(Quantifier::Intersect, k, nodes(), around);
                common.binary(BinaryOp::Subset, Expr::Nodes(None))
            }
            6 => {
                let first = self.machine.nodes_of(kind).next();
                let first = first.expect("kinds have nodes");
                let same = Expr::Local(k).binary(BinaryOp::Eq, Expr::node(first));
                let the = quantified(Quantifier::The, k, nodes(), same);
                not(Expr::InMode(Mode::Halted, Box::new(the)))
            }
            7 => {
                let least = Expr::Extremum(
                    self.rng.percent(50),
                    k,
                    Box::new(nodes()),
                    Box::new(fuel_of_k),
                );
                Expr::InMode(Mode::Running, Box::new(least))
            }
            8 => {
                let total = quantified(Quantifier::Sum, k, nodes(), fuel_of_k);
                let ops = [BinaryOp::FloorDiv, BinaryOp::CeilDiv];
                let half = total.binary(*self.rng.pick(&ops), Expr::int(2));
                half.binary(BinaryOp::Le, bound)
            }
            _ => Expr::Quiescent.binary(
                BinaryOp::Implies,
                quantified(
                    Quantifier::All,
                    k,
                    nodes(),
                    fuel_of_k.binary(BinaryOp::Eq, Expr::int(0)),
                ),
            ),
        }
    }
}
