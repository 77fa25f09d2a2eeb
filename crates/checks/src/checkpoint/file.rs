//! One file of pieces, which are there as they were written, or not at all.
//!
//! A file begins with its name and format, and with two places that say up to where it counts; then come pieces, the first of
//! which says whom it belongs to, each with its length and a checksum. What is added counts once one of the two
//! places says so, which is written when everything before it has reached the disk. So whatever is behind that comes from
//! a process that was killed while it wrote, and is cut off; everything before it must be as it was.

use super::{Header, Owner};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8] = b"scrutineer checkpoint\n";

/// The version of the format.
const FORMAT: u32 = 1;

/// Where the places begin that say up to where a file counts, and how long each is.
const SLOTS: u64 = MAGIC.len() as u64 + 4;
const SLOT: u64 = 16;

/// Where the pieces begin.
const PIECES: u64 = SLOTS + 2 * SLOT;

/// A file, and what is being written.
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    header: Vec<u8>,
    /// The next pieces are in place of all others.
    anew: bool,
    writing: Option<Writing>,
    /// Why something since the last commit could not be written.
    failed: Option<std::io::Error>,
}

struct Writing {
    file: BufWriter<File>,
    /// How long it is.
    length: u64,
    /// Up to where it counts, and which of the two places says so.
    counts: (u64, usize),
}

/// A file that was read: whole up to where it counts.
pub(super) struct Whole {
    path: PathBuf,
    header: Header,
}

/// What is said of files begins so.
pub(super) const NAMED: &str = "the checkpoint ";

/// What is wrong with a file, in words for people.
pub(super) fn damaged(path: &Path, why: &str) -> String {
    let path = path.display();
    format!(
        "{NAMED}{path} is damaged ({why}) and was not used: bring back a copy of it, or remove it to search what it belongs \
         to from the beginning"
    )
}

/// Reads a file from its beginning to its end, and makes sure that everything is as it was written.
pub(super) fn read(path: &Path) -> Result<Whole, String> {
    let mut pieces = Pieces::open(path)?;
    let first = pieces.next()?;
    let first = first.ok_or_else(|| damaged(path, "it does not say whom it belongs to"))?;
    let header = serde_json::from_slice(first);
    let header: Header = header.map_err(|e| damaged(path, &e.to_string()))?;
    while pieces.next()?.is_some() {}
    Ok(Whole {
        path: path.into(),
        header,
    })
}

impl Whole {
    /// Makes sure that it belongs to one of these.
    pub(super) fn belongs_to(&self, owners: &[Owner]) -> Result<(), String> {
        let (path, own) = (self.path.display(), &self.header.owner);
        let near = |o: &&Owner| file_name(&o.model) == file_name(&own.model);
        let text = owners.iter().find(|o| o.text == own.text);
        let Some(owner) = text.or_else(|| owners.iter().find(near)) else {
            let model = &own.model;
            return Err(format!(
                "the checkpoint {path} belongs to another model, {model}: name another folder with --out, or remove it"
            ));
        };
        if own.tool != owner.tool {
            return Err(format!(
                "the checkpoint {path} was made by scrutineer {}, and this is {}: go on with that version, or remove it to begin anew",
                own.tool, owner.tool
            ));
        }
        if own.text != owner.text {
            let model = &owner.model;
            return Err(format!(
                "the checkpoint {path} belongs to {model} as it was before it was changed: undo the change, or remove the checkpoint \
                 to begin anew"
            ));
        }
        if own.call != owner.call {
            let said = |call: &str| match call {
                "" => "without -D, --claim and --by".into(),
                call => format!("with {call}"),
            };
            return Err(format!(
                "the checkpoint {path} was made {}, and this call is {}: say the same again, or remove the checkpoint to begin anew",
                said(&own.call),
                said(&owner.call)
            ));
        }
        Ok(())
    }
}

fn file_name(model: &str) -> Option<&std::ffi::OsStr> {
    Path::new(model).file_name()
}

