// The smallest CDP client that the page tests need: Chromium over --remote-debugging-pipe (fd 3 in, fd 4 out,
// NUL-separated JSON), flat sessions, and one Page object that injects the page script in an isolated world.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deepEqual } from 'node:assert/strict';
import { checkArgs, checkResult } from './contract.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

// The page's script as the build embeds it. A test may name another entry, which imports main.js and looks at what the
// script keeps to itself.
export function pageScript(entry = 'browser/page/js/main.js') {
  return execFileSync('awk', ['-f', 'cmake/join_modules.awk', entry], { cwd: root, encoding: 'utf8' });
}

// With TWICE in the environment each delta of each test is held against one for which all of the page was walked.
const kTwice = process.env.TWICE !== undefined;
const kEntry = kTwice ? 'tests/page/regions.js' : undefined;

export class Browser {
  static async launch(executable = '/usr/bin/chromium') {
    const profile = mkdtempSync(join(tmpdir(), 'bridle-page-test-'));
    const args = [
      '--headless=new',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup', // as the product
      '--window-size=1280,800',
      'about:blank',
    ];
    if (process.getuid?.() === 0) args.unshift('--no-sandbox');
    const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    return new Browser(child, profile);
  }

  constructor(child, profile) {
    this.child = child;
    this.profile = profile;
    this.nextId = 1;
    this.pending = new Map();
    this.listeners = new Set();
    let buffered = [];
    child.stdio[4].on('data', (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
        buffered.push(chunk.subarray(start, end));
        this.receive(JSON.parse(Buffer.concat(buffered).toString('utf8')));
        buffered = [];
        start = end + 1;
      }
      buffered.push(chunk.subarray(start));
    });
    this.exited = new Promise((resolve) => child.on('exit', resolve));
    // Serves what the tests show. A data: URL would cost a renderer's start each time.
    this.pages = [];
    this.server = createServer((request, response) => {
      const html = this.pages[Number(request.url.slice(1).split('?')[0])];
      response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html;charset=utf-8' });
      response.end(html);
    });
    this.listening = new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  receive(message) {
    if (message.id) {
      const waiting = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting.resolve(message.result);
      return;
    }
    for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.nextId++;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject, method }));
  }

  // The URL at which `html` can be had.
  async serve(html) {
    await this.listening;
    this.pages.push(html);
    return `http://127.0.0.1:${this.server.address().port}/${this.pages.length - 1}`;
  }

  async newPage(entry = undefined) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId, pageScript(entry ?? kEntry));
    await page.start();
    return page;
  }

  async close() {
    this.server.close();
    await this.send('Browser.close').catch(() => {});
    await this.exited;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

export class Page {
  constructor(browser, sessionId, targetId, script) {
    Object.assign(this, { browser, sessionId, targetId, script });
    this.worlds = new Map(); // frame id -> unique id of the isolated world's context
    this.mains = new Map();
    this.contextIds = new Map();
    this.onContext = null;
    this.isHeldAgainstWhole = kTwice; // not where a test says otherwise
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async start() {
    this.browser.listeners.add((m) => {
      if (m.sessionId !== this.sessionId) return;
      if (m.method === 'Runtime.executionContextCreated') {
        const { auxData, uniqueId, name, id } = m.params.context;
        this.contextIds.set(uniqueId, id);
        (name === 'bridle' ? this.worlds : this.mains).set(auxData.frameId, uniqueId);
      }
      this.waiters = (this.waiters ?? []).filter((w) => !w(m));
    });
    await this.send('Page.enable');
    await this.send('Runtime.enable');
    await this.send('DOM.enable');
    await this.send('Emulation.setDeviceMetricsOverride', {
      width: 1280,
      height: 720,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const { frameTree } = await this.send('Page.getFrameTree');
    this.frameId = frameTree.frame.id;
  }

  event(method) {
    return new Promise((resolve) => {
      (this.waiters ??= []).push((m) => {
        if (m.method !== method) return false;
        resolve(m.params);
        return true;
      });
    });
  }

  // Shows `html` (or a URL) in a fresh document and injects the script into it.
  async load(html) {
    const loaded = this.event('Page.loadEventFired');
    const url = /^(data|https?|file):/.test(html) ? html : await this.browser.serve(html);
    await this.send('Page.navigate', { url });
    await loaded;
    await this.inject(this.frameId);
  }

  async inject(frameId) {
    await this.send('Page.createIsolatedWorld', { frameId, worldName: 'bridle' });
    await this.raw(this.script, frameId);
  }

  // Evaluates in the isolated world.
  async raw(expression, frameId = this.frameId, extra = {}) {
    return unwrap(
      await this.send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
        uniqueContextId: this.worlds.get(frameId),
        ...extra,
      }),
    );
  }

  // Evaluates in the page's own world, as the page's scripts do.
  async main(expression) {
    return unwrap(await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true }));
  }

  // A function of the page's scripts. Arguments and result are held against the contract with C++.
  async call(name, args = {}, frameId = this.frameId) {
    checkArgs(name, args);
    const result = await this.raw(`__bridle.call(${JSON.stringify(name)}, ${JSON.stringify(args)})`, frameId);
    checkResult(name, result);
    return result;
  }

  // The same for a function whose first parameter is an element.
  async callOn(target, name, args = {}) {
    checkArgs(name, args);
    const element = `__bridle.element({ target: ${JSON.stringify(target)} })`;
    const result = await this.raw(`__bridle.${name}(${element}, ${JSON.stringify(args)})`);
    checkResult(name, result);
    return result;
  }

  // The snapshot's text alone; refs count from 1 unless told.
  async yaml(args = {}) {
    if (this.isHeldAgainstWhole && args.mode === 'delta' && !args.again) return this.yamlHeldAgainstWhole(args);
    const result = await this.call('snapshot', { refStart: this.next ?? 1, ...args });
    this.next = result.next;
    return result.yaml;
  }

  // The same, of a delta that has walked what has changed only; and another one by a walk of the whole page must say that.
  async yamlHeldAgainstWhole(args) {
    const given = JSON.stringify({ refStart: this.next ?? 1, ...args });
    const { one, two } = await this.raw(`(() => {
      document.querySelectorAll('*').forEach((el) => el.getBoundingClientRect());
      const tell = (more) => ({ ...__bridle.call('snapshot', { ...${given}, ...more }), kept: __bridleKept() });
      const one = tell({});
      __bridleWalkAll(true);
      const two = tell({ again: true });
      __bridleWalkAll(false);
      return { one, two };
    })()`);
    this.next = two.next;
    deepEqual([one.yaml, one.kept], [two.yaml, two.kept]);
    return one.yaml;
  }

  async handle(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: false,
      uniqueContextId: this.worlds.get(this.frameId),
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.objectId;
  }

  move(x, y) {
    return this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none' });
  }

  // All three at once: Chromium holds a lone mouseMoved's reply back until the next frame.
  click(x, y) {
    const mouse = (type, button, clickCount) =>
      this.send('Input.dispatchMouseEvent', { type, x, y, button, clickCount });
    return Promise.all([
      mouse('mouseMoved', 'none', 0),
      mouse('mousePressed', 'left', 1),
      mouse('mouseReleased', 'left', 1),
    ]);
  }
}

function unwrap({ result, exceptionDetails }) {
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
