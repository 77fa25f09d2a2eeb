//! The contract between who asks and who answers: questions, budgets, verdicts, runs.
