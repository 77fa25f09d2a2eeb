//! Every seeded defect is detected by a law.

use crate::world::{Random, World};
use crate::{abstractions, minimal, operations};
use dbm::defects::{Breaking, Defect};

#[test]
fn every_defect_is_detected() {
    for defect in Defect::ALL {
        let mut world = World::of_two_clocks(1);
        let other = World::of_two_clocks(2).part(31);
        let three = World::of_three_clocks(&mut Random(10), 200);
        let _breaking = Breaking::rule(defect);
        let results = [
            ("time and values", operations::time_and_values(&mut world)),
            (
                "added constraints",
                operations::added_constraints(&mut world),
            ),
            (
                "formula",
                abstractions::formula(&mut world, &mut Random(11)),
            ),
            (
                "simulation",
                abstractions::simulation(&other, &mut Random(12), 40),
            ),
            ("round trip", minimal::round_trip(&three)),
        ];
        let detected = results.iter().filter(|(_, result)| result.is_err());
        let detected: Vec<&str> = detected.map(|(law, _)| *law).collect();
        println!("{defect:?}: {detected:?}");
        assert!(!detected.is_empty(), "{defect:?}");
    }
}
