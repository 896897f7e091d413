// What goes between this page and the server: events that come, actions and reads that go.

// Who we are to the server: a reload keeps the wheel, another window is another viewer.
const reloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload';
const viewer = (reloaded && sessionStorage.getItem('viewer')) || crypto.getRandomValues(new BigUint64Array(2)).join('');
sessionStorage.setItem('viewer', viewer);

// Every 5 s something comes, were it a comment.
const silence = 12000;
const pauses = [100, 300, 1000, 2000];

// The frames of an event stream: {id, event, data}.
async function* frames(body, heard) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard();
    text += decoder.decode(value, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const frame = { event: 'message', data: '' };
      for (const line of part.split('\n')) {
        const colon = line.indexOf(':');
        if (colon > 0) frame[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
      }
      if (frame.data) yield frame;
    }
  }
}

// A browser has six connections to one host for all its windows. So a window that nobody sees lets go of its stream
// (`on.rests()` says whether it may), and a view makes room for an action that waits (post).
const unseen = 5000;
const crowd = 400;
const patience = 10000; // for an answer; the server gives a page 5 s
function whenUnseen(todo) {
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => todo() || look(), unseen);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
async function seen() {
  while (document.hidden) await new Promise((go) => document.addEventListener('visibilitychange', go, { once: true }));
}

// For ever: connects, hands over what comes, and after a break goes on behind the last event. `on.event(name, data)`;
// `on.broken(since, why)`: nothing is current since that time;
// why: broken, refused (our cookie isn't known any more), resting (nobody looks).
async function listen(on) {
  let last = '';
  let tries = 0;
  for (;;) {
    const abort = new AbortController();
    let heard = Date.now();
    let why = 'broken';
    const forget = whenUnseen(() => {
      if (!on.rests()) return false;
      why = 'resting';
      abort.abort();
      return true;
    });
    const watch = setInterval(() => Date.now() - heard > silence && abort.abort(), 1000);
    try {
      const response = await fetch(`/panel/events?viewer=${viewer}`, {
        headers: last ? { 'Last-Event-ID': last } : {},
        cache: 'no-store',
        priority: 'low',
        signal: abort.signal,
      });
      if (response.status === 401) why = 'refused';
      if (!response.ok) throw new Error(response.status);
      for await (const frame of frames(response.body, () => (heard = Date.now()))) {
        try {
          on.event(frame.event, JSON.parse(frame.data));
        } catch (error) {
          reportError(error); // a fault of this page; asking again would only bring it back
        }
        last = frame.id ?? last;
        tries = 0;
      }
    } catch {
      // The stream has broken off.
    }
    clearInterval(watch);
    abort.abort();
    forget();
    on.broken(heard, why);
    if (why === 'resting') await seen();
    else await pause(pauses[Math.min(tries++, pauses.length - 1)]);
  }
}

// Ends early when the network or the window comes back.
function pause(ms) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', done);
  });
}

// Throws an Error whose message is for the person, with its status (0: there was no answer).
async function answer(path, options) {
  const fault = (words, status) => Object.assign(new Error(words), { status });
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  let response = null;
  let body = {};
  try {
    response = await fetch(`/panel/${path}`, { ...options, signal: abort.signal });
    body = await response.json();
  } catch {
    if (abort.signal.aborted) throw fault('bridle has not answered in time.', 0);
    if (!response || response.ok) throw fault('bridle can’t be reached.', 0);
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok) throw fault(body.error ?? `bridle answered ${response.status}.`, response.status);
  return body;
}
const get = (what, query) => answer(`${what}?${new URLSearchParams(query)}`, { cache: 'no-store' });

// A view makes room for an action that waits for a connection. A stop is answered at once, so that one that isn't waits
// for a connection. What else the person does may wait for the page: then a file of ours is asked for, which waits for
// nothing but a connection.
const makeRoom = () => dispatchEvent(new Event('crowded'));
async function probe() {
  const timer = setTimeout(makeRoom, crowd);
  await fetch('/panel/icon.svg', { cache: 'no-store', priority: 'high' }).catch(() => null);
  clearTimeout(timer);
}
async function post(action, body) {
  const timer = setTimeout(action === 'stop' ? makeRoom : probe, crowd);
  const headers = { 'Content-Type': 'application/json' };
  try {
    return await answer(action, { method: 'POST', priority: 'high', headers, body: JSON.stringify(body) });
  } finally {
    clearTimeout(timer);
  }
}

export { viewer, listen, get, post };
