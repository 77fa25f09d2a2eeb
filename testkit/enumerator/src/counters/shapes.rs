//! The shape of an expression with respect to counters: from which declarations its counters come.

use crate::instance::counter_classes::Classes;
use crate::instance::data::Instance;
use crate::instance::value::{Res, Value, refuse};
use syntax::ast::{
    self, BinaryOp, BlockHead, Expr, ExprKind, FieldInit, MatchArm, QuantifierKind, Type, TypeKind,
};

/// The shape of an expression. An option has the shape of its value.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Unknown: the shape of `none`, of `any`, and of the elements of an empty set.
    Nothing,
    /// A counter, with the place of its declaration.
    Counter(usize),
    Number,
    /// A node, with its kind if only one is possible.
    Node(Option<usize>),
    /// A struct or message of the type with this name.
    Record(String),
    /// A message of any type.
    Message,
    Set(Box<Shape>),
    Array(Box<Shape>),
    /// A value without counters.
    Plain,
}

impl Shape {
    fn set(self) -> Shape {
        Shape::Set(Box::new(self))
    }

    pub fn element(self) -> Shape {
        match self {
            Shape::Set(inner) | Shape::Array(inner) => *inner,
            Shape::Nothing => Shape::Nothing,
            _ => Shape::Plain,
        }
    }

    /// This shape, or the other one if this one is unknown.
    fn or(self, other: Shape) -> Shape {
        match self {
            Shape::Nothing => other,
            Shape::Set(inner) if matches!(*inner, Shape::Nothing) => other,
            _ => self,
        }
    }
}

/// The context of an expression: the kind of the node whose code contains it, and the bound names.
#[derive(Clone, Default)]
pub(crate) struct Around {
    pub kind: Option<usize>,
    pub locals: Vec<(String, Shape)>,
}

impl Around {
    pub fn bind(&mut self, name: &str, shape: Shape) {
        self.locals.push((name.to_owned(), shape));
    }
}

/// Reads code and claims of an instance, and joins counters into classes.
pub(crate) struct Reader<'i> {
    pub instance: &'i Instance<'i>,
    pub classes: Classes,
    /// Whether counters and numbers may be mixed at the current place.
    pub numbers: bool,
    /// The current nesting depth of functions and abbreviations.
    depth: usize,
}

