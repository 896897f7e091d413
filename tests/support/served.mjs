// A program under test as a child process, for the tests that are written in JavaScript. It needs no packages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

// The Chromium of tests that ask nothing of it but to be one: see lean_browser.h.
const kShell = '/usr/bin/chromium-headless-shell';
export const kLeanBrowser = existsSync(kShell) ? kShell : '/usr/bin/chromium';
// ... as a bridle has it from its environment.
export const kWithLeanBrowser = { BRIDLE_EXECUTABLE_PATH: kLeanBrowser };

// A bound for what takes milliseconds, or a second or two: a busy machine may stand still for seconds.
export const kPatience = 60_000;

// A rejection instead of a hang.
export function within(patience, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${patience} ms`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// A claim on the product's own speed, which `attempt(n)` measures anew: one attempt of five keeps all bounds even on a busy
// machine, whereas a product that waits for a time of its own breaks them each time. `bounds` and what is measured:
// {name: number}.
export async function fastest(bounds, attempt) {
  const tried = [];
  while (tried.length < 5) {
    const measured = await attempt(tried.length);
    if (Object.entries(bounds).every(([name, most]) => measured[name] <= most)) return measured;
    tried.push(measured);
  }
  assert.fail(`no attempt keeps ${JSON.stringify(bounds)}: ${JSON.stringify(tried)}`);
}

// A child process whose first line of stdout names the address it listens on.
export class Served {
  static async start(program, args, env = {}) {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    const served = new Served(child);
    const line = await within(
      kPatience,
      `${program} listening`,
      Promise.race([
        served.firstLine,
        served.exited.then(({ code }) => {
          throw new Error(`${program} ended with ${code}: ${served.log}`);
        }),
      ]),
    );
    served.url = line.match(/listening on (http:\S+)/)?.[1];
    assert.ok(served.url, `first line of stdout: ${line}`);
    return served;
  }

  constructor(child) {
    this.child = child;
    this.log = '';
    child.stderr.on('data', (chunk) => {
      this.log += chunk;
    });
    this.exited = new Promise((resolve, reject) => {
      child.on('exit', (code, signal) => resolve({ code, signal }));
      child.on('error', reject);
    });
    this.exited.catch(() => {});
    this.firstLine = new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  }

  // Its exit code (or signal) and the ms it took.
  async end(signal, patience = kPatience) {
    const begun = performance.now();
    this.child.kill(signal);
    const { code, signal: killed } = await within(patience, `end after ${signal}`, this.exited);
    return { code: code ?? killed, ms: Math.round(performance.now() - begun) };
  }
}
