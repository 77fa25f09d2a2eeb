//! The names of the language constructs that a Machine contains.

use machine::{
    Abstraction, BinaryOp, Channel, Effect, Expr, Formula, InboxStart, Init, KindId, Machine, Mode,
    Order, PropertyKind, Quantifier, RecordId, Stmt, StmtKind, Timing, Trigger, Type, UnaryOp,
    Window,
};
use std::collections::BTreeSet;

/// A set of names of constructs.
pub type Names = BTreeSet<String>;

/// All constructs, by the names that [`constructs`] uses.
pub fn all() -> Names {
    let words = "Const None Some Unwrap Local Var Rigid Record Field Index Fill If Set Range Nodes Values \
        LetIn Within IsRecord Neighbours Filter Largest Smallest Map InFlight Quiescent At \
        Not Neg Size IsSome Add Sub Mul Mod FloorDiv CeilDiv Min Max Eq Ne Lt Le Gt Ge And Or Implies In \
        Subset Union Intersect Minus Distance \
        InMode:Waiting InMode:Running InMode:Halted \
        over:All over:Exists over:Count over:Sum over:Max over:Min over:The over:Union over:Intersect \
        Assign AssignPart IfStmt For Let Choose Send Assert Halt \
        State formula:Not formula:And formula:Or formula:Implies Always Eventually Until LeadsTo \
        formula:All formula:Exists formula:At Possible \
        Start On OnGuard When Every Any AnyIn Value Ghost Initially Arrangement EveryRigid Given \
        Fifo FifoBounded Unordered Instant Lose Repeat Limit Unlimited Of Ignores TwoKinds \
        Inbox MixedInbox Senders SendersOf ClearInbox ForInbox over:Inbox latest all copies set OneFromEach Anything \
        HasFault InMode:Off Off Mute Deaf Isolated NodeLimit NodesOfKind \
        Round Periodic order:Start order:Gaps order:early order:Chain order:least order:most \
        Bool Int Id Node Enum RecordType Option SetType Array";
    words.split_whitespace().map(str::to_string).collect()
}

/// The constructs that a Machine contains.
pub fn constructs(machine: &Machine) -> Names {
    let mut found = Names::new();
    let mut add = |name: &str| {
        found.insert(name.to_string());
    };
    add(match machine.channel {
        Channel::Fifo(None) => "Fifo",
        Channel::Fifo(Some(_)) => "FifoBounded",
        Channel::Unordered => "Unordered",
        Channel::Instant => "Instant",
    });
    if machine.kinds.len() > 1 {
        add("TwoKinds");
    }
    if machine.kinds.iter().any(|k| !k.ignores.is_empty()) {
        add("Ignores");
    }
    for fault in &machine.faults {
        add(match fault.effect {
            Effect::Lose => "Lose",
            Effect::Repeat => "Repeat",
        });
        add(if fault.limit.is_some() {
            "Limit"
        } else {
            "Unlimited"
        });
        if fault.of.is_some() {
            add("Of");
        }
    }
    world(machine, &mut add);
    for frozen in &machine.frozen_vars {
        add(match frozen.order {
            Order::Every => "EveryRigid",
            Order::Arrangement => "Arrangement",
            Order::Given(_) => "Given",
        });
    }
    let mut exprs: Vec<&Expr> = Vec::new();
    let mut types: Vec<&Type> = Vec::new();
    for var in &machine.vars {
        types.push(&var.ty);
        if var.ghost {
            add("Ghost");
        }
        add(match &var.init {
            Init::Any => "Any",
            Init::AnyIn(_, e) => {
                e.walk(&mut |e| exprs.push(e));
                "AnyIn"
            }
            Init::Value(_, e) => {
                e.walk(&mut |e| exprs.push(e));
                "Value"
            }
        });
    }
    for block in &machine.blocks {
        add(match &block.trigger {
            Trigger::Start => "Start",
            Trigger::On(_, None) => "On",
            Trigger::On(_, Some(guard)) => {
                guard.walk(&mut |e| exprs.push(e));
                "OnGuard"
            }
            Trigger::When(guard) => {
                guard.walk(&mut |e| exprs.push(e));
                "When"
            }
            Trigger::Every(_) => "Every",
            Trigger::Timer(_) => "Timer",
        });
        for statement in &block.body {
            statement.walk(&mut |s| add(statement_name(s)));
            statement.walk_exprs(&mut |e| exprs.push(e));
        }
    }
    for restriction in &machine.initially {
        add("Initially");
        restriction.condition.walk(&mut |e| exprs.push(e));
    }
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Possible(condition) => {
                add("Possible");
                condition.walk(&mut |e| exprs.push(e));
            }
            PropertyKind::Claim(formula) => {
                formula.walk_exprs(&mut |e| exprs.push(e));
                formula_names(formula, &mut add);
            }
        }
    }
    exprs.into_iter().for_each(|e| add(&expr_name(e)));
    for ty in types {
        add(match ty {
            Type::Bool => "Bool",
            Type::Int(..) => "Int",
            Type::Id => "Id",
            Type::Counter(_) => "Counter",
            Type::Node => "Node",
            Type::Enum(_) => "Enum",
            Type::Record(_) | Type::OneOf(_) => "RecordType",
            Type::Option(_) => "Option",
            Type::Set(_) => "SetType",
            Type::Array(..) => "Array",
        });
    }
    found
}

