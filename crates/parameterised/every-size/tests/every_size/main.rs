//! The engine "one node" on protocols given as text.

mod evidence;
mod families;
mod figures;
mod protocols;
mod random;
mod sample;
mod traps;
