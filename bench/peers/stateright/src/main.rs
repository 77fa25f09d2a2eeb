//! `peer PROTOCOL THREADS RANK…`: searches a ring with stateright, and prints the numbers of states and transitions.
//!
//! States and transitions are those of the model with the same name (see `ring.rs`). The ranks of the members are given
//! in ring order, counted from 1.

mod chang_roberts;
mod dolev_klawe_rodeh;
mod ring;

use ring::{Member, Ring};
use stateright::{Checker, HasDiscoveries, Model};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let searched = match &args[..] {
        [protocol, threads, ranks @ ..] => search(protocol, threads, ranks),
        _ => None,
    };
    match searched {
        Some(true) => ExitCode::SUCCESS,
        Some(false) => ExitCode::FAILURE,
        None => {
            eprintln!("Usage: peer chang-roberts|dolev-klawe-rodeh THREADS RANK...");
            ExitCode::from(2)
        }
    }
}

/// Searches a ring. Returns whether agreement holds: every known leader is the member with the highest rank. `None` if
/// the arguments are wrong.
fn search(protocol: &str, threads: &str, ranks: &[String]) -> Option<bool> {
    let threads = threads.parse().ok()?;
    let ranks: Option<Vec<u8>> = ranks.iter().map(|rank| rank.parse().ok()).collect();
    let ranks = ranks?;
    match protocol {
        "chang-roberts" => of_size::<chang_roberts::Member>(threads, &ranks),
        "dolev-klawe-rodeh" => of_size::<dolev_klawe_rodeh::Member>(threads, &ranks),
        _ => None,
    }
}

/// Searches a ring whose size is a constant, so that states are arrays and need no heap memory.
fn of_size<M: Member>(threads: usize, ranks: &[u8]) -> Option<bool> {
    macro_rules! sizes {
        ($($n:literal)*) => {
            match ranks.len() {
                $($n => Some(search_ring::<M, $n>(threads, ranks)),)*
                _ => None,
            }
        };
    }
    sizes!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

fn search_ring<M: Member, const N: usize>(threads: usize, ranks: &[u8]) -> bool {
    let ranks = ranks.try_into().expect("as many ranks as members");
    let checker = Ring::<M, N>::new(ranks).checker();
    // Otherwise the search would end as soon as every property is decided.
    let checker = checker.finish_when(HasDiscoveries::AnyFailures);
    let done = checker.threads(threads).spawn_bfs().join();
    println!("states {}", done.unique_state_count());
    // Stateright also counts the generation of the initial state.
    println!("transitions {}", done.state_count() - 1);
    done.discoveries().is_empty()
}
