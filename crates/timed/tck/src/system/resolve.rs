//! Resolution of declarations: names become numbers, and attributes become guards and statements.

use crate::format::declarations::{self, Attribute, Declaration, Kind, Name};
use crate::format::error::{Error, Mistake};
use crate::format::expressions;
use crate::system::network::{
    Edge, Guard, Int, Location, Participant, Process, Statement, Sync, System,
};
use crate::system::typing::{Scope, Variable};
use std::collections::{HashMap, HashSet};

/// The largest number of clocks of a system. The number of bounds of a zone is quadratic in it. The closure of a zone
/// takes cubic time without polling a limit: 0.2 s for this number.
const MOST_CLOCKS: usize = 500;

/// The largest number of integer variables of a system.
const MOST_INTS: usize = 100_000;

/// Reads a system in the TChecker format. The first error ends the reading.
pub fn parse(text: &str) -> Result<System, Error> {
    let system = declarations::parse(text).and_then(|(name, declarations)| {
        let mut resolver = Resolver::new(name, text);
        for declaration in &declarations {
            cancellation::poll();
            resolver.declare(declaration)?;
        }
        resolver.finish()
    });
    system.map_err(|mistake| mistake.locate(text))
}

struct Resolver {
    system: System,
    processes: HashMap<String, usize>,
    events: HashMap<String, usize>,
    locations: HashMap<(usize, String), usize>,
    scope: Scope,
    labels: HashMap<String, usize>,
    /// By process and event: the weak participants; and all participants of synchronisations.
    weak: HashSet<(usize, usize)>,
    synchronous: HashSet<(usize, usize)>,
    /// The positions of the guards of edges that have one.
    guards: Vec<(usize, usize)>,
}

impl Resolver {
    fn new(name: Name, text: &str) -> Resolver {
        Resolver {
            system: System {
                name: name.text,
                text: text.to_string(),
                processes: Vec::new(),
                locations: Vec::new(),
                edges: Vec::new(),
                events: Vec::new(),
                syncs: Vec::new(),
                clocks: 0,
                clock_names: Vec::new(),
                ints: Vec::new(),
                int_names: Vec::new(),
                labels: Vec::new(),
            },
            processes: HashMap::new(),
            events: HashMap::new(),
            locations: HashMap::new(),
            scope: Scope::default(),
            labels: HashMap::new(),
            weak: HashSet::new(),
            synchronous: HashSet::new(),
            guards: Vec::new(),
        }
    }

    fn declare(&mut self, declaration: &Declaration) -> Result<(), Mistake> {
        let attributes = &declaration.attributes;
        match &declaration.kind {
            Kind::Process(name) => {
                add(&mut self.processes, name, "process")?;
                self.system.processes.push(Process {
                    name: name.text.clone(),
                    initial: Vec::new(),
                });
            }
            Kind::Event(name) => {
                add(&mut self.events, name, "event")?;
                self.system.events.push(name.text.clone());
            }
            Kind::Clock { size, name } => {
                let size = check_size(declaration, *size, self.system.clocks, MOST_CLOCKS)?;
                let base = self.system.clocks + 1;
                self.scope.declare(name, Variable::Clock { base, size })?;
                self.system.clocks += size;
                self.system.clock_names.extend(elements(name, size));
            }
            Kind::Int {
                size,
                least,
                most,
                initial,
                name,
            } => {
                let base = self.system.ints.len();
                let size = check_size(declaration, *size, base, MOST_INTS)?;
                if !(least..=most).contains(&initial) {
                    let message = format!("the first value {initial} is not in {least}..{most}");
                    return Err(Mistake::new(declaration.at, message));
                }
                self.scope.declare(name, Variable::Int { base, size })?;
                let int = Int {
                    least: *least,
                    most: *most,
                    initial: *initial,
                };
                self.system.ints.resize(base + size, int);
                self.system.int_names.extend(elements(name, size));
            }
            Kind::Location { process, name } => self.location(process, name, attributes)?,
            Kind::Edge {
                process,
                source,
                target,
                event,
            } => self.edge([process, source, target, event], attributes)?,
            Kind::Sync(participants) => self.sync(declaration, participants)?,
        }
        Ok(())
    }

    fn location(
        &mut self,
        process: &Name,
        name: &Name,
        attributes: &[Attribute],
    ) -> Result<(), Mistake> {
        let process = find(&self.processes, process, "process")?;
        let number = self.system.locations.len();
        let key = (process, name.text.clone());
        if self.locations.insert(key, number).is_some() {
            let message = format!("the location `{}` is declared twice", name.text);
            return Err(Mistake::new(name.at, message));
        }
        let mut labels = Vec::new();
        if let Some(value) = attribute(attributes, "labels")? {
            let parts = value.text.split(',').map(str::trim);
            for label in parts.filter(|label| !label.is_empty()) {
                let next = self.labels.len();
                let number = *self.labels.entry(label.to_string()).or_insert(next);
                if number == next {
                    self.system.labels.push(label.to_string());
                }
                labels.push(number);
            }
        }
        if attribute(attributes, "initial")?.is_some() {
            self.system.processes[process].initial.push(number);
        }
        let location = Location {
            name: name.text.clone(),
            process,
            is_committed: attribute(attributes, "committed")?.is_some(),
            is_urgent: attribute(attributes, "urgent")?.is_some(),
            invariant: self.guard(attribute(attributes, "invariant")?)?,
            labels,
            edges: Vec::new(),
        };
        self.system.locations.push(location);
        Ok(())
    }