/// Adds the constructs of inboxes, node faults, timing and order rules.
fn world(machine: &Machine, add: &mut dyn FnMut(&str)) {
    let kinds = (0..machine.kinds.len() as u32).map(KindId);
    let records = || (0..machine.records.len() as u32).map(RecordId);
    if { kinds }.any(|k| records().any(|r| machine.enters_inbox(k, r))) {
        let inbox = machine.inbox;
        add(if inbox.latest { "latest" } else { "all" });
        add(if inbox.copies { "copies" } else { "set" });
        match inbox.start {
            InboxStart::Empty => {}
            InboxStart::OneFromEach => add("OneFromEach"),
            InboxStart::Anything => add("Anything"),
        }
    }
    for item in &machine.node_faults {
        item.faults.iter().for_each(|f| add(&format!("{f:?}")));
        if item.limit.is_some() {
            add("NodeLimit");
        }
        if item.of.is_some() {
            add("NodesOfKind");
        }
    }
    for block in &machine.blocks {
        match &block.trigger {
            Trigger::Every(Timing::Round(_)) => add("Round"),
            Trigger::Every(Timing::Periodic(_)) => add("Periodic"),
            _ => {}
        }
    }
    let Abstraction::Order(rules, chains) = &machine.abstraction else {
        return;
    };
    if !chains.is_empty() {
        add("order:Chain");
    }
    for rule in rules {
        match rule.window {
            Window::Start(_) => add("order:Start"),
            Window::Gaps { early, .. } => {
                add("order:Gaps");
                if early {
                    add("order:early");
                }
            }
        }
        if rule.least > 0 {
            add("order:least");
        }
        if rule.most.is_some() {
            add("order:most");
        }
    }
}

fn statement_name(statement: &Stmt) -> &'static str {
    match &statement.kind {
        StmtKind::For(_, domain, _) if matches!(domain.bare(), Expr::Inbox(..)) => "ForInbox",
        StmtKind::Assign(place, _) if place.path.is_empty() => "Assign",
        StmtKind::Assign(..) => "AssignPart",
        StmtKind::If(..) => "IfStmt",
        StmtKind::For(..) => "For",
        StmtKind::Let(..) => "Let",
        StmtKind::Choose(..) => "Choose",
        StmtKind::Send(..) => "Send",
        StmtKind::Assert(_) => "Assert",
        StmtKind::ClearInbox => "ClearInbox",
        StmtKind::Halt => "Halt",
        StmtKind::SetTimer(..) => "SetTimer",
        StmtKind::CancelTimer(..) => "CancelTimer",
    }
}

