// What the interop tests share: the two servers as child processes, the official client with a view of its wire, waits
// on conditions, and a look at the processes that remain.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fastest, kLeanBrowser, kPatience, kWithLeanBrowser, Served, within } from '../support/served.mjs';

export { fastest, kLeanBrowser, kPatience, kWithLeanBrowser, Served, within };

// Asks until `condition` yields something truthy, which it returns.
export async function eventually(what, condition, patience = kPatience) {
  const until = performance.now() + patience;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > until) throw new Error(`${what}: not within ${patience} ms`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

async function json(url, init) {
  const response = await fetch(url, init);
  const body = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

// The fixture site and its control endpoints (tests/site/control.cpp).
export class Site {
  constructor(served) {
    this.served = served;
    this.origin = served.url;
  }
  url(path) {
    return this.origin + path;
  }
  log(path) {
    return json(this.url(`/__log?path=${encodeURIComponent(path)}`));
  }
  request(path) {
    return json(this.url(`/__wait_request?timeout=${kPatience}&path=${encodeURIComponent(path)}`));
  }
  // {now, ms}: the hang-up's time on the site's clock, and that clock now.
  hangup(path) {
    return json(this.url(`/__wait_hangup?timeout=${kPatience}&path=${encodeURIComponent(path)}`));
  }
  async clock() {
    return (await json(this.url('/__origins'))).now;
  }
}

// A tools/call as seen on the wire: its id, what its response stream carried, and when that ended.
class Exchange {
  constructor() {
    this.frames = [];
    this.sent = new Promise((resolve) => {
      this.send = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  async read(body) {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        for (const line of decoder.decode(chunk, { stream: true }).split('\n')) {
          if (line.startsWith('data: ')) this.frames.push({ at: performance.now(), data: line.slice(6) });
        }
      }
      this.clean = true;
    } catch {
      this.clean = false;
    }
    this.end(performance.now());
  }
}

const kTag = 'bridle.test/tag';
const streamable = (served, through) => new StreamableHTTPClientTransport(new URL(served.url), { fetch: through });

// The official client in a session of its own.
export class Peer {
  // Over Streamable HTTP, or over what `transport` makes of the client's fetch.
  static async connect(served, name, transport = streamable) {
    const peer = new Peer(served, name);
    peer.transport = transport(served, (url, init) => peer.fetch(url, init));
    await peer.client.connect(peer.transport);
    await peer.client.listTools(); // from here on the SDK checks structuredContent against the outputSchemas
    peer.session = peer.transport.sessionId;
    return peer;
  }

  constructor(served, name) {
    this.served = served;
    this.exchanges = []; // by tag
    this.client = new Client({ name, version: '1' }, { capabilities: {} });
  }

  async fetch(url, init) {
    const message = init?.method === 'POST' ? JSON.parse(init.body) : {};
    const exchange = this.exchanges[message.params?._meta?.[kTag]];
    if (!exchange) return fetch(url, init);
    exchange.send(message.id);
    const response = await fetch(url, init);
    if (!response.body) return response; // HTTP+SSE: the answer comes elsewhere
    const [seen, given] = response.body.tee();
    exchange.read(seen);
    return new Response(given, { status: response.status, headers: response.headers });
  }

  // A call under way: {id, exchange, result}; the result's `words` is its text.
  async start(name, args = {}, options = {}) {
    const exchange = new Exchange();
    const tag = this.exchanges.push(exchange) - 1;
    const result = this.client
      .callTool({ name, arguments: args, _meta: { [kTag]: tag } }, undefined, options)
      .then((one) => {
        one.words = one.content
          .filter(({ type }) => type === 'text')
          .map(({ text }) => text)
          .join('\n');
        return one;
      });
    result.catch(() => {}); // until somebody asks
    return { id: await exchange.sent, exchange, result };
  }

  // A call that is expected to succeed, and one that is not, which gives its words.
  async call(name, args, options) {
    const result = await (await this.start(name, args, options)).result;
    assert.ok(!result.isError, `${name} failed: ${result.words}`);
    return result;
  }
  async fails(name, args) {
    const result = await (await this.start(name, args)).result;
    assert.equal(result.isError, true, `${name} succeeded: ${result.words}`);
    return result.words;
  }

  evaluate(script) {
    return this.call('browser_evaluate', { function: script }).then((r) => r.structuredContent.value);
  }

  // Starts a call, waits until `started(id)` holds, aborts its signal, and follows what becomes of it.
  async cancel(name, args, started) {
    const controller = new AbortController();
    const { id, exchange, result } = await this.start(name, args, { signal: controller.signal });
    await started(id);
    const at = performance.now();
    controller.abort('the test stops it');
    await assert.rejects(within(kPatience, 'the client rejects', result), /the test stops it/);
    const streamMs = Math.round((await within(kPatience, 'the stream ends', exchange.ended)) - at);
    assert.ok(exchange.clean, 'the stream was torn, not ended');
    assert.deepEqual(
      exchange.frames.filter((frame) => frame.at > at && frame.data.trim()),
      [],
      'frames after the cancel',
    );
    const row = await this.ended(id);
    assert.deepEqual([row.state, row.reason], ['aborted', 'client_cancelled']);
    return { id, streamMs, endedMs: Math.round(performance.now() - at) };
  }

  async status() {
    return json(new URL('/status', this.served.url));
  }
  async row(list, id) {
    // /status shows the beginning of a session's id only.
    return (await this.status())[list].find((row) => row.id === id && this.session.startsWith(row.session));
  }
  running(id) {
    return eventually(`request ${id} runs`, async () => {
      const row = await this.row('requests', id);
      return row?.state === 'running' && row;
    });
  }
  ended(id) {
    return eventually(`request ${id} ends`, () => this.row('recent', id));
  }

  async leave() {
    await this.transport.terminateSession();
    await this.client.close();
  }
}

// The folder that bridle and its browsers take for temporary files, and who still runs in it.
export class PrivateTemp {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'bridle-interop-'));
    chmodSync(this.path, 0o711); // as root the browser is another user, whose profile lies in it
  }
  profiles() {
    return readdirSync(this.path).filter((name) => name.startsWith('bridle-profile-'));
  }
  // Processes with this folder in their environment or command line, apart from `except`.
  processes(except = []) {
    const found = [];
    for (const pid of readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)) {
      if (pid === process.pid || except.includes(pid)) continue;
      let words = '';
      for (const file of ['cmdline', 'environ']) {
        try {
          words += readFileSync(`/proc/${pid}/${file}`, 'utf8');
        } catch {
          /* ended meanwhile, or not ours */
        }
      }
      if (words.includes(this.path)) found.push({ pid, command: words.split('\0')[0] });
    }
    return found;
  }
  remove() {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
