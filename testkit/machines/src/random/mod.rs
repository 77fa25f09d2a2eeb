//! Random Machines for tests: small and well formed; together they cover every construct.
//!
//! A seed determines the Machine. On unbounded channels, sends consume a variable called `fuel`, so that most state
//! spaces are finite; a few Machines have the feature `unlimited_sends`. Machines with the feature `retransmits` have a
//! lossy channel of capacity one and unlimited sends. In some Machines code may end in an error (`failing_code`); in
//! some the evaluation of properties may be an error (`failing_claims`). Machines with declared times have an
//! abstraction by order rules, so that the naive explorer can explore every Machine.

mod claims;
mod code;
mod counting;
mod environment;
mod exprs;
mod sends;
mod timed;

pub use counting::random_counting_machine;
pub use timed::random_timed_machine;

use machine::random::Rng;
use machine::{
    Enum, EnumId, Expr, FrozenVar, Init, Kind, KindId, Machine, Map, NodeId, Order, Origin, Record,
    RecordId, Scope, Type, Value, Var, VarId,
};

/// Limits on the size of random Machines.
#[derive(Clone, Debug)]
pub struct Size {
    /// The maximum number of nodes; at least 2.
    pub nodes: u32,
    /// The maximum number of combinations of values of the variables of a node.
    pub values: u128,
    /// The maximum depth of expressions.
    pub depth: u32,
    /// The maximum number of properties; at least 3.
    pub properties: u32,
}

impl Default for Size {
    fn default() -> Size {
        Size {
            nodes: 3,
            values: 18,
            depth: 2,
            properties: 5,
        }
    }
}

/// The random Machine for a seed.
pub fn random_machine(seed: u64, size: &Size) -> Machine {
    let mut generator = Generator {
        rng: Rng(seed),
        size: size.clone(),
        machine: Machine::default(),
        fuel: Vec::new(),
        origins: 0,
        entering: Vec::new(),
        features: Features::default(),
    };
    generator.skeleton();
    generator.environment();
    generator.data();
    generator.code();
    generator.abstraction();
    generator.claims();
    generator.machine
}

/// A Machine that is being generated.
struct Generator {
    rng: Rng,
    size: Size,
    machine: Machine,
    /// By kind: the variable that sends consume.
    fuel: Vec<VarId>,
    origins: u32,
    /// The message types that enter the inboxes of the current kind.
    entering: Vec<RecordId>,
    features: Features,
}

/// The features of a random Machine, drawn before its code is generated.
#[derive(Default)]
struct Features {
    /// Whether code may end in an error.
    failing_code: bool,
    /// Whether the evaluation of a property may be an error.
    failing_claims: bool,
    /// Whether sends on unbounded channels may consume no fuel.
    unlimited_sends: bool,
    /// Whether channels are short and lossy, and sends consume no fuel.
    retransmits: bool,
    /// Whether some blocks are enabled infinitely often but not continuously.
    intermittent: bool,
    /// Whether code reads variables of other nodes.
    reads_others: bool,
    /// Whether some messages enter inboxes.
    uses_inboxes: bool,
    /// Whether inboxes may initially contain messages.
    initial_messages: bool,
    /// Whether nodes may have faults from the start.
    faulty: bool,
    /// When nodes are activated.
    timings: environment::Timings,
}

impl Generator {
    fn origin(&mut self) -> Origin {
        self.origins += 1;
        Origin(self.origins)
    }

