//! Open Machines: text form, well-formedness, and the Machine at one size.

use machine::{
    EdgeRule, Expr, KindId, Machine, MapRule, NodeId, OpenLimit, OpenMachine, Order, SIZE, Shape,
    SizeParameter, Value, parse, parse_open, verify, verify_open,
};
use testkit::{Size, random_machine};

const VOTES: &str = "
(every n 2)
(open Voter)
(extra-ids 1)
(joined complete to-self)
(all-but 0 1)
(message Vote (from node))
(kind Voter 0)
(channel unordered)
(faulty off)
(frozen Voter id id arrangement)
(var Voter votes (set node) (is (set node)))
(block Voter start start (send (new Vote self) (nodes Voter)))
(block Voter \"on Vote\" (on Vote)
  (:= votes (union (var votes self) (set node sender))))
(claim majority (locals (k node)) (always (state (all k (nodes Voter)
  (> (size (var votes k)) @4294967295 (floor (size (nodes Voter)) 2))))))
";

fn votes() -> OpenMachine {
    parse_open(VOTES).expect("it is readable")
}

#[test]
fn an_open_machine_is_a_machine_at_each_size() {
    let open = votes();
    assert_eq!(verify_open(&open), Ok(()));
    for n in 2..7 {
        let machine = open.at(n);
        assert_eq!(verify(&machine), Ok(()));
        assert_eq!((machine.node_count(), machine.ids), (n, n + 1));
        assert_eq!(machine.edges.len() as u32, n * n);
        assert_eq!(machine.node_faults[0].limit, Some(n - 1));
        let mut bounds = Vec::new();
        machine.each_expr(&mut |e| {
            if let Expr::Const(Value::Int(i)) = e {
                bounds.push(*i);
            }
            assert!(!matches!(e, Expr::At(SIZE, _)));
        });
        // The number that is 1 for both 2 and 3 is 2 for 4.
        assert_eq!(bounds, [i64::from(n / 2)]);
    }
}

#[test]
fn open_machines_survive_their_text() {
    let mut tried = 0;
    for seed in 0..400 {
        let machine = random_machine(seed, &Size::default());
        let Some(open) = opened(machine) else {
            continue;
        };
        let text = open.to_string();
        match parse_open(&text) {
            Ok(again) => assert!(again == open, "seed {seed} changes\n{text}\n{again}"),
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
        tried += 1;
    }
    assert!(tried > 50, "only {tried}");
    let open = votes();
    assert_eq!(parse_open(&open.to_string()), Ok(open));
}

/// A random Machine as the base of an open one, with rules that have nothing to do with it.
fn opened(machine: Machine) -> Option<OpenMachine> {
    let given = machine
        .frozen_vars
        .iter()
        .any(|f| matches!(f.order, Order::Given(_)));
    if given || machine.kinds.is_empty() {
        return None;
    }
    let mut base = machine;
    let extra = (base.ids > 0).then_some(base.ids);
    let edges = match base.edges.len() % 5 {
        0 => EdgeRule::None,
        1 => EdgeRule::Joined(Shape::Ring, false),
        2 => EdgeRule::Joined(Shape::Complete, true),
        3 => EdgeRule::Joined(Shape::Star, false),
        _ => EdgeRule::Joined(Shape::Line, true),
    };
    (base.ids, base.edges) = (0, Vec::new());
    base.kinds[0].count = 0;
    let maps = vec![MapRule::Next; base.maps.len()];
    base.maps.iter_mut().for_each(|map| map.to.clear());
    let size = SizeParameter {
        name: "how many".into(),
        least: 2,
    };
    let mut open = OpenMachine::new(base, size, vec![KindId(0)], extra, edges);
    open.maps = maps;
    if let Some(limit) = open.limits.first_mut() {
        *limit = OpenLimit::AllBut(1);
        open.base.node_faults[0].limit = None;
    }
    Some(open)
}

#[test]
fn networks_of_every_size() {
    let edges = |shape, n| -> Vec<(u32, u32)> {
        let edges = EdgeRule::Joined(shape, false).edges(n);
        edges.into_iter().map(|(a, b)| (a.0, b.0)).collect()
    };
    assert_eq!(edges(Shape::Ring, 1), [(0, 0)]);
    assert_eq!(edges(Shape::Ring, 2), [(0, 1), (1, 0)]);
    assert_eq!(edges(Shape::Star, 3), [(0, 1), (0, 2), (1, 0), (2, 0)]);
    assert_eq!(edges(Shape::Line, 3), [(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(edges(Shape::Complete, 1), []);
    let nodes = |rule: MapRule| rule.values(3).iter().map(|n| n.0).collect::<Vec<_>>();
    assert_eq!(nodes(MapRule::Next), [1, 2, 0]);
    assert_eq!(nodes(MapRule::Previous), [2, 0, 1]);
}

#[test]
fn what_is_not_well_formed_is_refused() {
    type Damage = fn(&mut OpenMachine);
    let damages: [(&str, Damage); 11] = [
        ("begins at 0", |m| m.size.least = 0),
        ("no open kind", |m| m.open.clear()),
        ("not in order", |m| m.open = vec![KindId(0), KindId(0)]),
        ("an open kind that is none", |m| m.open = vec![KindId(7)]),
        ("has nodes in the base", |m| m.base.kinds[0].count = 1),
        ("with ids or edges", |m| m.base.ids = 3),
        ("with ids or edges", |m| {
            m.base.edges.push((NodeId(0), NodeId(0)))
        }),
        ("do not match their rules", |m| m.maps.push(MapRule::Next)),
        ("does not repeat", |m| m.base.node_faults[0].limit = Some(1)),
        ("does not repeat", |m| m.limits.clear()),
        ("negative at the least size", |m| {
            m.limits[0] = OpenLimit::AllBut(3)
        }),
    ];
    for (why, damage) in damages {
        let mut open = votes();
        damage(&mut open);
        let error = verify_open(&open).expect_err(why).0;
        assert!(error.contains(why), "{why}: {error}");
    }
    for (from, to, why) in [
        (
            "(floor (size (nodes Voter)) 2)",
            "(size (nodes))",
            "a mark of the size",
        ),
        (
            "(floor (size (nodes Voter)) 2)",
            "(floor (size (nodes Voter)) 0)",
            "a mark of the size",
        ),
        (
            "(size (var votes k))",
            "(size (var votes (node 1)))",
            "a node whose number",
        ),
    ] {
        let text = votes().to_string();
        let changed = text.replacen(from, to, 1);
        assert_ne!(text, changed, "{text}");
        let open = parse_open(&changed).expect("it is readable");
        let error = verify_open(&open).expect_err(why).0;
        assert!(error.contains(why), "{why}: {error}");
    }
}

#[test]
fn a_machine_is_no_open_machine() {
    let machine = votes().at(3);
    assert!(parse_open(&machine.to_string()).is_err());
    assert!(parse(&votes().to_string()).is_err());
}
