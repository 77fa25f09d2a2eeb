//! Tests of the parser, its messages, its readings of the language, and the formatter.

mod editors;
mod format;
mod mistakes;
mod mistakes_in_items;
mod models;
mod pages;
mod readings;
mod robust;
mod text;
