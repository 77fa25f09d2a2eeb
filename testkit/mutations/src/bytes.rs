//! Mutations of files of any kind: bytes, numbers, words and lines are changed, so that most of the file stays as it was.

use crate::Dice;

/// Numbers at the limits of common types and of the program.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1",
    "2",
    "7",
    "62",
    "64",
    "128",
    "255",
    "1000",
    "99999",
    "100001",
    "1000000000",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "1/0",
    "1/3",
];

/// Makes between one and four changes.
pub fn mutate_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.roll(4) {
        change(bytes, dice);
    }
}

/// Changes a byte, a number, a word, a line, or the end.
fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    match dice.roll(10) {
        0 => {
            let at = dice.roll(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = dice.roll(256) as u8;
            }
        }
        1 => bytes.truncate(dice.roll(bytes.len())),
        2..=4 => {
            let numbers = tokens(u8::is_ascii_digit, bytes);
            if let Some((from, to)) = numbers.get(dice.roll(numbers.len())) {
                let number = NUMBERS[dice.roll(NUMBERS.len())];
                bytes.splice(*from..*to, number.bytes());
            }
        }
        5 => {
            let words = tokens(u8::is_ascii_alphabetic, bytes);
            swap_in(bytes, &words, dice);
        }
        6 => {
            let lines = tokens(|byte| *byte != b'\n', bytes);
            swap_in(bytes, &lines, dice);
        }
        7 | 8 => {
            let words = tokens(u8::is_ascii_graphic, bytes);
            swap_in(bytes, &words, dice);
        }
        _ => {
            let words = tokens(u8::is_ascii_graphic, bytes);
            if let Some((from, to)) = words.get(dice.roll(words.len())).copied() {
                let most = 200_000 / (to - from);
                let many = [2, 50, 3_000][dice.roll(3)].min(most.max(2));
                let word = bytes[from..to].repeat(many);
                bytes.splice(from..to, word);
            }
        }
    }
}

/// Replaces a place of the bytes by the contents of another one.
fn swap_in(bytes: &mut Vec<u8>, places: &[(usize, usize)], dice: &mut Dice) {
    if let Some((from, to)) = places.get(dice.roll(places.len())).copied() {
        let other = places[dice.roll(places.len())];
        let word = bytes[other.0..other.1].to_vec();
        bytes.splice(from..to, word);
    }
}

/// The start and the end (exclusive) of each maximal sequence of bytes for which `is` is true.
fn tokens(is: impl Fn(&u8) -> bool, bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in bytes.iter().enumerate() {
        match (start, is(byte)) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                found.push((first, at));
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|first| (first, bytes.len())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_reach_to_the_end() {
        assert_eq!(tokens(u8::is_ascii_digit, b"a12b3"), [(1, 3), (4, 5)]);
        assert_eq!(tokens(u8::is_ascii_digit, b""), []);
    }

    #[test]
    fn mutations_differ_and_repeat() {
        let text = b"node A[2] { var x: 0..9 = 0 }\nclaim c: always all k in A: k.x < 9\n";
        let mutated = |seed: u64| {
            let mut bytes = text.to_vec();
            mutate_bytes(&mut bytes, &mut Dice::new(seed));
            bytes
        };
        let all: std::collections::BTreeSet<Vec<u8>> = (0..200).map(mutated).collect();
        assert!(all.len() > 150, "{} of 200 are different", all.len());
        assert_eq!(mutated(7), mutated(7));
        for seed in 0..200 {
            mutate_bytes(&mut Vec::new(), &mut Dice::new(seed));
        }
    }
}
