//! Seal and open beside raw ring AES-256-GCM with base64 in the same run: `cargo bench --bench state`.
//!
//! Each line is the median over slices that take turns, so that a slow phase of the machine hits all alike;
//! the ratio is to the raw operation of the same size. Two threads are compared with one at the end.
#![allow(missing_docs, unsafe_code)]

mod kit;

use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Barrier};

use base64::Engine;
use base64::engine::{Simd, general_purpose::NO_PAD};
use kit::{Op, measure};
use mrtr::ffi::abi::request::{MRTR_PRINCIPAL_PARTS, mrtr_request};
use mrtr::ffi::abi::sealer::{
    mrtr_opened, mrtr_sealer, mrtr_sealer_free, mrtr_sealer_new, mrtr_sealer_open_into,
    mrtr_sealer_options, mrtr_sealer_options_init, mrtr_sealer_seal_into,
};
use mrtr::ffi::abi::slice::{mrtr_room, mrtr_slice};
use mrtr::ffi::abi::version::MRTR_ABI;
use mrtr::json::{Limits, Raw};
use mrtr::state::{Cipher, Draft, Principal, Request, Sealer, SealerOptions, Secret};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};

const SIZES: [usize; 4] = [64, 1 << 10, 16 << 10, 256 << 10];
const PARAMS: &str = r#"{"name":"book_trip","arguments":{"from":"Zürich","to":"Lisboa","date":"2026-08-14","seats":2,"window":true,"notes":["quiet","front"],"budget":{"amount":420.50,"currency":"EUR"}}}"#;
const PRINCIPAL: [&[u8]; 3] = [b"https://issuer.example", b"user-1", b"client-1"];
const ROUNDS: usize = 201;

fn sealer(cipher: Cipher) -> Sealer {
    Sealer::new(SealerOptions {
        keys: vec![Secret::new(&[7; 32]), Secret::new(&[8; 32])],
        cipher,
        limits: Limits {
            state_bytes: 1 << 20,
            ..Limits::default()
        },
        ..SealerOptions::default()
    })
    .expect("options are good")
}

fn slice(bytes: &[u8]) -> mrtr_slice {
    mrtr_slice {
        ptr: bytes.as_ptr(),
        len: bytes.len(),
    }
}

/// The same through the C ABI, into memory of the caller's: all checks of what comes in, the JSON of `params` too. With several
/// `params` in turn each call has another request than the one before; with one, it is a request that the thread has just seen.
struct Abi {
    sealer: mrtr_sealer,
    request: mrtr_request,
    params: Vec<String>,
    turn: usize,
    room: Vec<u8>,
}

impl Abi {
    fn new(parts: &[mrtr_slice], requests: u32) -> Abi {
        let key = [slice(&[7; 32])];
        let mut sealer = mrtr_sealer { id: 0 };
        // SAFETY: pointers to what the types say; all words 0 is a value of the structs.
        let request = unsafe {
            let mut options: mrtr_sealer_options = std::mem::zeroed();
            let size = size_of::<mrtr_sealer_options>() as u32;
            mrtr_sealer_options_init(&mut options, size, MRTR_ABI);
            (options.keys, options.key_count) = (key.as_ptr(), 1);
            options.max_state_bytes = 1 << 20;
            assert_eq!(mrtr_sealer_new(&options, &mut sealer, null_mut()), 0);
            let mut request: mrtr_request = std::mem::zeroed();
            request.struct_size = size_of::<mrtr_request>() as u32;
            request.method = slice(b"tools/call");
            request.principal.kind = MRTR_PRINCIPAL_PARTS;
            (request.principal.parts, request.principal.count) = (parts.as_ptr(), parts.len());
            request
        };
        Abi {
            sealer,
            request,
            params: (0..requests)
                .map(|at| PARAMS.replace("2026", &(2026 + at).to_string()))
                .collect(),
            turn: 0,
            room: vec![0; 512 << 10],
        }
    }

    fn room(&mut self) -> mrtr_room {
        mrtr_room {
            ptr: self.room.as_mut_ptr(),
            len: self.room.len(),
        }
    }

    /// The next request.
    fn next(&mut self) {
        self.turn = (self.turn + 1) % self.params.len();
        self.request.params = slice(self.params[self.turn].as_bytes());
    }

    fn seal(&mut self, state: &[u8]) -> usize {
        self.next();
        let (room, absent, mut len) = (
            self.room(),
            mrtr_slice {
                ptr: null(),
                len: 0,
            },
            0,
        );
        let seal = black_box(
            mrtr_sealer_seal_into
                as unsafe extern "C" fn(_, *const mrtr_request, _, _, _, _, *mut usize, _) -> _,
        );
        // SAFETY: as above.
        let status: i32 = unsafe {
            seal(
                self.sealer,
                &self.request,
                slice(state),
                absent,
                0u64,
                room,
                &mut len,
                null_mut(),
            )
        };
        assert_eq!(status, 0);
        len
    }

    /// Opens the next of the tokens, one for each of the requests.
    fn open(&mut self, tokens: &[Vec<u8>]) {
        self.next();
        let token = &tokens[self.turn];
        let room = self.room();
        let open = black_box(
            mrtr_sealer_open_into
                as unsafe extern "C" fn(_, *const mrtr_request, _, _, _, *mut mrtr_opened, _) -> _,
        );
        // SAFETY: as above.
        let status: i32 = unsafe {
            let mut opened: mrtr_opened = std::mem::zeroed();
            opened.struct_size = size_of::<mrtr_opened>() as u32;
            open(
                self.sealer,
                &self.request,
                slice(token),
                1u64,
                room,
                &mut opened,
                null_mut(),
            )
        };
        assert_eq!(status, 0);
    }
}