/// The pieces of a file, one after the other.
struct Pieces {
    path: PathBuf,
    file: BufReader<File>,
    at: u64,
    counts: (u64, usize),
    piece: Vec<u8>,
}

impl Pieces {
    fn open(path: &Path) -> Result<Pieces, String> {
        let cannot =
            |e: std::io::Error| format!("cannot read the checkpoint {}: {e}", path.display());
        let file = File::open(path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut start = vec![0; PIECES as usize];
        if length < PIECES || file.read_exact(&mut start).is_err() || !start.starts_with(MAGIC) {
            return Err(format!(
                "{} is no checkpoint of Scrutineer, whatever its name says: remove it, or name another folder with --out",
                path.display()
            ));
        }
        let format = u32::from_le_bytes(word(&start[MAGIC.len()..]));
        if format != FORMAT {
            return Err(format!(
                "the checkpoint {} has format {format}, and this version of scrutineer reads format {FORMAT}: go on with the version \
                 that made it, or remove it to begin anew",
                path.display()
            ));
        }
        let slot = |n: usize| {
            let at = (SLOTS + n as u64 * SLOT) as usize;
            let slot = &start[at..at + SLOT as usize];
            let check = u64::from_le_bytes(word(&slot[8..]));
            (checksum(n as u64, &slot[..8]) == check).then(|| u64::from_le_bytes(word(slot)))
        };
        let counts = [0, 1].into_iter().filter_map(|n| Some((slot(n)?, n)));
        let counts = counts
            .max()
            .ok_or_else(|| damaged(path, "it does not say how long it is"))?;
        if counts.0 > length {
            let missing = counts.0 - length;
            return Err(damaged(
                path,
                &format!("its last {missing} bytes are missing"),
            ));
        }
        Ok(Pieces {
            path: path.into(),
            file,
            at: PIECES,
            counts,
            piece: Vec::new(),
        })
    }

    /// The next one; nothing if there is none.
    fn next(&mut self) -> Result<Option<&[u8]>, String> {
        let left = self.counts.0.saturating_sub(self.at);
        if left == 0 {
            return Ok(None);
        }
        let bad = || {
            damaged(
                &self.path,
                &format!("what is at byte {} was changed", self.at),
            )
        };
        let mut number = [0; 4];
        self.file.read_exact(&mut number).map_err(|_| bad())?;
        let length = u64::from(u32::from_le_bytes(number));
        if length + 12 > left {
            return Err(bad());
        }
        self.piece.resize(length as usize, 0);
        self.file.read_exact(&mut self.piece).map_err(|_| bad())?;
        let mut check = [0; 8];
        self.file.read_exact(&mut check).map_err(|_| bad())?;
        if u64::from_le_bytes(check) != checksum(self.at, &self.piece) {
            return Err(bad());
        }
        self.at += length + 12;
        Ok(Some(&self.piece))
    }
}

impl LogFile {
    /// For pieces behind this header, at this place.
    pub(super) fn new(path: PathBuf, header: Vec<u8>) -> LogFile {
        LogFile {
            path,
            header,
            anew: false,
            writing: None,
            failed: None,
        }
    }

    /// Gives back all pieces; none if there is no file, or it belongs to another question.
    pub(super) fn each(
        &mut self,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        if !self.path.exists() {
            return Ok(());
        }
        let mut pieces = Pieces::open(&self.path)?;
        if pieces.next()? != Some(&self.header[..]) {
            return Ok(()); // two questions with one name: the later one is kept
        }
        while let Some(piece) = pieces.next()? {
            visit(piece)?;
        }
        Ok(())
    }

    /// The next pieces are in place of all others, once they are committed.
    pub(super) fn begin(&mut self) {
        self.anew = true;
        self.writing = None;
        self.failed = None;
    }

