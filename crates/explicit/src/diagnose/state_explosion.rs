//! State-explosion diagnosis: which components multiply the states of a search that reached a limit.
//!
//! A component is here a variable of a node kind, the inboxes or outboxes of a kind, or the channels between two kinds.
//! Its *factor* is the average number of states that differ only in it: the number of states, divided by the number of
//! different states when the component is removed from all of them. If components are independent, the factor is the
//! number of values of the component, and the product of all factors is the number of states. A component that is
//! determined by the rest of the state has factor 1.
//!
//! A random sample of states would not work: two states of a sparse sample hardly ever differ in one component only, so
//! every factor would be 1. Instead the *rests* are sampled, a rest being a state without the component: a rest belongs
//! to the sample if its hash is below a bound, and then *all* its states are counted. The bound is lowered whenever the
//! sample becomes too large. With some thousands of rests, the average in the sample differs from that of all rests by
//! about one per cent, if the standard deviation is about as large as the average. The measurement needs less than 300
//! kB per component, because memory may be scarce at a limit, and one pass over the states. If there are very many
//! states, only the first ones in breadth-first order are measured. The measurement is deterministic.

use crate::graph::state_graph::Graph;
use crate::state::component_table::{ComponentTables, Numbering};
use crate::state::packing::ComponentForm;
use crate::store::visited_set::VisitedSet;
use foldhash::HashMap;
use machine::{EdgeId, Machine};
use verdict::{Component, Multiplier};

/// The greatest number of rests in the sample of a component.
const MOST_RESTS: usize = 1 << 13;

/// The approximate number of component values that are read: less than half a second of work, because a limit is reached.
const MOST_WORK: u64 = 20_000_000;

/// The least factor, in hundredths, of a component that is reported.
const LEAST: u64 = 150;

/// The greatest number of reported components.
const MOST_REPORTED: usize = 8;

/// The components of a state, and how packed components consist of them.
#[derive(Default)]
pub(crate) struct Pieces {
    components: Vec<Component>,
    pieces: Vec<Piece>,
    /// The indices of the components that are channels. If there are several, their joint factor is measured, too.
    channels: Vec<usize>,
}

/// A packed component of a state.
enum Piece {
    /// Several numbers, each in this many bytes; and for each the index of its component.
    Fields(usize, Vec<usize>),
    /// One value; the index of its component.
    Whole(usize),
}

impl Pieces {
    /// The components of the states of a graph.
    fn of(graph: &Graph<'_>) -> Pieces {
        let machine = graph.compiled.machine;
        let layout = &graph.expander().layout;
        let (_, forms) = layout.parts();
        let mut all = Pieces::default();
        let kind = |node| machine.kinds[machine.kind_of(node).index()].name.clone();
        for node in machine.nodes() {
            let mut fields = vec![all.component(Component::Mode(kind(node)))];
            for var in machine.vars_of(machine.kind_of(node)) {
                let (kind, name) = (kind(node), var.name.clone());
                fields.push(all.component(Component::Variable { kind, name }));
            }
            match forms[node.index()] {
                ComponentForm::Fields(width) => all.pieces.push(Piece::Fields(width, fields)),
                _ => all.pieces.push(Piece::Whole(fields[0])),
            }
        }
        let (faults, paces) = (machine.faults.len(), layout.pace().len());
        let between = forms.len() - 3 * machine.node_count() as usize - machine.edges.len();
        for number in 0..between {
            all.whole(match number {
                n if n < faults => Component::Faults,
                n if n < faults + paces => Component::Pace,
                _ => Component::Clocks,
            });
        }
        machine
            .nodes()
            .for_each(|node| all.whole(Component::Outbox(kind(node))));
        machine
            .nodes()
            .for_each(|node| all.whole(Component::Inbox(kind(node))));
        for edge in 0..machine.edges.len() as u32 {
            all.whole(channel(machine, EdgeId(edge)));
        }
        let is_channel = |what: &Component| matches!(what, Component::Channel { .. });
        let channels = (0..all.components.len()).filter(|c| is_channel(&all.components[*c]));
        all.channels = channels.collect();
        all
    }

    /// The index of a component, which is added if it is new.
    fn component(&mut self, what: Component) -> usize {
        let known = self.components.iter().position(|known| *known == what);
        known.unwrap_or_else(|| {
            self.components.push(what);
            self.components.len() - 1
        })
    }

    fn whole(&mut self, what: Component) {
        let number = self.component(what);
        self.pieces.push(Piece::Whole(number));
    }