fn formula_names(formula: &Formula, add: &mut dyn FnMut(&str)) {
    let (name, parts): (_, Vec<&Formula>) = match formula {
        Formula::At(_, a) => ("formula:At", vec![a]),
        Formula::State(_) => ("State", vec![]),
        Formula::Not(a) => ("formula:Not", vec![a]),
        Formula::And(a, b) => ("formula:And", vec![a, b]),
        Formula::Or(a, b) => ("formula:Or", vec![a, b]),
        Formula::Implies(a, b) => ("formula:Implies", vec![a, b]),
        Formula::Always(a) => ("Always", vec![a]),
        Formula::Eventually(a) => ("Eventually", vec![a]),
        Formula::Until(a, b) => ("Until", vec![a, b]),
        Formula::LeadsTo(a, b) => ("LeadsTo", vec![a, b]),
        Formula::All(_, _, a) => ("formula:All", vec![a]),
        Formula::Exists(_, _, a) => ("formula:Exists", vec![a]),
    };
    add(name);
    parts.into_iter().for_each(|part| formula_names(part, add));
}

fn expr_name(expr: &Expr) -> String {
    let name = match expr {
        Expr::At(..) => "At",
        Expr::Const(_) => "Const",
        Expr::None(_) => "None",
        Expr::Some(_) => "Some",
        Expr::Unwrap(_) => "Unwrap",
        Expr::Local(_) => "Local",
        Expr::Var(..) => "Var",
        Expr::Frozen(..) => "Rigid",
        Expr::Record(..) => "Record",
        Expr::Field(..) => "Field",
        Expr::Index(..) => "Index",
        Expr::Fill(..) => "Fill",
        Expr::If(..) => "If",
        Expr::Let(..) => "LetIn",
        Expr::Within(..) => "Within",
        Expr::IsRecord(..) => "IsRecord",
        Expr::Set(..) => "Set",
        Expr::Range(..) => "Range",
        Expr::Nodes(_) => "Nodes",
        Expr::Values(_) => "Values",
        Expr::Neighbours(_) => "Neighbours",
        Expr::Filter(..) => "Filter",
        Expr::Extremum(true, ..) => "Largest",
        Expr::Extremum(false, ..) => "Smallest",
        Expr::Map(..) => "Map",
        Expr::InFlight(..) => "InFlight",
        Expr::HasFault(..) => "HasFault",
        Expr::Inbox(records, _) if records.len() > 1 => "MixedInbox",
        Expr::Inbox(..) => "Inbox",
        Expr::Senders(None, _) => "Senders",
        Expr::Senders(Some(_), _) => "SendersOf",
        Expr::Quiescent => "Quiescent",
        Expr::TimerSet(..) => "TimerSet",
        Expr::Faultless(_) => "Faultless",
        Expr::Now(..) => "Now",
        Expr::Overdue(_) => "Overdue",
        Expr::Unary(op, _) => return unary_name(*op).into(),
        Expr::Binary(op, ..) => return binary_name(*op),
        Expr::InMode(mode, _) => return mode_name(*mode).into(),
        Expr::Quantified(_, _, domain, _) if matches!(domain.bare(), Expr::Inbox(..)) => {
            "over:Inbox"
        }
        Expr::Quantified(quantifier, ..) => return quantifier_name(*quantifier),
    };
    name.into()
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "Not",
        UnaryOp::Neg => "Neg",
        UnaryOp::Size => "Size",
        UnaryOp::IsSome => "IsSome",
    }
}

fn binary_name(op: BinaryOp) -> String {
    format!("{op:?}")
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Waiting => "InMode:Waiting",
        Mode::Running => "InMode:Running",
        Mode::Halted => "InMode:Halted",
        Mode::Off => "InMode:Off",
        Mode::Crashed => "InMode:Crashed",
        Mode::Stopped => "InMode:Stopped",
    }
}

fn quantifier_name(quantifier: Quantifier) -> String {
    format!("over:{quantifier:?}")
}
