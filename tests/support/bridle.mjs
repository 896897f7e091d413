// The smallest MCP client that a test of bridle's answers needs: the program on a port of its own, in a private temporary
// folder, and sessions over Streamable HTTP. It knows nothing of the SDK, so the suites that use it need no packages.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kPatience, Served, within } from './served.mjs';

const kCallLimit = 2 * kPatience;
const kRevision = '2025-06-18';

export class Bridle {
  // `program`: the file to run; `args`: options beside the port and the output folder.
  static async start(program, args = []) {
    const folder = mkdtempSync(join(tmpdir(), 'bridle-test-'));
    chmodSync(folder, 0o711); // as root the browser is another user, whose profile lies in it
    const output = join(folder, 'output');
    mkdirSync(output);
    const all = ['--port', '0', '--output-dir', output, ...args];
    return new Bridle(folder, output, await Served.start(program, all, { TMPDIR: folder }));
  }

  constructor(folder, output, served) {
    Object.assign(this, { folder, output, served, url: served.url });
  }

  get log() {
    return this.served.log;
  }

  async end() {
    await this.served.end('SIGTERM').catch(() => this.served.child.kill('SIGKILL'));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

// A session of its own: its tabs, cookies and refs.
export class Session {
  static async open(bridle, capabilities = {}) {
    const session = new Session(bridle);
    await session.request('initialize', {
      protocolVersion: kRevision,
      capabilities,
      clientInfo: { name: 'tests', version: '1' },
    });
    await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return session;
  }

  constructor(bridle) {
    this.bridle = bridle;
    this.nextId = 1;
    this.headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  }

  async post(message) {
    const response = await fetch(this.bridle.url, {
      method: 'POST',
      headers: this.headers,
      body: JSON.stringify(message),
    });
    const id = response.headers.get('mcp-session-id');
    if (id) Object.assign(this.headers, { 'mcp-session-id': id, 'mcp-protocol-version': kRevision });
    return response;
  }

  // The answer to a request, be it JSON or the last message of a stream.
  async request(method, params) {
    const id = this.nextId++;
    const answer = async () => {
      const response = await this.post({ jsonrpc: '2.0', id, method, params });
      const body = await response.text();
      const streamed = body.split('\n').filter((line) => line.startsWith('data: {'));
      const messages = (streamed.length ? streamed.map((line) => line.slice(6)) : [body]).map((text) =>
        JSON.parse(text),
      );
      const message = messages.find((one) => one.id === id);
      if (!message || message.error) throw new Error(`${method}: ${response.status} ${body}`);
      return message.result;
    };
    return within(kCallLimit, method, answer());
  }

  // A tool's result, as a client gets it, with all its text as `words`.
  async result(name, args = {}) {
    const result = await this.request('tools/call', { name, arguments: args });
    result.words = result.content
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join('\n');
    return result;
  }

  // A call that tells how it goes and asks the person: what it said on its way and at its end, in lines. `answers` are
  // those to its questions, in their order.
  async converse(name, args, answers) {
    const id = this.nextId++;
    const params = { name, arguments: args, _meta: { progressToken: id } };
    const response = await this.post({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const lines = [];
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop();
      for (const event of events) {
        const data = event.split('\n').find((line) => line.startsWith('data: {'));
        if (!data) continue;
        const message = JSON.parse(data.slice(6));
        if (message.method === 'notifications/progress') lines.push(`~ ${message.params.message}`);
        if (message.method === 'elicitation/create') {
          assert.ok(answers.length, `nobody answers: ${message.params.message}`);
          lines.push(`? ${message.params.message}`);
          await this.post({ jsonrpc: '2.0', id: message.id, result: { action: 'accept', content: answers.shift() } });
        }
        if (message.id !== id || message.method) continue;
        assert.ok(message.result, data);
        for (const block of message.result.content) if (block.type === 'text') lines.push(...block.text.split('\n'));
      }
    }
    assert.ok(!answers.length, 'a question less than answers');
    return lines.join('\n');
  }

  // The text of a call that is expected to succeed, and of one that is expected to fail.
  async call(name, args) {
    const { isError, words } = await this.result(name, args);
    assert.ok(!isError, `${name} ${JSON.stringify(args)} failed:\n${words}`);
    return words;
  }
  async fails(name, args) {
    const { isError, words } = await this.result(name, args);
    assert.ok(isError, `${name} ${JSON.stringify(args)} succeeded:\n${words}`);
    return words;
  }

  // What an expression of the page's own world yields.
  async value(expression) {
    const { isError, words, structuredContent } = await this.result('browser_evaluate', {
      function: `() => (${expression})`,
    });
    assert.ok(!isError, `${expression}:\n${words}`);
    return structuredContent.value;
  }

  async close() {
    await fetch(this.bridle.url, { method: 'DELETE', headers: this.headers });
  }
}
