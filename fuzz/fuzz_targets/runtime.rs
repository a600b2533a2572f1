//! Any sequence of calls on runtimes, their queues and flows, through the C ABI (F4): each flow that is not freed before has one end,
//! nothing comes after it, and nothing after a runtime is drained.
#![no_main]

use libfuzzer_sys::{
    arbitrary::{self, Arbitrary},
    fuzz_target,
};
use mrtr::ffi::abi::{buf::*, client::*, event::*, flow::*, queue::*, reply::*, runtime::*, slice::*, version::*};
use std::{collections::HashMap, mem::zeroed, ptr};

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Op {
    Runtime,
    Queue(u8),
    Flow,
    Start(u8, u8),
    Deliver(u8, u8, u8),
    Answer(u8, u8),
    Cancel(u8),
    Next(u8),
    Wake(u8),
    Descriptor(u8),
    Close(u8),
    Wait(u8),
    Free(u8, u8),
}

const RESULTS: [&str; 4] = [
    r#"{"resultType":"complete"}"#,
    r#"{"resultType":"input_required","requestState":"s"}"#,
    r#"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}}}}"#,
    "{",
];

#[derive(Default)]
struct World {
    client: Option<mrtr_client>,
    runtimes: Vec<mrtr_runtime>,
    queues: Vec<mrtr_queue>,
    /// Queue to runtime, by number; runtimes that said they are drained.
    of: Vec<usize>,
    drained: Vec<bool>,
    flows: Vec<mrtr_flow>,
    /// Ends by flow; flows that a runtime took, with its number.
    ends: HashMap<u64, u32>,
    started: HashMap<u64, usize>,
}

fn text(text: &str) -> mrtr_slice {
    mrtr_slice { ptr: text.as_ptr(), len: text.len() }
}

fn pick<T: Copy>(all: &[T], at: u8) -> Option<(usize, T)> {
    let at = usize::from(at) % all.len().max(1);
    all.get(at).map(|one| (at, *one))
}

