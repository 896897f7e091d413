// A panel's server that plays what a test wants: the page's files with the headers of the real one, and the API of
// server/panel/ answered from `mock.state` and `mock.past`, which the test changes and then pushes.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../server/panel/page/', import.meta.url));
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export const empty = () => ({ sessions: [], calls: [], questions: [], downloads: [] });

export class Mock {
  static async start(options = {}) {
    const mock = new Mock(options);
    await mock.listen(options.port ?? 0);
    return mock;
  }

  constructor({ state = empty(), past = [], picture = null, server = 'a1b2c3d4' }) {
    Object.assign(this, { state, past, picture, server });
    this.past.forEach((entry, i) => (entry.n = i + 1));
    this.streams = new Set(); // of events: {response, viewer}
    this.views = new Set(); // of pictures: {tab, width, part, response}
    this.pictures = {}; // by tab, where it isn't `picture`
    this.viewEnds = ''; // why each view ends at once
    this.posts = []; // {action, body} as they came
    this.gets = []; // the paths that were asked for
    this.answers = {}; // by action: a function of the body that gives {status, body}
    this.before = null; // by a path of a GET: a function that is waited for before its answer
    this.console = [];
    this.network = [];
    this.refuse = 0; // a status for /panel/events in place of the stream
    this.mute = false; // no more comments: silent as a stopped process
  }

  listen(port) {
    this.http = createServer((request, response) => this.serve(request, response));
    return new Promise((resolve) => {
      this.http.listen(port, '127.0.0.1', () => {
        this.port = this.http.address().port;
        this.url = `http://127.0.0.1:${this.port}/`;
        this.alive = setInterval(() => this.write(': alive\n\n'), 5000);
        resolve();
      });
    });
  }

