//! Expressions of every kind over small types, with a Machine and states in which to evaluate them.

use machine::{
    BinaryOp, Enum, EnumId, Expr, Fault, FrozenId, FrozenVar, Init, Instance, Kind, KindId,
    LocalId, Machine, Map, MapId, Mode, NodeId, Order, Origin, Quantifier, Record, RecordId, Scope,
    State, Type, UnaryOp, Value, Var, VarId,
};

pub const R: RecordId = RecordId(0);
pub const S: RecordId = RecordId(1);

/// A Machine with three nodes of two kinds and every kind of declaration.
pub fn small_machine() -> Machine {
    let kind = |name: &str, count| Kind {
        name: name.into(),
        count,
        ignores: vec![],
    };
    let record = |name: &str, fields: Vec<(String, Type)>| Record {
        name: name.into(),
        fields,
        message: true,
    };
    let var = |name: &str, kind, ty, start| Var {
        name: name.into(),
        kind: KindId(kind),
        ty,
        init: Init::Value(Scope::of_node(), start),
        ghost: false,
        persistent: false,
        origin: Origin(0),
    };
    let machine = Machine {
        kinds: vec![kind("A", 2), kind("B", 1)],
        ids: 3,
        enums: vec![Enum {
            name: "E".into(),
            values: vec!["a".into(), "b".into(), "c".into()],
        }],
        records: vec![
            record(
                "R",
                vec![("a".into(), Type::Int(0, 2)), ("b".into(), Type::Bool)],
            ),
            record("S", vec![("c".into(), Type::Bool.option())]),
        ],
        frozen_vars: vec![FrozenVar {
            name: "weight".into(),
            kind: KindId(0),
            ty: Type::Int(0, 2),
            order: Order::Given(vec![Value::Int(2), Value::Int(1)]),
            origin: Origin(0),
        }],
        vars: vec![
            var("x", 0, Type::Int(0, 2), Expr::int(1)),
            var("y", 1, Type::Bool, Expr::bool(true)),
        ],
        maps: vec![Map {
            name: "next".into(),
            to: vec![NodeId(1), NodeId(2), NodeId(0)],
        }],
        edges: vec![
            (NodeId(0), NodeId(1)),
            (NodeId(1), NodeId(0)),
            (NodeId(1), NodeId(2)),
            (NodeId(2), NodeId(0)),
        ],
        ..Machine::default()
    };
    assert_eq!(machine::verify(&machine), Ok(()));
    machine
}

/// A few states that differ in modes, messages in transit, and messages in inboxes; some messages occur twice.
pub fn states(instance: &Instance<'_>) -> Vec<State> {
    let first = instance.initial_states().expect("it has some").remove(0);
    let r = |a, b| Value::Record(R, vec![Value::Int(a), Value::Bool(b)]);
    let s = |c: Option<bool>| {
        let c = c.map_or(Value::None, |c| Value::some(Value::Bool(c)));
        Value::Record(S, vec![c])
    };
    let mut second = first.clone();
    second.nodes[0].inbox = vec![
        (NodeId(1), r(0, true)),
        (NodeId(1), r(2, false)),
        (NodeId(2), r(1, true)),
        (NodeId(2), s(Some(true))),
    ];
    second.nodes[1].mode = Mode::Halted;
    second.nodes[1].vars[0] = Value::Int(2);
    second.edges[1] = vec![r(1, true), r(1, false), s(None)];
    let mut third = second.clone();
    third.nodes[0].inbox = vec![(NodeId(1), r(1, true)), (NodeId(1), r(1, true))];
    third.nodes[0].inbox.push((NodeId(2), r(1, true)));
    third.nodes[0].vars[0] = Value::Int(0);
    vec![first, second, third]
}

fn local(i: u32) -> Expr {
    Expr::Local(LocalId(i))
}

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

/// An expression to compare: the types of its free locals, the types of the locals that it binds, and the expression.
pub type Law = (Vec<Type>, Vec<Type>, Expr);