    /// Generates nodes and edges.
    fn skeleton(&mut self) {
        let rng = &mut self.rng;
        self.features.failing_code = rng.percent(30);
        self.features.failing_claims = rng.percent(20);
        self.features.unlimited_sends = rng.percent(6);
        self.features.retransmits = rng.percent(18);
        self.features.intermittent = rng.percent(15);
        self.features.reads_others = rng.percent(10);
        self.features.uses_inboxes = rng.percent(40) && !self.features.retransmits;
        self.features.faulty = rng.percent(if self.features.retransmits { 10 } else { 36 });
        self.features.timings = match rng.below(100) {
            _ if self.features.retransmits => environment::Timings::Any,
            0..12 => environment::Timings::Rounds,
            12..28 => environment::Timings::Times,
            _ => environment::Timings::Any,
        };
        let mut most = i64::from(self.size.nodes.max(2));
        if (self.features.faulty || self.features.timings == environment::Timings::Times)
            && rng.percent(70)
        {
            most = 2; // more nodes would give too many instances or states
        }
        let n = rng.between(2, most) as u32;
        let first = if rng.percent(35) {
            rng.between(1, i64::from(n) - 1) as u32
        } else {
            n
        };
        for (name, count) in [("Left", first), ("Right", n - first)] {
            if count > 0 {
                self.machine.kinds.push(Kind {
                    name: name.into(),
                    count,
                    ignores: vec![],
                });
            }
        }
        let turn = |by: u32| (0..n).map(|i| NodeId((i + by) % n)).collect::<Vec<_>>();
        for (name, by) in [("next", 1), ("previous", n - 1)] {
            self.machine.maps.push(Map {
                name: name.into(),
                to: turn(by),
            });
        }
        let both_ways = rng.percent(30);
        let ring = rng.percent(65);
        let itself = rng.percent(if self.features.uses_inboxes { 50 } else { 15 });
        for a in 0..n {
            for b in 0..n {
                let there = match ring {
                    _ if a == b => itself && rng.percent(60),
                    true => b == (a + 1) % n || (both_ways && a == (b + 1) % n),
                    false => rng.percent(50),
                };
                if there {
                    self.machine.edges.push((NodeId(a), NodeId(b)));
                }
            }
        }
    }

    /// Generates types, frozen variables and variables.
    fn data(&mut self) {
        let n = self.machine.node_count();
        let many = self.features.initial_messages || self.features.faulty;
        if self.rng.percent(if many { 30 } else { 70 }) {
            self.machine.ids = n + u32::from(self.rng.percent(20));
        }
        let names = ["red", "green", "blue"];
        let values = self.rng.between(2, 3) as usize;
        self.machine.enums.push(Enum {
            name: "Colour".into(),
            values: names[..values].iter().map(|v| v.to_string()).collect(),
        });
        self.records();
        self.message_faults();
        for k in 0..self.machine.kinds.len() {
            self.frozen_choices(KindId(k as u32));
            self.vars(KindId(k as u32));
        }
    }

    fn records(&mut self) {
        let message = |name: &str, fields: Vec<(String, Type)>| Record {
            name: name.into(),
            fields,
            message: true,
        };
        let field = match self.rng.below(5) {
            0 => Type::Int(0, 1),
            1 => Type::Node,
            2 => Type::Enum(EnumId(0)),
            3 if self.machine.ids > 0 => Type::Id,
            3 => Type::Bool.option(),
            _ => Type::Bool,
        };
        let field = match self.features.uses_inboxes {
            _ if self.features.initial_messages => Type::Bool,
            true if self.rng.percent(30) => Type::Int(0, 1).set(),
            _ => field,
        };
        let mut fields = vec![("body".to_string(), field)];
        if self.rng.percent(20) && !self.features.initial_messages {
            fields.push(("flag".into(), Type::Bool));
        }
        self.machine.records.push(message("Data", fields));
        if self.rng.percent(60) {
            self.machine.records.push(message("Ping", vec![]));
        }
        if self.rng.percent(25) {
            let right = match self.rng.below(4) {
                0 => Type::Array(Box::new(Type::Bool), Box::new(Type::Int(0, 1))),
                1 => Type::Int(0, 1).option(),
                _ => Type::Int(0, 1),
            };
            self.machine.records.push(Record {
                name: "Pair".into(),
                fields: vec![("left".into(), Type::Bool), ("right".into(), right)],
                message: false,
            });
        }
    }