impl Drop for Abi {
    fn drop(&mut self) {
        // SAFETY: the handle is the library's own.
        unsafe { mrtr_sealer_free(self.sealer) };
    }
}

fn one_size(size: usize, request: &Request<'_>) {
    let plain = vec![0x61; size];
    let draft = Draft {
        state: Some(&plain),
        ..Draft::default()
    };
    let engine = Simd::url_safe(NO_PAD);
    let random = SystemRandom::new();
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &[7; 32]).expect("32 bytes"));
    let mut sealed = plain.clone();
    let tag = key
        .seal_in_place_separate_tag(
            Nonce::assume_unique_for_key([1; 12]),
            Aad::empty(),
            &mut sealed,
        )
        .expect("seals");
    sealed.extend_from_slice(tag.as_ref());
    let text = engine.encode(&sealed);

    let (mut binary, mut raw_text) = (Vec::new(), vec![0; text.len() + 64]);
    let mut raw_opened = vec![0; sealed.len() + 8];
    let mut ops: Vec<Op<'_>> = vec![
        (
            "raw seal".into(),
            Box::new(|| {
                let mut nonce = [0; 12];
                random.fill(&mut nonce).expect("random");
                binary.clear();
                // Four bytes in front put the body at a multiple of 16: elsewhere ring can take twice as long.
                binary.extend_from_slice(&[0; 4]);
                binary.extend_from_slice(&nonce);
                binary.extend_from_slice(&plain);
                let nonce = Nonce::assume_unique_for_key(nonce);
                let tag = key
                    .seal_in_place_separate_tag(nonce, Aad::empty(), &mut binary[16..])
                    .expect("seals");
                binary.extend_from_slice(tag.as_ref());
                black_box(
                    engine
                        .encode_slice(&binary[4..], &mut raw_text)
                        .expect("fits"),
                );
            }),
        ),
        (
            "raw open".into(),
            Box::new(|| {
                let len = engine
                    .decode_slice(&text, &mut raw_opened)
                    .expect("decodes");
                let nonce = Nonce::assume_unique_for_key([1; 12]);
                black_box(
                    key.open_in_place(nonce, Aad::empty(), &mut raw_opened[..len])
                        .expect("opens"),
                );
            }),
        ),
    ];
    let parts = PRINCIPAL.map(slice);
    for (requests, what) in [(7, "another request"), (1, "same request")] {
        let (mut sealing, mut opening) = (Abi::new(&parts, requests), Abi::new(&parts, requests));
        let mut tokens = vec![Vec::new(); requests as usize];
        for _ in 0..requests {
            let len = sealing.seal(&plain);
            tokens[sealing.turn] = sealing.room[..len].to_vec();
        }
        let state = &plain;
        ops.push((
            format!("C ABI, {what}: seal"),
            Box::new(move || {
                black_box(sealing.seal(state));
            }),
        ));
        ops.push((
            format!("C ABI, {what}: open"),
            Box::new(move || opening.open(&tokens)),
        ));
    }
    for cipher in [Cipher::Aes256Gcm, Cipher::ChaCha20Poly1305, Cipher::Signed] {
        let sealer = Arc::new(sealer(cipher));
        let token = sealer.seal(request, None, draft, 0).expect("seals");
        let (mut out, mut buf) = (Vec::new(), Vec::new());
        let opener = Arc::clone(&sealer);
        ops.push((
            format!("{cipher:?} seal"),
            Box::new(move || {
                out.clear();
                sealer
                    .seal_into(request, None, draft, 0, &mut out)
                    .expect("seals");
                black_box(&out);
            }),
        ));
        ops.push((
            format!("{cipher:?} open"),
            Box::new(move || {
                black_box(opener.open_in(request, &token, 1, &mut buf).expect("opens"));
            }),
        ));
    }
    let medians = measure(&mut ops, ROUNDS);
    for ((name, _), ns) in ops.iter().zip(&medians) {
        let raw = if name.ends_with("seal") {
            medians[0]
        } else {
            medians[1]
        };
        println!("{size:>7} B  {name:<28} {ns:>10.0} ns  x{:.2}", ns / raw);
    }
}

/// Computing time of this thread: what others do on the machine does not count.
fn cpu_ns() -> f64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for a `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

/// Calls per second of computing time of `threads` threads on one sealer, all at once.
fn throughput(threads: usize, call: &(dyn Fn() + Sync)) -> f64 {
    const CALLS: u32 = 20_000;
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    (0..500).for_each(|_| call());
                    barrier.wait();
                    let start = cpu_ns();
                    (0..CALLS).for_each(|_| call());
                    f64::from(CALLS) / (cpu_ns() - start)
                })
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .sum()
    })
}

fn two_threads(request: &Request<'_>) {
    let sealer = sealer(Cipher::Aes256Gcm);
    let draft = Draft {
        state: Some(&[0x61; 64]),
        ..Draft::default()
    };
    let token = sealer.seal(request, None, draft, 0).expect("seals");
    let seal = || drop(black_box(sealer.seal(request, None, draft, 0)));
    let open = || drop(black_box(sealer.open(request, &token, 1)));
    let calls: [(&str, &(dyn Fn() + Sync)); 2] = [("seal", &seal), ("open", &open)];
    for (name, call) in calls {
        let mut ratios: Vec<f64> = (0..15)
            .map(|_| throughput(2, call) / throughput(1, call))
            .collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "     64 B  {name} on two threads: x{:.2} of one",
            ratios[ratios.len() / 2]
        );
    }
}

fn main() {
    let params = Raw::parse(PARAMS, &Limits::default()).expect("params are good");
    let request = Request {
        method: "tools/call",
        params: Some(params),
        principal: Principal::Parts(&PRINCIPAL),
    };
    for size in SIZES {
        one_size(size, &request);
    }
    two_threads(&request);
}