fn numbers(laws: &mut Vec<Law>) {
    use BinaryOp::*;
    let (a, b) = (Type::Int(-5, 6), Type::Int(-3, 2));
    let arithmetic = [Add, Sub, Mul, Mod, FloorDiv, CeilDiv, Min, Max];
    let comparisons = [Eq, Ne, Lt, Le, Gt, Ge];
    for op in arithmetic.into_iter().chain(comparisons) {
        laws.push((
            vec![a.clone(), b.clone()],
            vec![],
            local(0).binary(op, local(1)),
        ));
        laws.push((
            vec![b.clone(), a.clone()],
            vec![],
            local(0).binary(op, local(1)),
        ));
        for constant in [-4, -1, 0, 1, 3] {
            let law = local(0).binary(op, Expr::int(constant));
            laws.push((vec![a.clone()], vec![], law));
            let law = Expr::int(constant).binary(op, local(0));
            laws.push((vec![a.clone()], vec![], law));
        }
        // Operands at the limits of 64 bits. Products of such numbers are refused, so they are left out.
        if op != Mul {
            for end in [i64::MIN, i64::MAX] {
                let near = Expr::int(end).binary(if end < 0 { Add } else { Sub }, local(0));
                let law = near.clone().binary(op, local(1));
                laws.push((vec![Type::Int(0, 2), b.clone()], vec![], law));
                let minus = Expr::Unary(UnaryOp::Neg, boxed(near));
                laws.push((vec![Type::Int(0, 2)], vec![], minus));
            }
        }
    }
    for op in [Min, Max].into_iter().chain(comparisons) {
        laws.push((
            vec![Type::Id, Type::Id],
            vec![],
            local(0).binary(op, local(1)),
        ));
    }
    laws.push((
        vec![a.clone()],
        vec![],
        Expr::Unary(UnaryOp::Neg, boxed(local(0))),
    ));
    laws.push((
        vec![a.clone(), b],
        vec![],
        Expr::Range(boxed(local(0)), boxed(local(1))),
    ));
    laws.push((
        vec![a],
        vec![],
        Expr::Within(Type::Int(-1, 3), boxed(local(0))),
    ));
}

fn conditions(laws: &mut Vec<Law>) {
    use BinaryOp::*;
    let types = vec![Type::Bool, Type::Bool.option()];
    let risky = || Expr::Unwrap(boxed(local(1)));
    for op in [And, Or, Implies] {
        laws.push((types.clone(), vec![], local(0).binary(op, risky())));
        laws.push((types.clone(), vec![], risky().binary(op, local(0))));
    }
    let branches = Expr::If(boxed(local(0)), boxed(risky()), boxed(Expr::bool(true)));
    laws.push((types.clone(), vec![], branches));
    let named = Expr::Let(
        LocalId(2),
        boxed(risky()),
        boxed(local(2).binary(Or, local(0))),
    );
    laws.push((types, vec![Type::Bool], named));
}

/// The types whose values are compared with each other.
pub fn types() -> Vec<Type> {
    vec![
        Type::Bool,
        Type::Int(-1, 3),
        Type::Id,
        Type::Node,
        Type::Enum(EnumId(0)),
        Type::Record(R),
        Type::Record(S),
        Type::OneOf(vec![R, S]),
        Type::Int(0, 2).option(),
        Type::Bool.option().option(),
        Type::Int(0, 2).set(),
        Type::Record(S).set(),
        Type::Bool.set().option(),
        Type::Array(Box::new(Type::Bool), Box::new(Type::Int(0, 2))),
        Type::Array(Box::new(Type::Int(1, 2)), Box::new(Type::Bool.option())),
    ]
}

