//! A compact form of the AST with parentheses, for tests that compare results of the parser.

use syntax::ast::*;

/// The texts of several values, separated by blanks.
fn join<T>(things: &[T], show: impl FnMut(&T) -> String) -> String {
    things.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn maybe<T>(label: &str, thing: &Option<T>, show: impl FnOnce(&T) -> String) -> String {
    thing
        .as_ref()
        .map_or(String::new(), |thing| format!(" {label}={}", show(thing)))
}

fn name(name: &Name) -> String {
    name.text.clone()
}

/// The compact form of an expression.
pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number {
            numerator,
            denominator,
            unit,
        } => {
            let below = match denominator {
                1 => String::new(),
                below => format!("/{below}"),
            };
            let unit = unit.map_or(String::new(), |unit| format!("{unit:?}").to_lowercase());
            format!("{numerator}{below}{unit}")
        }
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::None => "none".into(),
        ExprKind::SelfNode => "self".into(),
        ExprKind::Any(None) => "any".into(),
        ExprKind::Any(Some(set)) => format!("(any-in {})", expr(set)),
        ExprKind::Name(n) => name(n),
        ExprKind::Field(of, field) => format!("(. {} {})", expr(of), name(field)),
        ExprKind::Index(of, index) => format!("([] {} {})", expr(of), expr(index)),
        ExprKind::Call(f, arguments) => format!("({}! {})", name(f), join(arguments, expr)),
        ExprKind::MethodCall(of, f, arguments) => {
            format!("(.{}! {} {})", name(f), expr(of), join(arguments, expr))
        }
        ExprKind::Unary(op, of) => format!("({op:?} {})", expr(of)).to_lowercase_head(),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", operator(*op), expr(a), expr(b)),
        ExprKind::Range(a, b) => format!("(.. {} {})", expr(a), expr(b)),
        ExprKind::PlusMinus {
            middle,
            deviation,
            relative,
        } => {
            let middle = middle.as_ref().map_or("_".into(), |m| expr(m));
            let relative = relative.map_or(String::new(), |(a, b)| format!(" {a}/{b}"));
            format!("(± {middle} {}{relative})", expr(deviation))
        }
        ExprKind::If(c, a, b) => format!("(if {} {} {})", expr(c), expr(a), expr(b)),
        ExprKind::Match(of, arms) => format!(
            "(match {} {})",
            expr(of),
            join(arms, |arm| format!(
                "[{} {}]",
                arm.pattern.as_ref().map_or("_".into(), expr),
                expr(&arm.result)
            ))
        ),
        ExprKind::Set(elements) => format!("{{{}}}", join(elements, expr)),
        ExprKind::Filter {
            var,
            domain,
            condition,
        } => format!("{{{} in {}: {}}}", name(var), expr(domain), expr(condition)),
        ExprKind::Struct(n, fields) => format!(
            "{}{{{}}}",
            name(n),
            join(fields, |f| format!("{}:{}", name(&f.name), expr(&f.value)))
        ),
        ExprKind::Quantifier {
            kind,
            vars,
            domain,
            body,
        } => format!(
            "({} [{}] {} {})",
            format!("{kind:?}").to_lowercase(),
            join(vars, name),
            expr(domain),
            expr(body)
        ),
        ExprKind::Extremum {
            largest,
            var,
            domain,
            by,
        } => format!(
            "({} {} {} {})",
            if *largest { "largest" } else { "smallest" },
            name(var),
            expr(domain),
            expr(by)
        ),
        ExprKind::Is(of, n) => format!("(is {} {})", expr(of), name(n)),
        ExprKind::Temporal(op, of) => format!("({op:?} {})", expr(of)).to_lowercase_head(),
        ExprKind::Until(a, b) => format!("(until {} {})", expr(a), expr(b)),
        ExprKind::LeadsTo(a, b, within) => format!(
            "(leads-to {} {}{})",
            expr(a),
            expr(b),
            maybe("within", within, |w| expr(w))
        ),
        ExprKind::Paren(of) => format!("<{}>", expr(of)),
        ExprKind::Error => "ERROR".into(),
    }
}

