//! The poll of a sensor.
