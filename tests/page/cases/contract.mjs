import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkArgs, checkResult, contract, parseContract, root } from '../contract.mjs';
import { equal, has, ok, same } from '../expect.mjs';

const namesOf = (...kinds) =>
  [...contract.functions].filter(([, { kind }]) => kinds.includes(kind)).map(([name]) => name);
const fails = (part, work) => {
  let message = '';
  try {
    work();
  } catch (error) {
    message = error.message;
  }
  has(message, part);
};

function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /\.(cpp|h)$/.test(entry.name) ? [readFileSync(join(root, path), 'utf8')] : [];
  });
}

export default {
  'the page offers what the contract lists, and nothing else': async (page) => {
    await page.load('<!doctype html><p>x</p>');
    const offered = await page.raw('__bridle.call("")').then(
      () => '',
      (error) => /it has ([\w ]+)/.exec(error.message)[1],
    );
    same(offered.split(' ').sort(), namesOf('PAGE_FUNCTION').sort());
    const others = namesOf('PAGE_HANDLE', 'PAGE_ELEMENT_FUNCTION', 'PAGE_OBJECT_FUNCTION');
    same((await page.raw('Object.keys(__bridle)')).sort(), ['call', ...others].sort());
  },

  'C++ calls every function of the contract': async () => {
    const product = ['browser', 'tools', 'server'].flatMap(sourcesBelow).join('\n');
    const tests = sourcesBelow('tests/browser').join('\n');
    for (const [name, { type }] of contract.functions) {
      const called = new RegExp(`\\bpage::${type}(\\{|::kName| \\w+\\{)`);
      ok(called.test(name === 'stats' ? tests : product), `nobody calls ${name}`);
    }
  },

  'what does not fit the contract is found': async () => {
    fails('no function nonsense', () => checkArgs('nonsense', {}));
    fails('snapshot.refStart is missing', () => checkArgs('snapshot', {}));
    fails('snapshot.refStart is no Integer', () => checkArgs('snapshot', { refStart: '1' }));
    fails('snapshot.dept is not in the contract', () => checkArgs('snapshot', { refStart: 1, dept: 2 }));
    fails('select.values[1] is no Text', () => checkArgs('select', { target: 'e1', values: ['a', 2] }));
    checkArgs('cancel', { callId: 'any' });
    fails("dragResult's result.started is missing", () => checkResult('dragResult', { ok: true }));
    fails("dragResult's result.begun is not", () =>
      checkResult('dragResult', { ok: true, started: true, begun: true }),
    );
    fails('does not say why', () => checkResult('dragResult', { ok: false }));
    fails('is no object', () => checkResult('dragResult', undefined));
    checkResult('dragResult', { ok: false, error: 'Because.' });
    const frame = { ref: 'e1', token: null, header: 'iframe [ref=e1]' };
    const snapshot = { ok: true, yaml: '', next: 1, frames: [frame], changed: true };
    checkResult('snapshot', snapshot);
    fails('frames[0].token is no Text', () =>
      checkResult('snapshot', { ...snapshot, frames: [{ ...frame, token: 1 }] }),
    );
    fails('twice', () => parseContract('PAGE_FUNCTION(A, a)\nPAGE_END\nPAGE_FUNCTION(B, a)\nPAGE_END'));
    equal(
      contract.functions.get('describe').result.some(({ name }) => name === 'absent'),
      true,
    );
  },
};
