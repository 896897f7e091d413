// README.md against the program it describes.
// Contract: [tool.list]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Peer } from '../harness.mjs';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

export default {
  'it names every tool, and no other': async ({ served }) => {
    const peer = await Peer.connect(served, 'reading');
    for (const name of ['pdf', 'vision']) await peer.client.callTool({ name: 'browser_toolset', arguments: { name } });
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
    await peer.leave();
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