fn sets(laws: &mut Vec<Law>) {
    use BinaryOp::*;
    let both = [Eq, Ne, Subset, Union, Intersect, Minus];
    let (a, b) = (Type::Int(0, 2).set(), Type::Int(1, 3).set());
    for op in both {
        laws.push((
            vec![a.clone(), b.clone()],
            vec![],
            local(0).binary(op, local(1)),
        ));
    }
    laws.push((
        vec![Type::Int(-1, 4), b.clone()],
        vec![],
        local(0).binary(In, local(1)),
    ));
    laws.push((vec![b], vec![], Expr::Unary(UnaryOp::Size, boxed(local(0)))));
    let wide = vec![Type::Int(-1, 2)];
    laws.push((
        wide.clone(),
        vec![],
        Expr::Set(Type::Int(0, 1), vec![local(0)]),
    ));
    laws.push((
        vec![a],
        vec![],
        Expr::Within(Type::Int(1, 2).set(), boxed(local(0))),
    ));
    // Lists of records that may contain duplicates, combined with lists and with tables.
    let r = Type::Record(S);
    let pair = |i, j| Expr::Set(Type::Record(S), vec![local(i), local(j)]);
    for op in both {
        laws.push((
            vec![r.clone(); 3],
            vec![],
            pair(0, 1).binary(op, pair(1, 2)),
        ));
        let types = vec![r.clone(), r.clone(), r.clone().set()];
        laws.push((types.clone(), vec![], pair(0, 1).binary(op, local(2))));
        laws.push((types, vec![], local(2).binary(op, pair(0, 1))));
        let chosen = Expr::If(boxed(local(2)), boxed(pair(0, 1)), boxed(pair(1, 1)));
        let types = vec![r.clone(), r.clone(), Type::Bool];
        laws.push((types, vec![], chosen.binary(op, pair(0, 0))));
    }
    laws.push((vec![r.clone(); 3], vec![], local(2).binary(In, pair(0, 1))));
    laws.push((
        vec![r.clone(); 2],
        vec![],
        Expr::Unary(UnaryOp::Size, boxed(pair(0, 1))),
    ));
    laws.push((vec![], vec![], Expr::Values(r)));
}

fn parts(laws: &mut Vec<Law>) {
    let any = Type::OneOf(vec![R, S]);
    for record in [R, S] {
        let is = Expr::IsRecord(record, boxed(local(0)));
        laws.push((vec![any.clone()], vec![], is));
        let within = Expr::Within(Type::Record(record), boxed(local(0)));
        laws.push((vec![any.clone()], vec![], within.clone()));
        laws.push((vec![any.clone()], vec![], Expr::Field(boxed(within), 0)));
    }
    let index = Type::Int(0, 2);
    let array = Type::Array(Box::new(index.clone()), Box::new(Type::Bool));
    let read = Expr::Index(index.clone(), boxed(local(0)), boxed(local(1)));
    laws.push((vec![array, Type::Int(-1, 3)], vec![], read));
    laws.push((
        vec![Type::Int(0, 2)],
        vec![],
        Expr::Fill(index, boxed(local(0))),
    ));
    let made = Expr::Record(R, vec![local(0), local(1)]);
    laws.push((vec![Type::Int(-1, 4), Type::Bool], vec![], made));
    laws.push((
        vec![Type::Bool.option()],
        vec![],
        Expr::Some(boxed(local(0))),
    ));
    let is_some = Expr::Unary(UnaryOp::IsSome, boxed(local(0)));
    laws.push((vec![Type::Bool.option()], vec![], is_some));
    laws.push((vec![], vec![], Expr::Unwrap(boxed(Expr::None(Type::Bool)))));
}

fn nodes(laws: &mut Vec<Law>) {
    let node = || vec![Type::Node];
    let one: Vec<Expr> = vec![
        Expr::Map(MapId(0), boxed(local(0))),
        Expr::Neighbours(boxed(local(0))),
        Expr::Var(VarId(0), boxed(local(0))),
        Expr::Var(VarId(1), boxed(local(0))),
        Expr::Frozen(FrozenId(0), boxed(local(0))),
        Expr::InMode(Mode::Halted, boxed(local(0))),
        Expr::InMode(Mode::Running, boxed(local(0))),
        Expr::HasFault(Fault::Mute, boxed(local(0))),
        Expr::Faultless(boxed(local(0))),
        Expr::Senders(None, boxed(local(0))),
        Expr::Senders(Some(R), boxed(local(0))),
        Expr::Inbox(vec![R], boxed(local(0))),
        Expr::Inbox(vec![R, S], boxed(local(0))),
        Expr::Nodes(None),
        Expr::Nodes(Some(KindId(1))),
        Expr::Unary(UnaryOp::Size, boxed(Expr::Inbox(vec![R], boxed(local(0))))),
    ];
    laws.extend(one.into_iter().map(|law| (node(), vec![], law)));
    let two = vec![Type::Node, Type::Node];
    let distance = local(0).binary(BinaryOp::Distance, local(1));
    laws.push((two.clone(), vec![], distance));
    let flight = Expr::InFlight(R, boxed(local(0)), boxed(local(1)));
    laws.push((two, vec![], flight));
}

