//! Tests of the parser, its diagnostics, its results, and the formatter.

mod editors;
mod format;
mod mistakes;
mod mistakes_in_items;
mod models;
mod pages;
mod readings;
mod robust;
mod text;