trait LowercaseHead {
    fn to_lowercase_head(self) -> String;
}

impl LowercaseHead for String {
    /// Changes the first word to lower case: `(Not x)` becomes `(not x)`.
    fn to_lowercase_head(self) -> String {
        let end = self.find(' ').unwrap_or(self.len());
        self[..end].to_lowercase() + &self[end..]
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "mod",
        BinaryOp::Union => "union",
        BinaryOp::Intersect => "intersect",
        BinaryOp::Minus => "minus",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::In => "in",
        BinaryOp::Subset => "subset",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Implies => "implies",
    }
}

/// The compact form of a type.
pub fn ty(t: &Type) -> String {
    match &t.kind {
        TypeKind::Name(n) => name(n),
        TypeKind::Range(a, b) => format!("{}..{}", expr(a), expr(b)),
        TypeKind::Option(of) => format!("Option<{}>", ty(of)),
        TypeKind::Set(of) => format!("Set<{}>", ty(of)),
        TypeKind::Array(of, over) => format!("[{}; {}]", ty(of), ty(over)),
        TypeKind::Error => "ERROR".into(),
    }
}

/// The compact form of a list of statements.
pub fn body(statements: &[Stmt]) -> String {
    format!("{{{}}}", join(statements, stmt))
}

fn stmt(s: &Stmt) -> String {
    match &s.kind {
        StmtKind::Assign(place, value) => format!("(= {} {})", expr(place), expr(value)),
        StmtKind::If(c, then, otherwise) => {
            let otherwise = match &otherwise[..] {
                [] => String::new(),
                some => format!(" else {}", body(some)),
            };
            format!("(if {} {}{otherwise})", expr(c), body(then))
        }
        StmtKind::Match(of, arms) => format!(
            "(match {} {})",
            expr(of),
            join(arms, |arm| format!(
                "[{} {}]",
                arm.pattern.as_ref().map_or("_".into(), expr),
                body(&arm.result)
            ))
        ),
        StmtKind::For(n, set, inside) => {
            format!("(for {} {} {})", name(n), expr(set), body(inside))
        }
        StmtKind::Let(n, value) => format!("(let {} {})", name(n), expr(value)),
        StmtKind::Choose(n, set) => format!("(choose {} {})", name(n), expr(set)),
        StmtKind::Send(send) => match &send.to {
            Some(to) => format!("(send {} {})", expr(&send.message), expr(to)),
            None => format!("(broadcast {})", expr(&send.message)),
        },
        StmtKind::ClearInbox => "(clear)".into(),
        StmtKind::Assert(e) => format!("(assert {})", expr(e)),
        StmtKind::Halt => "(halt)".into(),
        StmtKind::SetTimer(t, when) => format!("(set {} {})", expr(t), expr(when)),
        StmtKind::CancelTimer(t) => format!("(cancel {})", expr(t)),
        StmtKind::Call(f, arguments) => format!("({}! {})", name(f), join(arguments, expr)),
        StmtKind::Error => "ERROR".into(),
    }
}

/// The compact form of a timing.
pub fn every(e: &Every) -> String {
    match e {
        Every::Any(_) => "any".into(),
        Every::Round(by, _) => format!("round{}", by.as_ref().map_or(String::new(), expr)),
        Every::Named(n) => format!("named:{}", name(n)),
        Every::Gap {
            interval,
            fixed,
            jitter,
            first,
            ..
        } => format!(
            "gap {}{}{}{}",
            expr(interval),
            if *fixed { " fixed" } else { "" },
            maybe("jitter", jitter, |j| format!(
                "{}{}",
                expr(&j.amount),
                if j.on_the_grid { "/grid" } else { "/gap" }
            )),
            maybe("first", first, expr)
        ),
    }
}