    /// The number of component values that are read per state.
    fn work(&self) -> u64 {
        let numbers = self.pieces.iter().map(|piece| match piece {
            Piece::Fields(_, fields) => fields.len(),
            Piece::Whole(_) => 1,
        });
        (numbers.sum::<usize>() + self.components.len()) as u64
    }

    /// The factors of the components in the first `states` states, greatest first.
    fn measure(
        &self,
        store: &VisitedSet,
        tables: &ComponentTables,
        states: u32,
    ) -> Vec<Multiplier> {
        let mut rests: Vec<Rests> = self.components.iter().map(|_| Rests::default()).collect();
        let mut together = Rests::default();
        let mut shares = vec![0u64; self.components.len()];
        let mut numbers = Vec::new();
        for state in 0..states {
            if cancellation::is_cancelled() {
                return Vec::new(); // an interrupted check reports its answers without the measurement
            }
            store.read(state, &mut numbers);
            shares.fill(0);
            let mut place = 0u64;
            let mut share = |component: usize, number: u64| {
                let share = mixed(mixed(place) ^ number);
                shares[component] = shares[component].wrapping_add(share);
                place += 1;
            };
            for (part, (piece, number)) in self.pieces.iter().zip(&numbers).enumerate() {
                match piece {
                    Piece::Whole(component) => share(*component, u64::from(*number)),
                    Piece::Fields(width, fields) => {
                        let value = tables.value(part, *number).chunks_exact(*width);
                        for (component, bytes) in fields.iter().zip(value) {
                            share(*component, crate::state::component_table::read(bytes));
                        }
                    }
                }
            }
            let whole = shares.iter().fold(0u64, |all, one| all.wrapping_add(*one));
            for (rests, share) in rests.iter_mut().zip(&shares) {
                rests.add(whole.wrapping_sub(*share));
            }
            if self.channels.len() > 1 {
                let less = |rest: u64, channel: &usize| rest.wrapping_sub(shares[*channel]);
                together.add(self.channels.iter().fold(whole, less));
            }
        }
        let measured = self.components.iter().zip(&rests);
        let measured = measured.chain([(&Component::Channels, &together)]);
        let mut found: Vec<Multiplier> = measured
            .map(|(what, rests)| Multiplier {
                what: what.clone(),
                hundredths: rests.states_each(),
            })
            .filter(|one| one.hundredths >= LEAST)
            .collect();
        found.sort_by(|a, b| (b.hundredths, &a.what).cmp(&(a.hundredths, &b.what)));
        found.truncate(MOST_REPORTED);
        found
    }
}

/// The factors of the components in the states of a graph, and the number of states measured.
pub(crate) fn multipliers(graph: &Graph<'_>) -> (Vec<Multiplier>, u64) {
    let pieces = Pieces::of(graph);
    let most = (MOST_WORK / pieces.work().max(1)).min(u64::from(graph.store.len())) as u32;
    let found = pieces.measure(&graph.store, &graph.tables, most);
    (found, u64::from(most))
}

fn channel(machine: &Machine, edge: EdgeId) -> Component {
    let (from, to) = machine.edges[edge.index()];
    let kind = |node| machine.kinds[machine.kind_of(node).index()].name.clone();
    let (from, to) = (kind(from), kind(to));
    Component::Channel { from, to }
}

/// A sample of rests by hash, with the number of states of each. It contains the rests whose hash begins with at least
/// `zeros` zeros.
#[derive(Default)]
struct Rests {
    states: HashMap<u64, u32>,
    zeros: u32,
}

impl Rests {
    fn add(&mut self, rest: u64) {
        if rest.leading_zeros() < self.zeros {
            return;
        }
        *self.states.entry(rest).or_insert(0) += 1;
        while self.states.len() > MOST_RESTS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.states.retain(|rest, _| rest.leading_zeros() >= zeros);
        }
    }

    /// The average number of states per rest, in hundredths.
    fn states_each(&self) -> u64 {
        let states: u64 = self.states.values().map(|many| u64::from(*many)).sum();
        match self.states.len() as u64 {
            0 => 100,
            rests => (states * 100 + rests / 2) / rests,
        }
    }
}

