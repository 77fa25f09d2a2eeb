//! The minimal form determines the zone, and no constraint of it is superfluous.

use crate::world::{Random, World};
use dbm::Zone;

#[test]
fn the_minimal_form_is_minimal_for_two_clocks() {
    round_trip(&World::of_two_clocks(3)).unwrap();
}

#[test]
fn the_minimal_form_is_minimal_for_three_clocks() {
    round_trip(&World::of_three_clocks(&mut Random(7), 3000)).unwrap();
}

#[test]
fn special_zones_have_short_forms() {
    assert_eq!(
        Zone::<i64>::universe(4)
            .view()
            .minimal()
            .constraints()
            .len(),
        0
    );
    // One cycle through all clocks; that the first one is not negative is known.
    assert_eq!(Zone::<i64>::zero(4).view().minimal().constraints().len(), 4);
    let mut zone = Zone::<i64>::zero(4);
    zone.delay();
    assert_eq!(zone.view().minimal().constraints().len(), 4);
    assert_eq!(
        Zone::<i64>::zero(0).view().minimal().to_zone(),
        Ok(Zone::zero(0))
    );
}

pub fn round_trip(world: &World) -> Result<(), String> {
    for zone in &world.zones {
        let minimal = zone.view().minimal();
        if minimal.clocks() != world.clocks || minimal.to_zone() != Ok(zone.clone()) {
            return Err(format!("{zone:?} becomes {minimal:?}"));
        }
        for left_out in 0..minimal.constraints().len() {
            let all = minimal.constraints().enumerate();
            let less = all.filter(|(place, _)| *place != left_out);
            let less = Zone::from_constraints(world.clocks, less.map(|(_, c)| c));
            if less == Ok(Some(zone.clone())) {
                return Err(format!("{left_out} of {minimal:?} is superfluous"));
            }
        }
    }
    Ok(())
}