fn head(h: &BlockHead) -> String {
    match h {
        BlockHead::Start => "start".into(),
        BlockHead::Every(timing) => {
            format!("every {}", timing.as_ref().map_or("".into(), every))
        }
        BlockHead::On {
            name: n,
            index,
            binding,
            from,
            guard,
        } => format!(
            "on {}{}{}{}{}",
            name(n),
            maybe("index", index, name),
            maybe("as", binding, name),
            maybe("from", from, name),
            maybe("when", guard, expr)
        ),
        BlockHead::When(n, guard) => format!("when {}{}", name(n), maybe("g", guard, expr)),
        BlockHead::Action(n) => format!("action {}", name(n)),
    }
}

fn parameters(list: &[Parameter]) -> String {
    join(list, |p| format!("{}:{}", name(&p.name), ty(&p.ty)))
}

fn part(item: &NodeItem) -> String {
    match item {
        NodeItem::Constant(c) => format!("(const {}:{})", name(&c.name), ty(&c.ty)),
        NodeItem::Var(v) => format!(
            "({}{}var {}:{} {})",
            if v.persistent { "persistent " } else { "" },
            if v.ghost { "ghost " } else { "" },
            name(&v.name),
            ty(&v.ty),
            expr(&v.init)
        ),
        NodeItem::Timer(n, over) => format!("(timer {}{})", name(n), maybe("over", over, ty)),
        NodeItem::Block(b) => format!("({} {})", head(&b.head), body(&b.body)),
        NodeItem::Action {
            name: n,
            parameters: list,
            body: inside,
            ..
        } => format!(
            "(action {}({}) {})",
            name(n),
            parameters(list),
            body(inside)
        ),
        NodeItem::Ignore(n) => format!("(ignore {})", name(n)),
        NodeItem::Without(h, _) => format!("(without {})", head(h)),
    }
}

fn topology(t: &Topology) -> String {
    format!(
        "{}({}{}){}",
        name(&t.name),
        join(&t.arguments, expr),
        join(&t.edges, |edge| format!(
            "{}{}",
            expr(&edge.from),
            maybe("to", &edge.to, expr)
        )),
        maybe("where", &t.condition, expr)
    )
}

fn mode(m: &Mode) -> String {
    format!(
        "{}{}{}{}",
        name(&m.name),
        match m.from_start {
            Some(true) => " from-start",
            Some(false) => " any-time",
            None => "",
        },
        if m.during_broadcast {
            " during-broadcast"
        } else {
            ""
        },
        maybe("restart", &m.restart, |r| format!(
            "{}{}",
            if r.fresh { "fresh" } else { "keeping" },
            maybe("within", &r.within, expr)
        ))
    )
}

fn network_item(item: &NetworkItem) -> String {
    match item {
        NetworkItem::Delivery(delivery, _) => match delivery {
            Delivery::Fifo(capacity) => format!("(fifo{})", maybe("c", capacity, expr)),
            Delivery::Unordered => "(unordered)".into(),
            Delivery::Instant => "(instant)".into(),
            Delivery::Within(e, fifo) => format!("(within {} {fifo:?})", expr(e)),
            Delivery::BeforeNextActivation(fifo) => format!("(before-next {fifo:?})"),
        },
        NetworkItem::ToSelf(_) => "(to-self)".into(),
        NetworkItem::Inbox(inbox, _) => format!(
            "(inbox {} {:?})",
            if inbox.latest_per_sender {
                "latest"
            } else {
                "all"
            },
            inbox.start
        ),
    }
}

fn fault(f: &FaultItem) -> String {
    match f {
        FaultItem::Nodes(scope, modes) => format!(
            "(faults{}{} [{}])",
            maybe("at-most", &scope.at_most, expr),
            maybe("kind", &scope.kind, name),
            modes.iter().map(mode).collect::<Vec<_>>().join(", ")
        ),
        FaultItem::Messages(m) => format!(
            "({}{}{})",
            if m.repeat { "repeat" } else { "lose" },
            maybe("at-most", &m.at_most, expr),
            maybe("of", &m.of, name)
        ),
        FaultItem::None => "(no-faults)".into(),
    }
}

