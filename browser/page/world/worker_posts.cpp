#include "browser/page/world/worker_posts.h"

namespace bridle {

// A worker is taken to answer what it is sent, until it was waited for in vain. A port is another thing: it may lead to
// a shared worker, or to the page itself, which schedules its work so; one counts from the first message on that has
// come through it. Nothing tells which message answers which: the first one that comes does.
std::string_view worker_posts_source() {
  static constexpr std::string_view kSource = R"js((page, replace) => {
  const { Worker, MessagePort, WeakMap } = page;
  const { apply } = Reflect;
  const { get, set } = WeakMap.prototype;
  const { addEventListener } = page.EventTarget.prototype;
  const clock = page.performance;
  const { now } = clock;
  const channels = new WeakMap();
  const STREAM = 1000; // ms after what the page has sent last: what comes then answers nothing
  const TIRED = 2; // actions one after the other after which it went on for as long as was waited
  const listening = { __proto__: null };
  // What the action that is under way has sent, and what has come back: { began, owed, count, posted, ends, late, wanted, ring }.
  let watch = null;
  let used = false;
  const ring = () => {
    const hand = watch.ring;
    watch.ring = null;
    if (hand) hand('later');
  };
  // A channel that goes on without end, or by itself, owes one answer an action.
  const isEndless = (channel) => channel.tired >= TIRED || watch.began - channel.unasked < STREAM;
  const note = (channel) => {
    channel.sent = apply(now, clock, []);
    if (channel.answers) used = true;
    if (!watch || !channel.answers || channel.owedIn === watch) return;
    if (channel.heardIn === watch && isEndless(channel)) return;
    channel.owedIn = watch;
    watch.posted = true;
    watch.ends[watch.count++] = channel;
    watch.owed++;
  };
  const hear = (channel) => {
    const time = apply(now, clock, []);
    channel.heard = time;
    if (time - channel.sent > STREAM) channel.unasked = time;
    else channel.answers = true;
    if (!watch || (channel.owedIn !== watch && channel.heardIn !== watch)) return;
    if (channel.owedIn === watch) {
      channel.owedIn = null;
      channel.heardIn = watch;
      watch.owed--;
    } else if (isEndless(channel)) return;
    if (watch.wanted === 'any' || watch.owed === 0) ring();
  };
  const channelOf = (target, answers) => {
    const known = apply(get, channels, [target]);
    if (known) return known;
    const channel = {
      __proto__: null, sent: 0, heard: 0, unasked: -STREAM, answers, tired: 0, tiredIn: null, owedIn: null, heardIn: null,
    };
    apply(addEventListener, target, ['message', () => hear(channel), listening]);
    apply(set, channels, [target, channel]);
    return channel;
  };
  const trap = (answers) => (post, self, args) => {
    const result = apply(post, self, args);
    try { note(channelOf(self, answers)); } catch {} // what was posted was posted
    return result;
  };
  const ofWorker = trap(true);
  const ofPort = trap(false);
  let inPlace = null;
  const wait = (wanted, newBell) =>
    newBell((hand) => {
      watch.wanted = wanted;
      watch.ring = hand;
    });
  return {
    __proto__: null,
    putIn: () => {
      if (!Worker || !MessagePort) return;
      inPlace ??= [replace(Worker.prototype, 'postMessage', ofWorker), replace(MessagePort.prototype, 'postMessage', ofPort)];
    },
    putBack: () => {
      if (!inPlace) return;
      inPlace[0]();
      inPlace[1]();
      inPlace = null;
    },
    begin: () => {
      const began = apply(now, clock, []);
      watch = {
        __proto__: null, began, owed: 0, count: 0, posted: false, ends: { __proto__: null }, late: { __proto__: null },
        wanted: '', ring: null,
      };
    },
    // -> whether nothing has come yet of what was given up.
    end: () => {
      let owes = false;
      if (watch) {
        for (const i in watch.ends) if (watch.ends[i].tired < TIRED) watch.ends[i].tired = 0;
        for (const i in watch.late) {
          const { heard, sent } = watch.late[i];
          if (heard > 0 && heard < sent) owes = true; // one that never says anything is not missed
        }
      }
      watch = null;
      return owes;
    },
    // Whether the page has ever sent anything to a worker.
    isUsed: () => used,
    // Until all that the page has sent is answered: 'later'. Where that was so already, 'before'; where it has sent nothing, 'none'.
    answered: (newBell) => (!watch || !watch.posted ? 'none' : watch.owed === 0 ? 'before' : wait('answers', newBell)),
    // Until a further message comes.
    heard: (newBell) => (watch ? wait('any', newBell) : 'none'),
    // What hasn't answered by now isn't waited for again until it does; what has, and is asked again and again, goes on for ever.
    giveUp: () => {
      if (!watch) return;
      for (const i in watch.ends) {
        const channel = watch.ends[i];
        if (channel.heardIn === watch) {
          if (channel.tiredIn !== watch) channel.tired++;
          channel.tiredIn = watch;
        } else if (channel.owedIn === watch) {
          channel.answers = false;
          watch.late[i] = channel;
        }
        channel.owedIn = null;
      }
      watch.owed = 0;
      watch.count = 0;
      watch.ends = { __proto__: null };
    },
  };
})js";
  return kSource;
}

}  // namespace bridle
