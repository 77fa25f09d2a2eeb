//! Linear temporal logic: formulas, automata, and their value on a lasso.