  // As a killed server: every connection goes at once.
  async kill() {
    clearInterval(this.alive);
    this.streams.clear();
    this.views.clear();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  id() {
    return `${this.server}-${this.past.at(-1)?.n ?? 0}`;
  }
  frame(name, data) {
    return `id: ${this.id()}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }
  write(text) {
    if (!this.mute) for (const { response } of this.streams) response.write(text);
  }
  stateFor(viewer) {
    const sessions = this.state.sessions.map((one) => ({
      ...one,
      held: one.held && {
        ...one.held,
        since: Date.now() - one.held.sinceMs,
        by: one.held.viewer === viewer ? 'you' : 'another viewer',
      },
    }));
    const server = { name: 'bridle', version: '0.0.0', state: 'ready', uptimeMs: 1 };
    const now = Date.now();
    const aged = (list) => list.map(({ ageMs, ...one }) => ({ since: now - ageMs, ...one }));
    const { calls, questions } = this.state;
    const old = { calls: aged(calls), questions: aged(questions) };
    return { ...this.state, ...old, sessions, server, now };
  }
  // The state as it is now, to every viewer.
  push(change) {
    change?.(this.state);
    if (this.mute) return;
    for (const { response, viewer } of this.streams) response.write(this.frame('state', this.stateFor(viewer)));
  }
  // A call has ended.
  end(entry) {
    const whole = {
      ...{ n: (this.past.at(-1)?.n ?? 0) + 1, at: Date.now(), ms: 1200, parent: null, tab: 't1', outcome: 'completed' },
      ...{ isError: false, reason: '', text: '', effects: [], url: '', settle: '', pictures: null, arguments: {} },
      ...entry,
    };
    this.past.push(whole);
    this.state.calls = this.state.calls.filter((one) => one.id !== whole.call);
    this.write(this.frame('past', whole));
    this.push();
  }
  stopping(id, state = 'stopping') {
    this.push(({ calls }) => (calls.find((one) => one.id === id).state = state));
  }

  async serve(request, response) {
    const url = new URL(request.url, this.url);
    const json = (status, body) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    this.gets.push(url.pathname);
    const name = url.pathname === '/' ? 'index.html' : url.pathname.replace('/panel/', '');
    if (request.method === 'POST') return this.act(name, request, json);
    await this.before?.[name]?.();
    if (name === 'events') return this.follow(request, response, url, json);
    if (name === 'view') return this.view(url.searchParams, response, json);
    if (name === 'past') {
      const words = (url.searchParams.get('query') ?? '').toLowerCase().split(/\s+/);
      const before = Number(url.searchParams.get('before') ?? Infinity);
      const limit = Number(url.searchParams.get('limit'));
      const all = this.past.filter(
        (one) => one.n < before && words.every((word) => JSON.stringify(one).toLowerCase().includes(word)),
      );
      return json(200, { entries: all.slice(-limit).reverse(), more: all.length > limit, oldest: 1 });
    }
    if (name === 'console' || name === 'network') return json(200, { entries: this[name], dropped: 0 });
    if (name.startsWith('pictures/') && this.picture) {
      response.writeHead(200, { 'Content-Type': 'image/jpeg' });
      return response.end(this.picture);
    }
    try {
      const body = readFileSync(join(page, name));
      response.writeHead(200, { 'Content-Type': types[extname(name)], 'Content-Security-Policy': csp });
      return response.end(body);
    } catch {
      return json(404, { error: 'Not found' });
    }
  }

  follow(request, response, url, json) {
    if (this.mute) return null; // takes the connection and says nothing
    if (this.refuse) return json(this.refuse, { error: 'no' });
    const viewer = url.searchParams.get('viewer');
    const last = /^(\w+)-(\d+)$/.exec(request.headers['last-event-id'] ?? '');
    const resumed = last?.[1] === this.server;
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Security-Policy': csp });
    const stream = { response, viewer };
    response.write(
      this.frame('hello', { server: this.server, version: '1.0', now: Date.now(), resumed, missed: this.missed ?? 0 }),
    );
    response.write(this.frame('state', this.stateFor(viewer)));
    const after = resumed ? Number(last[2]) : 0;
    for (const entry of this.past.filter((one) => one.n > after).slice(-50)) {
      response.write(`id: ${this.server}-${entry.n}\nevent: past\ndata: ${JSON.stringify(entry)}\n\n`);
    }
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
  }

  view(query, response, json) {
    const session = this.state.sessions.find((one) => one.id === query.get('session'));
    const tab = session?.tabs.find((one) => one.id === query.get('tab'))?.id;
    if (!tab) return json(404, { error: 'There is no such tab any more' });
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    const part = (head, jpeg = Buffer.alloc(0)) => {
      const words = Buffer.from(JSON.stringify(head));
      const sizes = [Buffer.alloc(4), Buffer.alloc(4)];
      sizes[0].writeUInt32BE(words.length);
      sizes[1].writeUInt32BE(jpeg.length);
      response.write(Buffer.concat([sizes[0], words, sizes[1], jpeg]));
    };
    if (this.viewEnds) {
      part({ end: this.viewEnds });
      return response.end();
    }
    const view = { tab, width: Number(query.get('width')), part, response };
    this.views.add(view);
    response.on('close', () => this.views.delete(view));
    const picture = this.pictures[tab] ?? this.picture;
    if (picture) part({ width: 1280, height: 800, scale: 1, at: Date.now() }, picture);
    else response.flushHeaders();
    return null;
  }

  async act(action, request, json) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    this.posts.push({ action, body });
    const own = await this.answers[action]?.(body);
    if (own) return json(own.status ?? 200, own.body ?? { ok: true });
    const session = this.state.sessions.find((one) => one.id === body.session);
    if (action === 'stop') {
      const hit = this.state.calls.filter((one) => body.all || one.id === body.call || one.session === body.session);
      for (const one of hit) if (one.state !== 'overdue') one.state = 'stopping';
      json(200, { ok: true, reached: hit.length });
      return this.push();
    }
    if (action === 'take-over' || action === 'hand-back') {
      if (session.held && session.held.viewer !== body.viewer) {
        return json(409, { error: 'Another viewer is at the wheel.' });
      }
      session.held = action === 'take-over' ? { viewer: body.viewer, sinceMs: 0, waiting: 0 } : null;
      json(200, { ok: true });
      return this.push();
    }
    if (action === 'answer') {
      const open = this.state.questions.some((one) => one.id === body.question);
      this.state.questions = this.state.questions.filter((one) => one.id !== body.question);
      json(open ? 200 : 409, open ? { ok: true } : { error: 'It was answered elsewhere.' });
      return this.push();
    }
    if (action === 'dialog') {
      session.tabs.find((one) => one.id === body.tab).dialog = null;
      json(200, { ok: true });
      return this.push();
    }
    return json(200, { ok: true });
  }

  posted(action) {
    return this.posts.filter((one) => one.action === action).map((one) => one.body);
  }
}
