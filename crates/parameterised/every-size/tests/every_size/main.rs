//! The engine "one node" on protocols given as text.

mod figures;
mod protocols;