    fn frozen_choices(&mut self, kind: KindId) {
        let add = |this: &mut Generator, name: &str, ty: Type, order: Order| {
            let origin = this.origin();
            this.machine.frozen_vars.push(FrozenVar {
                name: name.into(),
                kind,
                ty,
                order,
                origin,
            });
        };
        if self.machine.ids > 0 {
            add(self, "id", Type::Id, Order::Arrangement);
        }
        if self.rng.percent(15) {
            add(self, "mark", Type::Bool, Order::Every);
        }
        if self.rng.percent(20) {
            let count = self.machine.kinds[kind.index()].count;
            let given = (0..count).map(|_| Value::Int(self.rng.between(0, 2)));
            let given = Order::Given(given.collect());
            add(self, "weight", Type::Int(0, 2), given);
        }
    }

    fn vars(&mut self, kind: KindId) {
        let mut values = 1;
        for name in ["x", "y", "z"] {
            let ty = self.var_type();
            let more = values * self.machine.cardinality(&ty);
            if more > self.size.values {
                continue;
            }
            values = more;
            let init = self.init(kind, &ty, values);
            let origin = self.origin();
            self.machine.vars.push(Var {
                name: name.into(),
                kind,
                ty,
                init,
                ghost: false,
                persistent: false,
                origin,
            });
            if self.rng.percent(35) {
                break;
            }
        }
        let counter = |this: &mut Generator, name: &str, most: i64, start: i64, ghost| {
            let origin = this.origin();
            this.machine.vars.push(Var {
                name: name.into(),
                kind,
                ty: Type::Int(0, most),
                init: Init::Value(Scope::of_node(), Expr::int(start)),
                ghost,
                persistent: false,
                origin,
            });
            VarId(this.machine.vars.len() as u32 - 1)
        };
        let most = self.rng.between(1, 2);
        let fuel = counter(self, "fuel", most, most, false);
        self.fuel.push(fuel);
        if self.rng.percent(12) {
            counter(self, "seen", 2, 0, true);
        }
    }

    fn var_type(&mut self) -> Type {
        let has_struct = self.machine.records.iter().position(|r| !r.message);
        match self.rng.below(14) {
            0 | 1 => Type::Bool,
            2 => Type::Int(0, 2),
            3 => Type::Int(-1, 1),
            4 => Type::Enum(EnumId(0)),
            5 => Type::Node,
            6 | 7 if self.machine.ids > 0 => Type::Id.option(),
            6 => Type::Int(0, 1).option(),
            8 | 12 if self.machine.ids > 0 => Type::Id,
            9 => Type::Node.set(),
            10 => Type::Int(0, 1).set(),
            11 => {
                let index = [
                    Type::Bool,
                    Type::Node,
                    Type::Enum(EnumId(0)),
                    Type::Int(1, 2),
                ];
                let index = self.rng.pick(&index).clone();
                Type::Array(Box::new(index), Box::new(Type::Int(0, 1)))
            }
            _ => match has_struct {
                Some(r) => self.holding(Type::Record(RecordId(r as u32))),
                None if self.rng.percent(40) => self.holding(Type::Record(RecordId(0))),
                None => Type::Node.option(),
            },
        }
    }

    /// The given type, or an option, set or array of it.
    fn holding(&mut self, ty: Type) -> Type {
        match self.rng.below(6) {
            0 => ty.option(),
            1 => ty.set(),
            2 => Type::Array(Box::new(Type::Bool), Box::new(ty)),
            _ => ty,
        }
    }

    fn init(&mut self, kind: KindId, ty: &Type, values: u128) -> Init {
        let few = values <= 4;
        if few && self.rng.percent(12) {
            return Init::Any;
        }
        let mut cx = exprs::Context::initial(&self.machine, kind);
        if few && self.rng.percent(15) {
            let items = (0..2).map(|_| self.expr(&mut cx, ty, 0)).collect();
            return Init::AnyIn(cx.scope, Expr::Set(ty.clone(), items));
        }
        let value = self.expr(&mut cx, ty, 1);
        Init::Value(cx.scope, value)
    }
}
