//! From a Model and its parameters to a Machine, and the way back for names and places.
