// The same client over the other transports: HTTP+SSE of 2024-11-05, and stdio.
// Contract: [wire.revisions] [wire.conformance] [tool.cli.start-error] [tool.uploads.working-folder]
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { eventually, kPatience, Peer, within } from '../harness.mjs';

const kNever = 120_000; // of a call that is stopped long before

// Browses a little and cancels a navigation; leaves one running whose URL is /never?NAME-left.
async function visit(client, site, name) {
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === 'browser_navigate'));
  const call = (tool, args, options) => client.callTool({ name: tool, arguments: args }, undefined, options);
  const page = await call('browser_navigate', {
    url: site.url(`/plain?title=${name}`),
  });
  assert.equal(page.structuredContent.title, name);

  const controller = new AbortController();
  const never = call(
    'browser_navigate',
    { url: site.url(`/never?${name}`), timeout: kNever },
    { signal: controller.signal },
  );
  const rejected = assert.rejects(never, /stopped here/);
  await site.request(`/never?${name}`);
  const at = await site.clock();
  controller.abort('stopped here');
  await rejected;
  const { ms } = await site.hangup(`/never?${name}`);
  const title = await call('browser_evaluate', {
    function: '() => document.title',
  });
  assert.equal(title.structuredContent.value, name);

  call('browser_navigate', {
    url: site.url(`/never?${name}-left`),
    timeout: kNever,
  }).catch(() => {});
  await site.request(`/never?${name}-left`);
  return `the site's socket closed ${ms - at} ms after the abort`;
}

export default {
  'HTTP+SSE: cancel; closing the stream stops the session': async ({ served, site }, note) => {
    const peer = await Peer.connect(served, 'sse', ({ url }) => new SSEClientTransport(new URL('/sse', url)));
    note(await visit(peer.client, site, 'sse'));
    await peer.client.close();
    const { afterMs } = await site.hangup('/never?sse-left');
    assert.ok(afterMs >= 0);
  },

  'stdio: cancel; the end of stdin ends the server and its browser': async (
    { bridle, environment, site, temp },
    note,
  ) => {
    const profiles = temp.profiles().length;
    const client = new Client({ name: 'stdio', version: '1' });
    const transport = new StdioClientTransport({
      command: bridle,
      args: ['--stdio'],
      env: environment,
      stderr: 'pipe',
    });
    let log = '';
    transport.stderr.on('data', (chunk) => {
      log += chunk;
    });
    const errors = [];
    client.onerror = (error) => errors.push(error); // whatever on stdout is no message
    await client.connect(transport);
    const pid = transport.pid;
    note(await visit(client, site, 'stdio'));
    assert.equal(temp.profiles().length, profiles + 1, log);
    // As client.close() does, which signals a process that is still there 2 s later: here nothing but the end of its stdin
    // may end it.
    const child = transport['_process'];
    const ended = new Promise((resolve) => child.once('close', (...how) => resolve(how)));
    const begun = performance.now();
    child.stdin.end();
    assert.deepEqual(await within(kPatience, `the end of stdin ends it\n${log}`, ended), [0, null], log);
    note(`ended ${Math.round(performance.now() - begun)} ms after its stdin`);
    await client.close();
    assert.match(log, /shutting down: stdin ended/);
    assert.ok(!temp.processes().some((one) => one.pid === pid));
    await eventually('its profile is gone', () => temp.profiles().length === profiles);
    assert.deepEqual(errors, []);
  },

  'stdio: what ends the start is an error of the waiting client, with its words': async ({
    bridle,
    environment,
    temp,
  }) => {
    const config = join(temp.path, 'start.json');
    writeFileSync(config, '{"browser": {"browserName": "webkit"}, "stdio": true}');
    const starts = [
      { args: ['--stdio', '--prot', '1'], words: /--prot/ },
      {
        args: ['--stdio'],
        env: { PLAYWRIGHT_MCP_BROWSER: 'firefox' },
        words: /bridle drives Chromium alone/,
      },
      {
        args: ['--stdio', '--config', config],
        words: /browserName.*can't be honoured/,
      },
      {
        args: ['--stdio', '--token-file', '/no/such/file'],
        words: /--token-file: can't read/,
      },
    ];
    for (const { args, env, words } of starts) {
      const client = new Client({ name: 'stdio', version: '1' });
      const transport = new StdioClientTransport({
        command: bridle,
        args,
        env: { ...environment, ...env },
        stderr: 'pipe',
      });
      let log = '';
      transport.stderr.on('data', (chunk) => {
        log += chunk;
      });
      await assert.rejects(client.connect(transport), (error) => {
        assert.match(error.message, /bridle did not start/);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /[Cc]onnection closed/);
        return true;
      });
      await eventually('it is told on stderr', () => words.test(log));
      await eventually('it ends by itself', () => transport.pid === null);
      await client.close();
    }
  },

  'over stdio, files come from the folder that the client started bridle in, unless that is a home': async ({
    bridle,
    site,
    environment,
  }) => {
    const home = mkdtempSync(join(tmpdir(), 'bridle-home-'));
    const project = join(home, 'project');
    mkdirSync(project);
    const file = join(project, 'letter.txt');
    writeFileSync(file, 'x');
    const upload = async (cwd, capabilities) => {
      const client = new Client({ name: 'stdio', version: '1' }, { capabilities });
      if (capabilities.roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
      const transport = new StdioClientTransport({
        command: absolute(bridle), // started from another folder
        args: ['--stdio'],
        env: { ...environment, HOME: home },
        cwd,
        stderr: 'ignore',
      });
      await client.connect(transport);
      const call = (name, args) => client.callTool({ name, arguments: args });
      await call('browser_navigate', { url: site.url('/form') });
      await call('browser_evaluate', { function: "() => { document.body.innerHTML = '<input id=file type=file>' }" });
      const { content } = await call('browser_file_upload', { target: '#file', paths: [file] });
      await client.close();
      return content[0].text;
    };
    try {
      assert.match(await upload(project, {}), /gave letter\.txt/);
      assert.match(await upload(home, {}), /may not be uploaded/);
      assert.match(await upload('/', {}), /may not be uploaded/);
      assert.match(await upload(project, { roots: {} }), /may not be uploaded/); // whose client says where it works
    } finally {
      rmSync(home, { recursive: true });
    }
  },
};
