//! Tests of checkpoint files: committed records are read back; a changed or truncated file gives an error or the
//! records of an earlier commit.

use super::{Checkpoints, Header, Owner};
use crate::call::checkpoint_file::{self as file, LogFile};
use crate::call::load::load_text;
use crate::call::options::Options;
use std::path::PathBuf;
use std::time::Duration;
use verdict::CheckpointStore;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("scrutineer-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a new folder");
    path
}

fn a_header() -> Vec<u8> {
    let owner = Owner {
        tool: "1".into(),
        model: "a.scrut".into(),
        text: "node".into(),
        call: String::new(),
    };
    let header = Header {
        owner,
        check: 1,
        question: "?".into(),
    };
    serde_json::to_vec(&header).expect("plain data")
}

fn records(path: &std::path::Path) -> Result<Vec<Vec<u8>>, String> {
    file::read(path)?;
    let mut records = Vec::new();
    LogFile::new(path.into(), a_header()).each(&mut |record| {
        records.push(record.to_vec());
        Ok(())
    })?;
    Ok(records)
}

/// Writes a file with three commits. Returns the committed records before the first commit and after each commit.
fn three_commits(path: &std::path::Path) -> Vec<Vec<Vec<u8>>> {
    let mut log = LogFile::new(path.into(), a_header());
    log.begin();
    let mut kept = vec![Vec::new()];
    let mut all = Vec::new();
    for words in [vec!["one", "two"], vec!["three"], vec!["four", "", "five"]] {
        for word in words {
            log.put(word.as_bytes());
            all.push(word.as_bytes().to_vec());
        }
        log.commit().expect("there is room");
        kept.push(all.clone());
    }
    kept
}

#[test]
fn committed_records_are_read_back() {
    let folder = folder("back");
    let path = folder.join("a.checkpoint");
    let kept = three_commits(&path);
    assert_eq!(records(&path).as_ref(), Ok(&kept[3]));
    // Uncommitted records are lost, and do not affect records committed later.
    let mut log = LogFile::new(path.clone(), a_header());
    log.put(b"lost");
    drop(log);
    assert_eq!(records(&path).as_ref(), Ok(&kept[3]));
    let mut log = LogFile::new(path.clone(), a_header());
    log.put(b"six");
    log.commit().expect("there is room");
    assert_eq!(
        records(&path),
        Ok([&kept[3][..], &[b"six".to_vec()]].concat())
    );
    log.begin();
    log.put(b"other");
    assert_eq!(records(&path).map(|p| p.len()), Ok(7));
    log.commit().expect("there is room");
    assert_eq!(records(&path), Ok(vec![b"other".to_vec()]));
}

#[test]
fn every_changed_byte_is_detected_or_harmless() {
    let folder = folder("bytes");
    let path = folder.join("a.checkpoint");
    let kept = three_commits(&path);
    let bytes = std::fs::read(&path).expect("the file exists");
    let (mut refused, mut earlier) = (0, 0);
    for at in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= bit;
            std::fs::write(&path, changed).expect("there is room");
            match records(&path) {
                Err(why) => {
                    assert!(
                        why.contains("a.checkpoint") && why.contains("remove it"),
                        "{why}"
                    );
                    refused += 1;
                }
                Ok(found) => {
                    assert!(kept.contains(&found), "byte {at}: {found:?}");
                    earlier += 1;
                }
            }
        }
    }
    // Only a change in the two length slots is harmless: the other slot still holds a valid length.
    assert_eq!(earlier, 2 * 2 * 16, "{refused} refused");
}

#[test]
fn every_truncated_file_is_detected() {
    let folder = folder("cut");
    let path = folder.join("a.checkpoint");
    let kept = three_commits(&path);
    let bytes = std::fs::read(&path).expect("the file exists");
    for length in 0..bytes.len() {
        std::fs::write(&path, &bytes[..length]).expect("there is room");
        assert!(records(&path).is_err(), "{length} of {}", bytes.len());
    }
    // A process that is killed while it writes leaves bytes after the committed length. They are cut off.
    for tail in [&b"\x05"[..], b"\x03\0\0\0abc", &[0; 5000]] {
        std::fs::write(&path, [&bytes[..], tail].concat()).expect("there is room");
        assert_eq!(records(&path).as_ref(), Ok(&kept[3]));
        let mut log = LogFile::new(path.clone(), a_header());
        log.put(b"six");
        log.commit().expect("there is room");
        assert_eq!(records(&path).map(|p| p.len()), Ok(kept[3].len() + 1));
    }
}

#[test]
fn a_failed_write_leaves_the_previous_records() {
    let folder = folder("full");
    let path = folder.join("a.checkpoint");
    let kept = three_commits(&path);
    // A folder with the temporary name prevents the creation of the new file.
    let blocked = folder.join("a.checkpoint.unfinished");
    std::fs::create_dir(&blocked).expect("a folder");
    let mut log = LogFile::new(path.clone(), a_header());
    log.begin();
    log.put(b"new");
    assert!(log.commit().is_err());
    assert_eq!(records(&path).as_ref(), Ok(&kept[3]));
    std::fs::remove_dir(&blocked).expect("the file exists");
    log.begin();
    log.put(b"new");
    log.commit().expect("there is room again");
    assert_eq!(records(&path), Ok(vec![b"new".to_vec()]));
}

const MODEL: &str = "node Node { var x: bool = false }\n";

#[test]
fn only_the_same_call_resumes() {
    let out = folder("call");
    let options = Options::default();
    let loaded = [load_text("m.scrut", MODEL)];
    let all = Checkpoints::new(&out, Duration::ZERO);
    let files = all.of(&loaded[0], 0, &options);
    let mut log = files.log("question");
    log.begin();
    log.put(b"something");
    assert!(log.commit());
    drop(log);
    let look = |loaded: &[crate::call::load::Loaded], options: &Options, resume| {
        Checkpoints::new(&out, Duration::ZERO).look(loaded, options, resume)
    };
    assert_eq!(look(&loaded, &options, true), Ok(()));
    let why = look(&loaded, &options, false).expect_err("it would be lost");
    assert!(why.contains("--resume"), "{why}");
    let changed = [load_text("m.scrut", &MODEL.replace("false", "true"))];
    let why = look(&changed, &options, true).expect_err("another text");
    assert!(why.contains("before it was changed"), "{why}");
    let claim = Options {
        claim: Some("c".into()),
        ..Options::default()
    };
    let why = look(&loaded, &claim, true).expect_err("another call");
    assert!(why.contains("--claim c"), "{why}");
    // The call ends and no search has reached a limit: no file remains, not even an unfinished one.
    let mut log = files.log("question");
    log.begin();
    log.put(b"half");
    drop(log);
    let left = || std::fs::read_dir(out.join("m")).expect("a folder").count();
    assert_eq!(left(), 2);
    assert_eq!(all.end(), 0);
    assert_eq!(left(), 0);
    assert_eq!(look(&loaded, &options, false), Ok(()));
}