fn quantifiers(laws: &mut Vec<Law>) {
    use BinaryOp::*;
    let field = |e: Expr| Expr::Field(boxed(e), 0);
    let small = Type::Int(0, 2);
    let pair = Expr::Set(Type::Record(R), vec![local(0), local(1)]);
    let inbox = |records: Vec<RecordId>| Expr::Inbox(records, boxed(local(0)));
    // By domain: the types of the free locals, the domain, the type of its elements, and an integer expression over an
    // element.
    let mut domains: Vec<(Vec<Type>, Expr, Type, Expr)> = Vec::new();
    let element = |types: usize| local(types as u32);
    domains.push((
        vec![small.clone().set()],
        local(0),
        small.clone(),
        element(1),
    ));
    let ends = vec![Type::Int(-1, 1), Type::Int(0, 3)];
    let range = Expr::Range(boxed(local(0)), boxed(local(1)));
    domains.push((ends, range, Type::Int(-1, 3), element(2)));
    let records = vec![Type::Record(R); 2];
    domains.push((records, pair, Type::Record(R), field(element(2))));
    let from = vec![Type::Node];
    domains.push((
        from.clone(),
        inbox(vec![R]),
        Type::Record(R),
        field(element(1)),
    ));
    let any = Type::OneOf(vec![R, S]);
    let of_r = Expr::Within(Type::Record(R), boxed(element(1)));
    domains.push((from.clone(), inbox(vec![R, S]), any, field(of_r)));
    let weight = Expr::Frozen(FrozenId(0), boxed(element(1)));
    let neighbours = Expr::Neighbours(boxed(local(0)));
    domains.push((from, neighbours, Type::Node, weight));
    for (types, domain, element, number) in domains {
        let bound = LocalId(types.len() as u32);
        let rest = Expr::int(2).binary(Mod, number.clone());
        let odd = number.clone().binary(Mod, Expr::int(2));
        // Some conditions are an error for one value; some decide the quantifier before they reach it.
        let conditions = [
            rest.clone().binary(Eq, Expr::int(0)),
            rest.clone().binary(Ne, Expr::int(0)),
            number.clone().binary(Ge, Expr::int(1)),
            number.clone().binary(Le, Expr::int(0)).binary(Or, {
                let more = number.clone().binary(Sub, Expr::int(1));
                Expr::int(1).binary(FloorDiv, more).binary(Gt, Expr::int(0))
            }),
        ];
        let sets = [
            Expr::Set(Type::Int(-2, 4), vec![number.clone(), Expr::int(1)]),
            Expr::Range(boxed(Expr::int(0)), boxed(number.clone())),
        ];
        let quantified =
            |q, body: &Expr| Expr::Quantified(q, bound, boxed(domain.clone()), boxed(body.clone()));
        let mut push = |e: Expr| laws.push((types.clone(), vec![element.clone()], e));
        for body in &conditions {
            use Quantifier::*;
            for q in [All, Exists, Count, The] {
                push(quantified(q, body));
            }
            if !matches!(domain, Expr::Inbox(..)) {
                push(Expr::Filter(
                    bound,
                    boxed(domain.clone()),
                    boxed(body.clone()),
                ));
            }
        }
        for body in [&number, &rest, &odd] {
            for q in [Quantifier::Sum, Quantifier::Max, Quantifier::Min] {
                push(quantified(q, body));
            }
            for largest in [true, false] {
                let by = boxed(body.clone());
                push(Expr::Extremum(largest, bound, boxed(domain.clone()), by));
            }
        }
        for body in &sets {
            push(quantified(Quantifier::Union, body));
            push(quantified(Quantifier::Intersect, body));
        }
    }
}

/// Expressions that read no state.
pub fn about_values() -> Vec<Law> {
    let mut laws = Vec::new();
    numbers(&mut laws);
    conditions(&mut laws);
    sets(&mut laws);
    parts(&mut laws);
    for ty in types() {
        for op in [BinaryOp::Eq, BinaryOp::Ne] {
            let law = local(0).binary(op, local(1));
            laws.push((vec![ty.clone(), ty.clone()], vec![], law));
        }
    }
    laws
}

/// Expressions that read the state.
pub fn about_states() -> Vec<Law> {
    let mut laws = Vec::new();
    nodes(&mut laws);
    quantifiers(&mut laws);
    laws
}