/// A hash of a number.
fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::visited_set::Size;

    fn name(number: usize) -> Component {
        Component::Mode(format!("{number}"))
    }

    /// The factors for a set of rows in which each column is a component.
    fn measured(columns: usize, rows: impl Iterator<Item = Vec<u32>>) -> Vec<Multiplier> {
        let mut store = VisitedSet::new((0..columns).map(Size::Group).collect());
        rows.for_each(|row| {
            store.insert(&row);
        });
        let mut pieces = Pieces::default();
        (0..columns).for_each(|column| pieces.whole(name(column)));
        pieces.measure(&store, &ComponentTables::new(columns), store.len())
    }

    fn factor(found: &[Multiplier], column: usize) -> f64 {
        let one = found.iter().find(|one| one.what == name(column));
        one.map_or(1.0, |one| one.hundredths as f64 / 100.0)
    }

    fn product(sizes: &[u32]) -> impl Iterator<Item = Vec<u32>> {
        let all = sizes.iter().product::<u32>();
        (0..all).map(move |mut number| {
            let digits = sizes.iter().map(|size| {
                let digit = number % size;
                number /= size;
                digit
            });
            digits.collect()
        })
    }

    #[test]
    fn of_what_is_independent_it_is_the_number_of_values() {
        // The sample contains all rests, so the factors are exact.
        let found = measured(4, product(&[7, 5, 3, 1]));
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.what.clone(), one.hundredths))
            .collect();
        assert_eq!(told, [(name(0), 700), (name(1), 500), (name(2), 300)]);
    }

    #[test]
    fn of_many_rests_some_are_enough() {
        // 1.2 million states, up to 600,000 rests per component. The factors are exact because all rests have equally
        // many states.
        let found = measured(4, product(&[61, 2, 100, 100]));
        for (column, values) in [61.0, 2.0, 100.0, 100.0].into_iter().enumerate() {
            assert_eq!(factor(&found, column), values, "{column}");
        }
    }

    /// If rests have different numbers of states, factors are correct within three per cent.
    #[test]
    fn where_rests_differ_it_is_their_average() {
        // The second number is at most the first one: 78 pairs for 12 first numbers. The other two numbers are
        // independent.
        let rows = product(&[12, 12, 100, 100]).filter(|row| row[1] <= row[0]);
        let found = measured(4, rows);
        let near = |found: f64, real: f64| (found / real - 1.0).abs() < 0.03;
        assert!(near(factor(&found, 0), 6.5), "{found:?}");
        assert!(near(factor(&found, 1), 6.5), "{found:?}");
        assert!(near(factor(&found, 2), 100.0), "{found:?}");
    }

    #[test]
    fn what_the_rest_determines_multiplies_nothing() {
        let rows = product(&[9, 8]).map(|row| vec![row[0], row[1], row[0] + row[1], row[0] * 3]);
        let found = measured(4, rows);
        assert_eq!(found, [], "each follows from the others");
        let rows = product(&[9, 8]).map(|row| vec![row[0], row[1], row[0] % 2]);
        let found = measured(3, rows);
        assert_eq!(factor(&found, 1), 8.0);
        assert_eq!(factor(&found, 0), 4.5, "5 even ones and 4 odd ones");
    }

    #[test]
    fn channels_are_left_out_together_too() {
        let mut store = VisitedSet::new((0..3).map(Size::Group).collect());
        // Two channels that are always equal: each determines the other, but the rest of the state determines neither.
        for row in product(&[6, 4]) {
            store.insert(&[row[0], row[0], row[1]]);
        }
        let mut pieces = Pieces::default();
        (0..3).for_each(|column| pieces.whole(name(column)));
        pieces.channels = vec![0, 1];
        let found = pieces.measure(&store, &ComponentTables::new(3), store.len());
        let told: Vec<_> = found
            .iter()
            .map(|one| (&one.what, one.hundredths))
            .collect();
        assert_eq!(told, [(&Component::Channels, 600), (&name(2), 400)]);
    }

    /// A variable of several nodes is one component: it is removed from all nodes together.
    #[test]
    fn fields_of_several_nodes_are_one_component() {
        let mut tables = ComponentTables::new(2);
        let mut store = VisitedSet::new(vec![Size::Group(0), Size::Group(0)]);
        for row in product(&[3, 2, 3, 2]) {
            let bytes = |a: u32, b: u32| [a as u8, 0, b as u8, 0];
            let numbers = [
                tables.number(0, &bytes(row[0], row[1])),
                tables.number(1, &bytes(row[2], row[3])),
            ];
            store.insert(&numbers);
        }
        let mut pieces = Pieces::default();
        for _ in 0..2 {
            let fields = vec![pieces.component(name(0)), pieces.component(name(1))];
            pieces.pieces.push(Piece::Fields(2, fields));
        }
        let found = pieces.measure(&store, &tables, store.len());
        assert_eq!((factor(&found, 0), factor(&found, 1)), (9.0, 4.0));
    }
}
