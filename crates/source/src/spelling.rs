//! Edit distances between a misspelt word and many known ones, for suggestions.

/// A word that is compared with others. Comparisons reuse the memory for the rows of the distance table.
pub struct Misspelt {
    word: Vec<char>,
    other: Vec<char>,
    /// Three successive rows of the table: those of the two previous letters, and that of the current letter.
    rows: [Vec<usize>; 3],
}

impl Misspelt {
    /// Prepares a word, in lower case, for comparisons.
    pub fn new(word: &str) -> Misspelt {
        Misspelt {
            word: word.chars().flat_map(char::to_lowercase).collect(),
            other: Vec::new(),
            rows: Default::default(),
        }
    }

    /// The edit distance to another word, also in lower case; `None` if it exceeds `most`. Swapping two neighbouring
    /// letters counts as one edit. The running time is at most proportional to the product of the lengths.
    pub fn distance(&mut self, other: &str, most: usize) -> Option<usize> {
        self.other.clear();
        self.other
            .extend(other.chars().flat_map(char::to_lowercase));
        let (a, b) = (&self.word, &self.other);
        if a.len().abs_diff(b.len()) > most {
            return None;
        }
        let [before, last, row] = &mut self.rows;
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.push(i);
            for j in 1..=b.len() {
                let substitute = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut least = substitute.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(before[j - 2] + 1);
                }
                row.push(least);
            }
            // No later entry is less than the least entry of two successive rows.
            let least = |row: &[usize]| row.iter().min().copied().unwrap_or_default();
            if least(row) > most && least(last) > most {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|distance| *distance <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_and_swaps_count_one() {
        for (a, b, distance) in [
            ("always", "always", 0),
            ("Always", "aLWAYS", 0),
            ("alwyas", "always", 1),
            ("alway", "always", 1),
            ("bit", "bat", 1),
            ("", "abc", 3),
            ("abcd", "badc", 2),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(Misspelt::new(a).distance(b, 9), Some(distance), "{a} {b}");
            assert_eq!(Misspelt::new(b).distance(a, distance), Some(distance));
            if distance > 0 {
                assert_eq!(Misspelt::new(a).distance(b, distance - 1), None, "{a} {b}");
            }
        }
    }

    #[test]
    fn rows_are_not_mixed_up_between_comparisons() {
        let mut word = Misspelt::new("leader");
        assert_eq!(word.distance("follower", 3), None);
        assert_eq!(word.distance("leaders", 3), Some(1));
        assert_eq!(word.distance("x", 9), Some(6));
        assert_eq!(word.distance("leader", 0), Some(0));
    }
}
