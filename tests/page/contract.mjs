// The contract between C++ and the page's scripts, read from browser/page/world/page_contract.def, and held against calls.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const kKinds = ['PAGE_FUNCTION', 'PAGE_ELEMENT_FUNCTION', 'PAGE_OBJECT_FUNCTION', 'PAGE_HANDLE'];

// -> { records: Map(type -> fields), functions: Map(name -> { kind, type, args, result }) }; fields and args are lists
// of { type, name, needed }.
export function parseContract(text) {
  const records = new Map();
  const functions = new Map();
  let fields = null; // of the entry that is being read
  let current = null;
  for (const line of text.split('\n')) {
    const code = line.replace(/\/\/.*/, '').trim();
    if (code === '') continue;
    const [, macro, list] = /^(\w+)(?:\((.*)\))?$/.exec(code) ?? assert.fail(`not understood: ${line}`);
    const words = (list ?? '').split(',').map((word) => word.trim());
    if (macro === 'PAGE_RECORD' || macro === 'PAGE_RECORD_OF') {
      fields = [...(words[1] ? records.get(words[1]) : [])];
      records.set(words[0], fields);
    } else if (kKinds.includes(macro)) {
      current = { kind: macro, type: words[0], args: [], result: null };
      assert.ok(!functions.has(words[1]), `${words[1]} stands there twice`);
      functions.set(words[1], current);
      fields = current.args;
    } else if (macro === 'PAGE_RESULT') {
      assert.equal(words[0], current.type, 'a PAGE_RESULT belongs to the function above it');
      current.result = fields = [...records.get(words[1])];
    } else if (macro === 'PAGE_END') {
      fields = null;
    } else {
      assert.ok(['REQUIRED', 'OPTIONAL', 'FIELD', 'MAYBE'].includes(macro), `not understood: ${line}`);
      fields.push({ type: words[0], name: words[2], needed: macro === 'REQUIRED' || macro === 'FIELD' });
    }
  }
  return { records, functions };
}

export const contract = parseContract(readFileSync(join(root, 'browser/page/world/page_contract.def'), 'utf8'));

// Why a value is not of a type of the contract, or ''.
function misfit(type, value, where) {
  const inner = /^(List|Nullable)<(.*)>$/.exec(type);
  if (inner?.[1] === 'Nullable') return value === null ? '' : misfit(inner[2], value, where);
  if (inner) {
    if (!Array.isArray(value)) return `${where} is no list`;
    return value.map((one, i) => misfit(inner[2], one, `${where}[${i}]`)).find(Boolean) ?? '';
  }
  if (contract.records.has(type)) return misfitOfFields(contract.records.get(type), value, where, true);
  const fits = {
    Text: typeof value === 'string',
    Flag: typeof value === 'boolean',
    Integer: Number.isInteger(value),
    Number: typeof value === 'number',
    Any: true,
  };
  assert.ok(type in fits, `the contract has no type ${type}`);
  return fits[type] ? '' : `${where} is no ${type}: ${JSON.stringify(value)}`;
}

function misfitOfFields(fields, value, where, complete) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${where} is no object`;
  for (const { type, name, needed } of fields) {
    if (!(name in value)) {
      if (needed && complete) return `${where}.${name} is missing`;
      continue;
    }
    const why = misfit(type, value[name], `${where}.${name}`);
    if (why) return why;
  }
  const unknown = Object.keys(value).find((key) => !fields.some(({ name }) => name === key));
  return unknown === undefined ? '' : `${where}.${unknown} is not in the contract`;
}

// Throws when a function is unknown, or its arguments or its result aren't what the contract says.
export function checkArgs(name, args) {
  const entry = contract.functions.get(name);
  assert.ok(entry, `the contract has no function ${name}`);
  const known = [...entry.args, { type: 'Any', name: 'callId', needed: false }];
  const why = misfitOfFields(known, args, name, true);
  assert.equal(why, '', why);
}

export function checkResult(name, result) {
  // One that failed has said why; what it has found out by then may be missing.
  const why = misfitOfFields(contract.functions.get(name).result, result, `${name}'s result`, result?.ok !== false);
  assert.equal(why, '', why);
  if (!result.ok) assert.ok(result.error || result.closedHosts, `${name} failed and does not say why`);
}
