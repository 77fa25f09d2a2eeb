//! Builds a Machine in code and checks it: two workers add 1 to a counter that a third node keeps.

use scrutineer::machine::{
    BinaryOp, Block, Channel, Expr, Formula, Init, Kind, KindId, LocalId, Machine, NodeId, Origin,
    Place, Property, PropertyKind, Record, RecordId, Scope, Stmt, StmtKind, Trigger, Type, Var,
    VarId,
};
use scrutineer::{Options, check_machine};

const WORKER: KindId = KindId(0);
const KEEPER: KindId = KindId(1);
const ADD: RecordId = RecordId(0);
const TOTAL: VarId = VarId(0);
/// The node of the only keeper. Nodes are numbered in the order of their kinds, so it comes after the two workers.
const KEEPER_NODE: NodeId = NodeId(2);
/// The origin of all code in this Machine, which was not lowered from a model text.
const NOWHERE: Origin = Origin(0);

/// The expression that reads the variable `total` of the keeper.
fn total() -> Expr {
    Expr::Var(TOTAL, Box::new(Expr::node(KEEPER_NODE)))
}

/// A property with this name and without local variables.
fn property(name: &str, kind: PropertyKind) -> Property {
    Property {
        name: name.into(),
        scope: Scope::default(),
        kind,
    }
}

fn block(name: &str, kind: KindId, trigger: Trigger, scope: Scope, code: StmtKind) -> Block {
    Block {
        name: name.into(),
        kind,
        trigger,
        scope,
        body: vec![Stmt {
            origin: NOWHERE,
            kind: code,
        }],
        origin: NOWHERE,
    }
}

/// Two workers that each send `Add` to the keeper, with three properties.
pub fn adders() -> Machine {
    let kind = |name: &str, count| Kind {
        name: name.into(),
        count,
        ignores: Vec::new(),
    };
    let this = Expr::Var(TOTAL, Box::new(Expr::Local(LocalId(0))));
    let place = Place {
        var: TOTAL,
        path: Vec::new(),
    };
    let is = |value| Formula::State(total().binary(BinaryOp::Eq, Expr::int(value)));
    let at_most = |value| Formula::State(total().binary(BinaryOp::Le, Expr::int(value)));
    Machine {
        kinds: vec![kind("Worker", 2), kind("Keeper", 1)],
        records: vec![Record {
            name: "Add".into(),
            fields: Vec::new(),
            message: true,
        }],
        vars: vec![Var {
            name: "total".into(),
            kind: KEEPER,
            ty: Type::Int(0, 9),
            init: Init::Value(Scope::of_node(), Expr::int(0)),
            ghost: false,
            persistent: false,
            origin: NOWHERE,
        }],
        edges: vec![(NodeId(0), KEEPER_NODE), (NodeId(1), KEEPER_NODE)],
        channel: Channel::Fifo(None),
        blocks: vec![
            block(
                "start",
                WORKER,
                Trigger::Start,
                Scope::of_node(),
                StmtKind::Send(Expr::Record(ADD, Vec::new()), Expr::node(KEEPER_NODE)),
            ),
            block(
                "on Add",
                KEEPER,
                Trigger::On(ADD, None),
                Scope::of_message(Type::Record(ADD)),
                StmtKind::Assign(place, this.binary(BinaryOp::Add, Expr::int(1))),
            ),
        ],
        properties: vec![
            property(
                "all_added",
                PropertyKind::Claim(Formula::Eventually(Box::new(is(2)))),
            ),
            property(
                "at_most_one",
                PropertyKind::Claim(Formula::Always(Box::new(at_most(1)))),
            ),
            property(
                "three",
                PropertyKind::Possible(total().binary(BinaryOp::Eq, Expr::int(3))),
            ),
        ],
        ..Machine::default()
    }
}

#[test]
fn two_workers_add_two() -> Result<(), scrutineer::Error> {
    use scrutineer::Verdict;
    let report = check_machine(&adders(), true, &Options::default())?;
    let verdicts: Vec<&Verdict> = report.properties.iter().map(|p| &p.verdict).collect();
    assert_eq!(
        verdicts,
        [&Verdict::Holds, &Verdict::Fails, &Verdict::Impossible]
    );
    Ok(())
}

/// Prints the Machine and the results of its properties.
pub fn main() -> Result<(), scrutineer::Error> {
    let machine = adders();
    println!("{machine}");
    for result in check_machine(&machine, true, &Options::default())?.properties {
        println!("{result}");
    }
    Ok(())
}
