//! A flow that sends one leg and ends when it is answered, cancelled or out of time.

use crate::protocol::Error;

#[derive(Debug)]
pub enum Event {
    Send,
    CancelLeg,
    Sleep { until: Option<u64> },
    Done(Box<Done>),
    Idle,
}

#[derive(Debug)]
pub struct Done {
    pub end: Result<(), Error>,
    pub result: Option<()>,
    pub rounds: u32,
    pub legs: u32,
    pub continuation: Option<String>,
    pub cacheable: bool,
}

#[derive(Default)]
pub struct Flow {
    sent: bool,
    over: bool,
    events: Vec<Event>,
}

impl Flow {
    pub fn next(&mut self, _: u64) -> Event {
        if !std::mem::replace(&mut self.sent, true) {
            return Event::Send;
        }
        match self.events.pop() {
            Some(event) => event,
            None if self.over => Event::Idle,
            None => Event::Sleep { until: Some(1) },
        }
    }

    fn end(&mut self, cancelled: bool) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        let done = Done {
            end: Ok(()),
            result: None,
            rounds: 0,
            legs: 1,
            continuation: None,
            cacheable: false,
        };
        self.events.push(Event::Done(Box::new(done)));
        if cancelled && self.sent {
            self.events.push(Event::CancelLeg);
        }
    }

    pub fn deliver(&mut self) {
        self.end(false);
    }

    pub fn cancel(&mut self, _: u64) -> Result<(), Error> {
        self.end(true);
        Ok(())
    }
}
