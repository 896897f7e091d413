// Other official clients, in each way they choose a revision: every one lists, navigates, reads, and cancels.
// Contract: [wire.revisions] [wire.conformance]
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const kNever = 120_000; // of a call that is stopped long before
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));

// `client` in the shape of the SDKs: listTools(), callTool(request, options).
async function visit(site, name, note, { list, call, read }) {
  const tools = await list();
  assert.ok(tools.some((tool) => tool.name === 'browser_navigate'));
  const page = await call('browser_navigate', { url: site.url(`/plain?title=${name}`) });
  assert.equal(page.structuredContent.title, name);

  const controller = new AbortController();
  const never = call('browser_navigate', { url: site.url(`/never?${name}`), timeout: kNever }, controller.signal);
  const rejected = assert.rejects(never);
  await site.request(`/never?${name}`);
  const at = await site.clock();
  controller.abort(new Error('stopped here'));
  await rejected;
  const { ms } = await site.hangup(`/never?${name}`);
  note(`the site's socket closed ${ms - at} ms after the abort`);
  const title = await call('browser_evaluate', { function: '() => document.title' });
  assert.equal(title.structuredContent.value, name);

  const snapshot = await read('bridle://page/snapshot');
  assert.match(snapshot.contents[0].text, /### Snapshot/);
  await call('browser_close', {});
}

function client2(mode, expected) {
  return async ({ served, site }, note) => {
    const client = new Client2({ name: 'client v2', version: '1' }, { versionNegotiation: { mode } });
    const errors = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(new Http2(new URL(served.url)));
    assert.equal(client.getNegotiatedProtocolVersion(), expected);
    await visit(site, `v2-${mode.pin ?? mode}`, note, {
      list: async () => (await client.listTools()).tools,
      call: (name, args, signal) => client.callTool({ name, arguments: args }, { signal }),
      read: (uri) => client.readResource({ uri }),
    });
    await client.close();
    assert.deepEqual(errors, []);
  };
}

// A command-line client's run: {code, out, err}; `child` to end it early.
function run(program, args, env) {
  const child = spawn(process.execPath, [join(modules, program), ...args], { env: { ...process.env, ...env } });
  const seen = { child, out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    seen.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    seen.err += chunk;
  });
  seen.ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: seen.out, err: seen.err }));
  });
  return seen;
}

async function succeeds(...command) {
  const { code, out, err } = await run(...command).ended;
  assert.equal(code, 0, `${command.flat().join(' ')}\n${out}\n${err}`);
  return out;
}

function inspector(era) {
  return async ({ served, site, temp }, note) => {
    const program = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
    const cli = (...args) => [
      program,
      ['--cli', served.url, '--transport', 'http', '--protocol-era', era, ...args],
      { HOME: temp.path },
    ];
    const call = (path) =>
      cli(
        '--method',
        'tools/call',
        '--tool-name',
        'browser_navigate',
        '--tool-arg',
        `url=${site.url(path)}`,
        '--tool-arg',
        `timeout=${kNever}`,
      );
    const { tools } = JSON.parse(await succeeds(...cli('--method', 'tools/list', '--strict')));
    assert.ok(tools.some(({ name }) => name === 'browser_navigate'));
    const page = JSON.parse(await succeeds(...call(`/plain?title=inspector-${era}`)));
    assert.equal(page.structuredContent.title, `inspector-${era}`);
    if (era === 'modern') await succeeds(...cli('--method', 'prompts/list'));
    const never = run(...call(`/never?inspector-${era}`));
    await site.request(`/never?inspector-${era}`);
    const at = await site.clock();
    never.child.kill('SIGKILL');
    // The end of its process is the cancel in 2026-07-28 alone.
    if (era === 'legacy') {
      await fetch(new URL('/stop', served.url), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
    }
    const { ms } = await site.hangup(`/never?inspector-${era}`);
    note(`the site's socket closed ${ms - at} ms after the ${era === 'legacy' ? 'stop' : 'end of the client'}`);
  };
}

export default {
  "inspector's CLI, legacy": inspector('legacy'),
  "inspector's CLI, modern": inspector('modern'),

  mcpc: async ({ served, site, temp }, note) => {
    const mcpc = (...args) => ['@apify/mcpc/bin/mcpc', ['--json', ...args], { MCPC_HOME_DIR: join(temp.path, 'mcpc') }];
    // It gives its own daemon a few seconds to start, which a busy machine exceeds: nothing of that has reached bridle.
    for (let tries = 1; ; tries++) {
      const { code, out, err } = await run(...mcpc('connect', served.url, '@bridle')).ended;
      if (code === 0) break;
      assert.ok(tries < 5 && `${out}${err}`.includes('socket file not created within timeout'), `${out}\n${err}`);
    }
    assert.ok(
      JSON.parse(await succeeds(...mcpc('@bridle', 'tools-list'))).some(({ name }) => name === 'browser_navigate'),
    );
    const page = JSON.parse(
      await succeeds(...mcpc('@bridle', 'tools-call', 'browser_navigate', `url:=${site.url('/plain?title=mcpc')}`)),
    );
    assert.equal(page.structuredContent.title, 'mcpc');
    const never = run(
      ...mcpc('@bridle', 'tools-call', 'browser_navigate', `url:=${site.url('/never?mcpc')}`, `timeout:=${kNever}`),
    );
    await site.request('/never?mcpc');
    const at = await site.clock();
    await succeeds(...mcpc('close', '@bridle')); // it DELETEs the session
    const { ms } = await site.hangup('/never?mcpc', 5000);
    note(`the site's socket closed ${ms - at} ms after the session was closed`);
    await never.ended;
  },

  'client v2, legacy': client2('legacy', '2025-11-25'),
  'client v2, auto': client2('auto', '2026-07-28'),
  'client v2, pinned': client2({ pin: '2026-07-28' }, '2026-07-28'),

  'ai-sdk': async ({ served, site }, note) => {
    const errors = [];
    const client = await createMCPClient({
      transport: { type: 'http', url: served.url },
      onUncaughtError: (error) => errors.push(error),
    });
    await visit(site, 'ai-sdk', note, {
      list: async () => (await client.listTools()).tools,
      call: (name, args, signal) => client.callTool({ name, arguments: args, options: { signal } }),
      read: (uri) => client.readResource({ uri }),
    });
    await client.close();
    assert.deepEqual(errors, []);
  },

  'mcp-remote': async ({ served, site, temp }, note) => {
    const client = new Client({ name: 'behind mcp-remote', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(modules, 'mcp-remote/dist/proxy.js'), served.url, '--transport', 'http-only'],
      env: { ...process.env, MCP_REMOTE_CONFIG_DIR: temp.path },
      stderr: 'pipe',
    });
    let log = '';
    transport.stderr.on('data', (chunk) => {
      log += chunk;
    });
    await client.connect(transport).catch((error) => assert.fail(`${error.message}\n${log}`));
    await visit(site, 'mcp-remote', note, {
      list: async () => (await client.listTools()).tools,
      call: (name, args, signal) => client.callTool({ name, arguments: args }, undefined, { signal }),
      read: (uri) => client.readResource({ uri }),
    });
    await client.close();
  },
};