    /// Adds a piece.
    pub(super) fn put(&mut self, piece: &[u8]) {
        if self.failed.is_none()
            && let Err(error) = self.try_to_put(piece)
        {
            self.failed = Some(error);
        }
    }

    fn try_to_put(&mut self, piece: &[u8]) -> std::io::Result<()> {
        let writing = match &mut self.writing {
            Some(writing) => writing,
            none => none.insert(match self.anew {
                true => Writing::anew(&self.path, &self.header)?,
                false => Writing::behind(&self.path)?,
            }),
        };
        writing.put(piece)
    }

    /// What was added counts from now on; or says why it cannot, and what was there before still counts.
    pub(super) fn commit(&mut self) -> std::io::Result<()> {
        let committed = match self.failed.take() {
            Some(error) => Err(error),
            None => self.try_to_commit(),
        };
        if committed.is_err() {
            // Room on a full disk is of more use to others.
            if let Some(writing) = self.writing.take()
                && !self.anew
            {
                let (file, _) = writing.file.into_parts();
                let _ = file.set_len(writing.counts.0);
            }
            let _ = std::fs::remove_file(unfinished(&self.path)); // if it is there at all
        }
        committed
    }

    fn try_to_commit(&mut self) -> std::io::Result<()> {
        let Some(writing) = &mut self.writing else {
            return Ok(());
        };
        writing.file.flush()?;
        writing.file.get_ref().sync_data()?;
        match self.anew {
            true => {
                writing.say_length(0)?;
                writing.say_length(1)?;
                std::fs::rename(unfinished(&self.path), &self.path)?;
                if let Some(folder) = self.path.parent()
                    && let Ok(folder) = File::open(folder)
                {
                    let _ = folder.sync_all(); // not every system can do that
                }
                self.anew = false;
            }
            false => writing.say_length(1 - writing.counts.1)?,
        }
        Ok(())
    }
}

impl Writing {
    fn anew(path: &Path, header: &[u8]) -> std::io::Result<Writing> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = BufWriter::with_capacity(1 << 20, File::create(unfinished(path))?);
        file.write_all(MAGIC)?;
        file.write_all(&FORMAT.to_le_bytes())?;
        file.write_all(&[0; 2 * SLOT as usize])?;
        let mut writing = Writing {
            file,
            length: PIECES,
            counts: (0, 0),
        };
        writing.put(header)?;
        Ok(writing)
    }

    /// Behind what counts of a file.
    fn behind(path: &Path) -> std::io::Result<Writing> {
        let counts = Pieces::open(path).map_err(std::io::Error::other)?.counts;
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(counts.0)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Writing {
            file: BufWriter::with_capacity(1 << 20, file),
            length: counts.0,
            counts,
        })
    }

    fn put(&mut self, piece: &[u8]) -> std::io::Result<()> {
        let length = u32::try_from(piece.len()).map_err(std::io::Error::other)?;
        self.file.write_all(&length.to_le_bytes())?;
        self.file.write_all(piece)?;
        let check = checksum(self.length, piece);
        self.file.write_all(&check.to_le_bytes())?;
        self.length += u64::from(length) + 12;
        Ok(())
    }

    /// Everything so far counts, says one of the two places.
    fn say_length(&mut self, slot: usize) -> std::io::Result<()> {
        let length = self.length.to_le_bytes();
        let check = checksum(slot as u64, &length).to_le_bytes();
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(SLOTS + slot as u64 * SLOT))?;
        file.write_all(&[length, check].concat())?;
        file.sync_data()?;
        file.seek(SeekFrom::End(0))?;
        self.counts = (self.length, slot);
        Ok(())
    }
}

/// The name of a file before it is whole.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&bytes[..N]);
    word
}

/// A number that depends on every byte, and on where they are (FNV-1a): two texts of one length that differ in a single byte never
/// have the same.
pub(super) fn checksum(place: u64, bytes: &[u8]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let place = place.to_le_bytes();
    let all = place.iter().chain(bytes);
    all.fold(START, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(PRIME)
    })
}
