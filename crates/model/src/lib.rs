//! What a file means to its author: names resolved, types known, nothing evaluated yet.