impl World {
    fn next(&mut self, queue: mrtr_queue, runtime: usize) -> Option<u32> {
        let (mut flow, mut event) = (mrtr_flow { id: 0 }, unsafe { zeroed::<mrtr_event>() });
        event.struct_size = size_of::<mrtr_event>() as u32;
        if unsafe { mrtr_queue_next(queue, 0, &mut flow, &mut event, ptr::null_mut()) } != 0 {
            return None;
        }
        unsafe { mrtr_buf_free(&mut event.storage) };
        match event.r#type {
            MRTR_EVENT_DRAINED => self.drained[runtime] = true,
            MRTR_EVENT_IDLE => assert_eq!(flow.id, 0),
            _ => {
                assert!(!self.drained[runtime], "an event after drained");
                assert_eq!(self.started.get(&flow.id), Some(&runtime), "an event of a flow that is not there");
                let ends = self.ends.entry(flow.id).or_default();
                assert_eq!(*ends, 0, "an event after the end");
                *ends += u32::from(event.r#type == MRTR_EVENT_DONE);
            }
        }
        Some(event.r#type)
    }

    fn run(&mut self, op: Op) -> Option<()> {
        let no_error = ptr::null_mut();
        match op {
            Op::Runtime if self.runtimes.len() < 3 => unsafe {
                let mut made = mrtr_runtime { id: 0 };
                assert_eq!(mrtr_runtime_new(ptr::null(), ptr::null(), &mut made, no_error), 0);
                self.runtimes.push(made);
                self.drained.push(false);
            },
            Op::Runtime => {}
            Op::Queue(r) => unsafe {
                let (at, runtime) = pick(&self.runtimes, r)?;
                let mut made = mrtr_queue { id: 0 };
                if mrtr_runtime_queue(runtime, &mut made, no_error) == 0 {
                    self.queues.push(made);
                    self.of.push(at);
                }
            },
            Op::Flow => unsafe {
                let mut made = mrtr_flow { id: 0 };
                let status = mrtr_flow_begin(self.client?, text("tools/call"), text("{}"), ptr::null(), MRTR_NOW, &mut made, no_error);
                assert_eq!(status, 0);
                self.flows.push(made);
            },
            Op::Start(r, f) => unsafe {
                let ((at, runtime), (_, flow)) = (pick(&self.runtimes, r)?, pick(&self.flows, f)?);
                if mrtr_runtime_start(runtime, flow, no_error) == 0 {
                    assert!(self.started.insert(flow.id, at).is_none(), "started twice");
                }
            },
            Op::Deliver(f, leg, what) => unsafe {
                let result = RESULTS[usize::from(what) % RESULTS.len()];
                mrtr_flow_deliver(pick(&self.flows, f)?.1, u32::from(leg % 4), text(result), MRTR_NOW, no_error);
            },
            Op::Answer(f, what) => unsafe {
                let flow = pick(&self.flows, f)?.1;
                match what % 4 {
                    0 => mrtr_flow_answer(flow, text("a"), text("{\"n\":\"x\"}"), MRTR_NOW, no_error),
                    1 => mrtr_flow_decline(flow, text("a"), MRTR_NOW, no_error),
                    2 => mrtr_flow_refuse(flow, text("a"), MRTR_NOW, no_error),
                    _ => mrtr_flow_answer(flow, text("a"), text("3"), MRTR_NOW, no_error),
                };
            },
            Op::Cancel(f) => unsafe {
                mrtr_flow_cancel(pick(&self.flows, f)?.1, MRTR_NOW, no_error);
            },
            Op::Next(q) => {
                let (at, queue) = pick(&self.queues, q)?;
                self.next(queue, self.of[at]);
            }
            Op::Wake(q) => unsafe {
                mrtr_queue_wake(pick(&self.queues, q)?.1, no_error);
            },
            Op::Descriptor(q) => unsafe {
                let mut fd = 0;
                mrtr_queue_fd(pick(&self.queues, q)?.1, &mut fd, no_error);
            },
            Op::Close(r) => unsafe {
                mrtr_runtime_close(pick(&self.runtimes, r)?.1, no_error);
            },
            Op::Wait(r) => unsafe {
                let mut drained = 0;
                mrtr_runtime_wait(pick(&self.runtimes, r)?.1, 0, &mut drained, no_error);
            },
            Op::Free(what, at) => self.free(what, at)?,
        }
        Some(())
    }

    fn free(&mut self, what: u8, at: u8) -> Option<()> {
        unsafe {
            match what % 3 {
                0 => {
                    let (at, runtime) = pick(&self.runtimes, at)?;
                    mrtr_runtime_free(runtime);
                    // What is left of it is thrown away.
                    self.started.retain(|_, of| *of != at);
                }
                1 => {
                    mrtr_queue_free(pick(&self.queues, at)?.1);
                }
                _ => {
                    let flow = pick(&self.flows, at)?.1;
                    mrtr_flow_free(flow);
                    self.started.remove(&flow.id);
                }
            }
        }
        Some(())
    }

    fn finish(mut self) {
        for (at, runtime) in self.runtimes.clone().into_iter().enumerate() {
            let mut queue = mrtr_queue { id: 0 };
            unsafe {
                // Freed ones have nothing to tell any more.
                if mrtr_runtime_close(runtime, ptr::null_mut()) == 0 {
                    assert_eq!(mrtr_runtime_queue(runtime, &mut queue, ptr::null_mut()), 0);
                    while self.next(queue, at) != Some(MRTR_EVENT_DRAINED) {}
                }
                mrtr_queue_free(queue);
                mrtr_runtime_free(runtime);
            }
        }
        for flow in self.started.keys() {
            assert_eq!(self.ends.get(flow), Some(&1), "not one end");
        }
        unsafe {
            for queue in self.queues {
                mrtr_queue_free(queue);
            }
            for flow in self.flows {
                mrtr_flow_free(flow);
            }
            self.client.map(|client| mrtr_client_free(client));
            assert_eq!(mrtr_live_objects(), 0);
        }
    }
}

fuzz_target!(|ops: Vec<Op>| {
    let mut world = World::default();
    let mut client = mrtr_client { id: 0 };
    unsafe {
        let mut options = zeroed::<mrtr_client_options>();
        mrtr_client_options_init(&mut options, size_of::<mrtr_client_options>() as u32, MRTR_ABI);
        options.handlers = 1;
        assert_eq!(mrtr_client_new(&options, &mut client, ptr::null_mut()), 0);
    }
    world.client = Some(client);
    for op in ops.into_iter().take(200) {
        world.run(op);
    }
    world.finish();
});