    fn edge(
        &mut self,
        [process, source, target, event]: [&Name; 4],
        attributes: &[Attribute],
    ) -> Result<(), Mistake> {
        let process = find(&self.processes, process, "process")?;
        let location = |name: &Name| {
            let key = (process, name.text.clone());
            let message = || format!("the process has no location `{}`", name.text);
            let found = self.locations.get(&key).copied();
            found.ok_or_else(|| Mistake::new(name.at, message()))
        };
        let (source, target) = (location(source)?, location(target)?);
        let provided = attribute(attributes, "provided")?;
        let number = self.system.edges.len();
        if let Some(value) = provided.filter(|value| !value.text.is_empty()) {
            self.guards.push((number, value.at));
        }
        let (statements, locals) = match attribute(attributes, "do")? {
            Some(value) => self.scope.statements(&expressions::statements(value)?)?,
            None => <(Vec<Statement>, usize)>::default(),
        };
        let edge = Edge {
            process,
            source,
            target,
            event: find(&self.events, event, "event")?,
            is_synchronous: false,
            guard: self.guard(provided)?,
            statements,
            locals,
        };
        self.system.locations[source].edges.push(number);
        self.system.edges.push(edge);
        Ok(())
    }

    fn guard(&mut self, value: Option<&Name>) -> Result<Guard, Mistake> {
        match value.map(expressions::expression).transpose()?.flatten() {
            Some(expression) => self.scope.guard(&expression),
            None => Ok(Guard::default()),
        }
    }

    fn sync(
        &mut self,
        declaration: &Declaration,
        participants: &[declarations::Participant],
    ) -> Result<(), Mistake> {
        let mut resolved: Vec<Participant> = Vec::new();
        for participant in participants {
            let process = find(&self.processes, &participant.process, "process")?;
            if resolved.iter().any(|other| other.process == process) {
                let message = "a process takes part in a synchronisation at most once";
                return Err(Mistake::new(declaration.at, message));
            }
            resolved.push(Participant {
                process,
                event: find(&self.events, &participant.event, "event")?,
                is_weak: participant.is_weak,
            });
        }
        // A synchronisation of one process leaves its event asynchronous.
        if resolved.len() > 1 {
            for participant in &resolved {
                let pair = (participant.process, participant.event);
                self.synchronous.insert(pair);
                if participant.is_weak {
                    self.weak.insert(pair);
                }
            }
            let participants = resolved;
            self.system.syncs.push(Sync { participants });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<System, Mistake> {
        for (edge, at) in self.guards {
            let edge = &self.system.edges[edge];
            if self.weak.contains(&(edge.process, edge.event)) {
                let message = "an edge over a weakly synchronised event must not have a guard";
                return Err(Mistake::new(at, message));
            }
        }
        for edge in &mut self.system.edges {
            edge.is_synchronous = self.synchronous.contains(&(edge.process, edge.event));
        }
        Ok(self.system)
    }
}

/// The names of the elements of a variable.
fn elements(name: &Name, size: usize) -> impl Iterator<Item = String> {
    (0..size).map(move |index| match size {
        1 => name.text.clone(),
        _ => format!("{}[{index}]", name.text),
    })
}

/// The value of an attribute.
fn attribute<'a>(attributes: &'a [Attribute], key: &str) -> Result<Option<&'a Name>, Mistake> {
    let mut found = attributes.iter().filter(|a| a.key.text == key);
    let value = found.next().map(|attribute| &attribute.value);
    match found.next() {
        Some(second) => {
            let message = format!("the attribute `{key}` is given twice");
            Err(Mistake::new(second.key.at, message))
        }
        None => Ok(value),
    }
}

fn check_size(
    declaration: &Declaration,
    size: i64,
    before: usize,
    most: usize,
) -> Result<usize, Mistake> {
    let fits = |size: &usize| *size >= 1 && before + size <= most;
    let size = usize::try_from(size).ok().filter(fits);
    let message = || format!("the size is less than 1, or all sizes exceed {most}");
    size.ok_or_else(|| Mistake::new(declaration.at, message()))
}

fn add(names: &mut HashMap<String, usize>, name: &Name, what: &str) -> Result<(), Mistake> {
    let next = names.len();
    match names.insert(name.text.clone(), next) {
        None => Ok(()),
        Some(_) => {
            let message = format!("the {what} `{}` is declared twice", name.text);
            Err(Mistake::new(name.at, message))
        }
    }
}

fn find(names: &HashMap<String, usize>, name: &Name, what: &str) -> Result<usize, Mistake> {
    let message = || format!("there is no {what} `{}`", name.text);
    let found = names.get(&name.text).copied();
    found.ok_or_else(|| Mistake::new(name.at, message()))
}