fn range(r: &ForClause) -> String {
    match r {
        ForClause::In(n, e) => format!("{} in {}", name(n), expr(e)),
        ForClause::Is(n, e) => format!("{}={}", name(n), expr(e)),
        ForClause::List(n, list, _) => format!("{}=[{}]", name(n), join(list, expr)),
        ForClause::Every(n, _) => format!("every {}", name(n)),
        ForClause::Topology(t) => topology(t),
    }
}

fn answer(a: &Answer) -> String {
    match a {
        Answer::Holds(_) => "holds".into(),
        Answer::Fails(_) => "fails".into(),
        Answer::FailsForEveryBound(_) => "fails-for-every-bound".into(),
        Answer::Possible(_) => "possible".into(),
        Answer::Impossible(_) => "impossible".into(),
        Answer::Error(_) => "error".into(),
        Answer::Unknown(_) => "unknown".into(),
        Answer::Value { value, bound } => match bound {
            Some(bound) => format!("{} {}", name(bound), expr(value)),
            None => expr(value),
        },
    }
}

fn check(c: &Check) -> String {
    let question = match &c.question {
        Question::Claims(claims) => join(claims, expr),
        Question::Possible(e) => format!("possible {}", expr(e)),
        Question::Least {
            greatest,
            name: n,
            claims,
        } => format!(
            "{} {}: {}",
            if *greatest { "greatest" } else { "least" },
            name(n),
            join(claims, expr)
        ),
    };
    let list = |label: &str, shown: Vec<String>| match shown.len() {
        0 => String::new(),
        _ => format!(" {label}=[{}]", shown.join(", ")),
    };
    format!(
        "(check {question}{}{}{}{}{}{})",
        maybe("in", &c.world, name),
        list("with", c.variants.iter().map(name).collect()),
        list("for", c.ranges.iter().map(range).collect()),
        maybe("assuming", &c.assuming, expr),
        if c.unfair.is_some() { " unfair" } else { "" },
        list("expect", c.expect.iter().map(answer).collect())
    )
}

/// The compact form of an item.
pub fn item(item_: &Item) -> String {
    match item_ {
        Item::Param(p) => format!(
            "(param {}{} {})",
            name(&p.name),
            p.ty.as_ref()
                .map_or(String::new(), |t| format!(":{}", ty(t))),
            expr(&p.value)
        ),
        Item::Let(l) => format!("(let {} {})", name(&l.name), expr(&l.value)),
        Item::Fn(f) => format!(
            "(fn {}({}){} {})",
            name(&f.name),
            parameters(&f.parameters),
            f.result
                .as_ref()
                .map_or(String::new(), |t| format!(":{}", ty(t))),
            expr(&f.body)
        ),
        Item::Enum(e) => format!("(enum {} {})", name(&e.name), join(&e.values, name)),
        Item::Struct(s) | Item::Message(s) => format!(
            "({} {} {})",
            if matches!(item_, Item::Struct(_)) {
                "struct"
            } else {
                "message"
            },
            name(&s.name),
            join(&s.fields, |f| format!("{}:{}", name(&f.name), ty(&f.ty)))
        ),
        Item::Timing(t) => format!("(timing {} {})", name(&t.name), every(&t.every)),
        Item::Node(n) => format!(
            "(node {}{} {})",
            name(&n.name),
            maybe("n", &n.number, expr),
            join(&n.items, part)
        ),
        Item::Network(n) => format!(
            "(network {} {})",
            topology(&n.topology),
            join(&n.items, network_item)
        ),
        Item::Faults(f) => fault(&f.item),
        Item::Initially(e) => format!("(initially {})", expr(e)),
        Item::Claim(c) => format!(
            "(claim {}({}) {})",
            name(&c.name),
            parameters(&c.parameters),
            expr(&c.formula)
        ),
        Item::World(w) => format!("(world {} {})", name(&w.name), join(&w.items, item)),
        Item::Variant(v) => format!(
            "(variant {} of {} {})",
            name(&v.name),
            name(&v.of),
            join(&v.items, part)
        ),
        Item::Check(c) => check(c),
    }
}

/// The compact form of all items, one per line.
pub fn file(file: &File) -> String {
    file.items.iter().map(|i| item(i) + "\n").collect()
}
