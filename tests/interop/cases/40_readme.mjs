// README.md against the program it describes.
// Contract: [tool.list]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Peer } from '../harness.mjs';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

export default {
  'it names every tool, and no other': async ({ start }) => {
    const served = await start(['--caps', 'all']);
    const peer = await Peer.connect(served, 'reading');
    const { tools } = await peer.client.listTools();
    const accepted = /^\| `[a-z]+` \| .* \| (.*) \|$/gm; // the last column of the table of sets names what isn't listed
    const named = new Set(
      readme.replaceAll(accepted, (row, names) => row.replace(names, '')).match(/\bbrowser_[a-z_]+/g),
    );
    assert.deepEqual(
      [...named].sort(),
      tools
        .map((tool) => tool.name)
        .filter((name) => name.startsWith('browser_'))
        .sort(),
    );
    // Names of another server that it promises are served.
    const theirs = [...readme.matchAll(accepted)].flatMap(([, names]) => names.match(/\bbrowser_[a-z_]+[a-z]/g) ?? []);
    assert.ok(theirs.length > 10);
    for (const name of theirs.filter((one) => !one.endsWith('storage')))
      assert.ok((await peer.client.callTool({ name, arguments: { tab: 'none' } })).isError, name);
    await assert.rejects(peer.client.callTool({ name: 'browser_mouse_jump', arguments: {} }), /Unknown tool/);
    await peer.leave();
    await served.end('SIGTERM');
  },

  'it names every option': async ({ bridle }) => {
    const help = execFileSync(bridle, ['--help'], { encoding: 'utf8' });
    const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)]
      .map((match) => match[1])
      .filter((name) => name !== '--version');
    assert.ok(options.length > 10, help);
    assert.deepEqual(
      options.filter((name) => !readme.includes(`\`${name}\``)),
      [],
    );
  },
};