impl<'i> Reader<'i> {
    pub fn new(instance: &'i Instance<'i>) -> Reader<'i> {
        Reader {
            instance,
            classes: instance.classes.clone(),
            numbers: false,
            depth: 0,
        }
    }

    /// The shape of the values of a type.
    pub fn of_type(&mut self, ty: &Type) -> Shape {
        match &ty.kind {
            TypeKind::Name(name) => match name.text.as_str() {
                "Counter" => Shape::Counter(self.classes.place(ty)),
                "Node" => Shape::Node(None),
                "Duration" => Shape::Number,
                record if self.instance.record(record).is_some() => Shape::Record(record.into()),
                _ => Shape::Plain,
            },
            TypeKind::Range(..) => Shape::Number,
            TypeKind::Option(inner) => self.of_type(inner),
            TypeKind::Set(inner) => self.of_type(inner).set(),
            TypeKind::Array(inner, _) => Shape::Array(Box::new(self.of_type(inner))),
            TypeKind::Error => Shape::Plain,
        }
    }

    /// The shape of a value that is bound to a name.
    pub fn of_value(&self, value: &Value) -> Shape {
        match value {
            Value::Int(_) => Shape::Number,
            Value::Node(node) | Value::Lone(node) => {
                Shape::Node(Some(self.instance.kind_of[*node]))
            }
            _ => Shape::Plain,
        }
    }

    /// Reads the head of a block, and binds the message and its sender.
    pub fn head(&mut self, head: &BlockHead, around: &mut Around) -> Res<()> {
        match head {
            BlockHead::On {
                name,
                index,
                binding,
                from,
                guard,
            } => {
                let message = Shape::Record(name.text.clone());
                binding
                    .iter()
                    .for_each(|b| around.bind(&b.text, message.clone()));
                from.iter()
                    .for_each(|f| around.bind(&f.text, Shape::Node(None)));
                index
                    .iter()
                    .for_each(|i| around.bind(&i.text, Shape::Plain));
                guard.iter().try_for_each(|g| self.sees(g, around))
            }
            BlockHead::When(_, guard) => guard.iter().try_for_each(|g| self.sees(g, around)),
            _ => Ok(()),
        }
    }

    /// Reads an expression whose shape is ignored.
    pub fn sees(&mut self, e: &Expr, around: &mut Around) -> Res<()> {
        self.expr(e, around).map(|_| ())
    }

    /// The shape of an expression.
    pub fn expr(&mut self, e: &Expr, around: &mut Around) -> Res<Shape> {
        Ok(match &e.kind {
            ExprKind::Number { .. } => Shape::Number,
            ExprKind::None | ExprKind::Any(None) => Shape::Nothing,
            ExprKind::Any(Some(set)) => self.expr(set, around)?.element(),
            ExprKind::Bool(_) | ExprKind::Error => Shape::Plain,
            ExprKind::SelfNode => Shape::Node(around.kind),
            ExprKind::Name(name) => self.name(&name.text, around)?,
            ExprKind::Field(base, name) => {
                let base = self.expr(base, around)?;
                self.part(base, &name.text)?
            }
            ExprKind::Index(base, index) => {
                self.sees(index, around)?;
                self.expr(base, around)?.element()
            }
            ExprKind::Call(name, arguments) => self.call(&name.text, arguments, around)?,
            ExprKind::MethodCall(base, _, _) => {
                self.sees(base, around)?;
                Shape::Number
            }
            ExprKind::Unary(_, a) => match self.expr(a, around)? {
                Shape::Counter(_) => return refuse("a negative counter"),
                other => other,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a, around)?, self.expr(b, around)?);
                self.binary(*op, a, b)?
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (self.expr(a, around)?, self.expr(b, around)?);
                self.without_counters(&[a, b])?;
                Shape::Number.set()
            }
            ExprKind::PlusMinus { .. } => Shape::Number,
            ExprKind::If(condition, a, b) => {
                self.sees(condition, around)?;
                let (a, b) = (self.expr(a, around)?, self.expr(b, around)?);
                self.meet(&a, &b)?;
                a.or(b)
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.expr(subject, around)?;
                let mut result = Shape::Nothing;
                for arm in arms {
                    self.pattern(&subject, arm, around)?;
                    let one = self.expr(&arm.result, around)?;
                    self.meet(&result, &one)?;
                    result = result.or(one);
                }
                result
            }
            ExprKind::Set(elements) => {
                let mut all = Shape::Nothing;
                for element in elements {
                    let one = self.expr(element, around)?;
                    self.meet(&all, &one)?;
                    all = all.or(one);
                }
                all.set()
            }
            ExprKind::Filter {
                var,
                domain,
                condition,
            } => {
                let domain = self.expr(domain, around)?;
                self.bound(&[var], &domain, condition, around)?;
                domain
            }
            ExprKind::Struct(name, fields) => self.record(&name.text, fields, around)?,
            ExprKind::Quantifier {
                kind,
                vars,
                domain,
                body,
            } => {
                let domain = self.expr(domain, around)?;
                let vars: Vec<&ast::Name> = vars.iter().collect();
                let body = self.bound(&vars, &domain, body, around)?;
                match kind {
                    QuantifierKind::All | QuantifierKind::Exists => Shape::Plain,
                    QuantifierKind::The => domain.element(),
                    QuantifierKind::Count => Shape::Number,
                    QuantifierKind::Sum => {
                        self.without_counters(&[body])?;
                        Shape::Number
                    }
                    _ => body,
                }
            }
            ExprKind::Extremum {
                var, domain, by, ..
            } => {
                let domain = self.expr(domain, around)?;
                self.bound(&[var], &domain, by, around)?;
                domain.element()
            }
            ExprKind::Is(option, name) => {
                let option = self.expr(option, around)?;
                if self.instance.record(&name.text).is_none() {
                    around.bind(&name.text, option);
                }
                Shape::Plain
            }
            ExprKind::Temporal(_, a) => {
                self.sees(a, around)?;
                Shape::Plain
            }
            ExprKind::Until(a, b) | ExprKind::LeadsTo(a, b, _) => {
                self.sees(a, around)?;
                self.sees(b, around)?;
                Shape::Plain
            }
            ExprKind::Paren(inner) => self.expr(inner, around)?,
        })
    }

    /// The shape of `body`, in which the names range over the elements of `domain`.
    fn bound(
        &mut self,
        vars: &[&ast::Name],
        domain: &Shape,
        body: &Expr,
        around: &mut Around,
    ) -> Res<Shape> {
        let mark = around.locals.len();
        for var in vars {
            around.bind(&var.text, domain.clone().element());
        }
        let shape = self.expr(body, around);
        around.locals.truncate(mark);
        shape
    }

    fn name(&mut self, name: &str, around: &Around) -> Res<Shape> {
        let instance = self.instance;
        if let Some((_, shape)) = around.locals.iter().rev().find(|(n, _)| n == name) {
            return Ok(shape.clone());
        }
        if let Some(kind) = around.kind
            && let Some(ty) = instance.kinds[kind].declared(name)
        {
            return Ok(self.of_type(ty));
        }
        if let Some((_, value)) = instance.params.iter().find(|(n, _)| *n == name) {
            return Ok(self.of_value(value));
        }
        if let Some(found) = instance.lets.iter().find(|l| l.name.text == name) {
            return self.deeper(|reader| reader.expr(&found.value, &mut Around::default()));
        }
        if let Some(kind) = instance.kinds.iter().position(|k| k.name == name) {
            return Ok(Shape::Node(Some(kind)).set());
        }
        if instance.record(name).is_some() {
            return Ok(Shape::Record(name.into()));
        }
        Ok(match name {
            "Node" | "neighbours" => Shape::Node(None).set(),
            "next" | "previous" => Shape::Node(None),
            "inbox" => Shape::Message.set(),
            "now" => Shape::Number,
            _ => Shape::Plain,
        })
    }

    /// The shape of a field of a struct or message, or of a variable of a node.
    fn part(&mut self, base: Shape, name: &str) -> Res<Shape> {
        let instance = self.instance;
        let types: Vec<&Type> = match base {
            // The name of a kind with one node denotes that node.
            Shape::Set(inner) => return self.part(*inner, name),
            Shape::Node(kind) => {
                let kinds = instance.kinds.iter().enumerate();
                let meant = kinds.filter(|(k, _)| kind.is_none_or(|kind| kind == *k));
                meant.filter_map(|(_, k)| k.declared(name)).collect()
            }
            Shape::Record(of) => instance
                .record(&of)
                .into_iter()
                .flat_map(|r| field(r, name))
                .collect(),
            Shape::Message => {
                let messages = instance.records.iter().filter(|(_, message)| *message);
                messages.flat_map(|(r, _)| field(r, name)).collect()
            }
            _ => Vec::new(),
        };
        let mut shape = Shape::Nothing;
        for ty in types {
            let one = self.of_type(ty);
            self.meet(&shape, &one)?;
            shape = shape.or(one);
        }
        Ok(match shape {
            Shape::Nothing if name == "activations" => Shape::Number,
            Shape::Nothing => Shape::Plain,
            found => found,
        })
    }

    fn binary(&mut self, op: BinaryOp, a: Shape, b: Shape) -> Res<Shape> {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => Ok(Shape::Plain),
            BinaryOp::In => self.meet(&a, &b.element()).map(|()| Shape::Plain),
            BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus => {
                self.meet(&a, &b)?;
                Ok(a.or(b))
            }
            BinaryOp::Add | BinaryOp::Sub => match (a, b) {
                (Shape::Counter(place), Shape::Number) => Ok(Shape::Counter(place)),
                (a, b) => self.without_counters(&[a, b]).map(|()| Shape::Number),
            },
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => {
                self.without_counters(&[a, b]).map(|()| Shape::Number)
            }
            _ => self.meet(&a, &b).map(|()| Shape::Plain),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr], around: &mut Around) -> Res<Shape> {
        if name == "inbox" {
            return Ok(match arguments.first().map(|e| &e.kind) {
                Some(ExprKind::Name(of)) => Shape::Record(of.text.clone()).set(),
                _ => Shape::Message.set(),
            });
        }
        let mut given = Vec::new();
        for argument in arguments {
            given.push(self.expr(argument, around)?);
        }
        let instance = self.instance;
        if let Some(function) = instance.fns.iter().find(|f| f.name.text == name) {
            let mut inner = Around::default();
            for (parameter, given) in function.parameters.iter().zip(&given) {
                let wanted = self.of_type(&parameter.ty);
                self.meet(&wanted, given)?;
                inner.bind(&parameter.name.text, wanted);
            }
            let body = self.deeper(|reader| reader.expr(&function.body, &mut inner))?;
            let Some(ty) = &function.result else {
                return Ok(body);
            };
            let result = self.of_type(ty);
            self.meet(&result, &body)?;
            return Ok(result);
        }
        match name {
            "max" | "min" => {
                let mut shape = Shape::Nothing;
                for one in given {
                    self.meet(&shape, &one)?;
                    shape = shape.or(one);
                }
                Ok(shape)
            }
            "senders" => Ok(Shape::Node(None).set()),
            _ => self.without_counters(&given).map(|()| Shape::Number),
        }
    }

    fn record(&mut self, name: &str, fields: &[FieldInit], around: &mut Around) -> Res<Shape> {
        for init in fields {
            let value = self.expr(&init.value, around)?;
            let wanted = self.part(Shape::Record(name.into()), &init.name.text)?;
            self.meet(&wanted, &value)?;
        }
        Ok(Shape::Record(name.into()))
    }

    /// Reads the pattern of an arm: a new name, which is bound, or an expression, which is compared with the subject.
    pub fn pattern<T>(
        &mut self,
        subject: &Shape,
        arm: &MatchArm<T>,
        around: &mut Around,
    ) -> Res<()> {
        match &arm.pattern {
            None => Ok(()),
            Some(pattern) => match &pattern.kind {
                ExprKind::Name(name) if !self.instance.names_a_value(&name.text)? => {
                    around.bind(&name.text, subject.clone());
                    Ok(())
                }
                _ => {
                    let pattern = self.expr(pattern, around)?;
                    self.meet(subject, &pattern)
                }
            },
        }
    }

    fn without_counters(&self, shapes: &[Shape]) -> Res<()> {
        match shapes.iter().any(|s| matches!(s, Shape::Counter(_))) {
            true => refuse("a counter in an operation that it does not have"),
            false => Ok(()),
        }
    }

    /// Reads the expansion of a name; refuses an expansion that is nested too deeply.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth == 100 {
            return refuse("functions or abbreviations that stand for themselves");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

fn field<'a>(record: &'a ast::Struct, name: &str) -> Option<&'a Type> {
    let found = record.fields.iter().find(|f| f.name.text == name);
    found.map(|f| &f.ty)
}
