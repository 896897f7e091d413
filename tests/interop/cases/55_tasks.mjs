// A navigation that takes long becomes a task, and its cancel reaches the browser. No SDK knows tasks yet: plain fetch.
// Contract: [wire.tasks]
import assert from 'node:assert/strict';
import { eventually } from '../harness.mjs';

const kNever = 120_000; // of a call that is stopped long before
const kVersion = '2026-07-28';
const kEnvelope = {
  'io.modelcontextprotocol/protocolVersion': kVersion,
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
let ids = 0;

async function post(served, method, params) {
  const response = await fetch(served.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': kVersion,
      'Mcp-Method': method,
      'Mcp-Name': params.name ?? params.taskId,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta: kEnvelope } }),
  });
  const text = await response.text();
  const message = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .at(-1)
        .slice(6);
  const { result, error } = JSON.parse(message);
  assert.ok(result, JSON.stringify(error));
  return result;
}

export default {
  'a long navigation becomes one; tasks/cancel ends it in the browser': async ({ served, site }, note) => {
    const call = (name, args) => post(served, 'tools/call', { name, arguments: args });
    const get = (taskId) => post(served, 'tasks/get', { taskId });
    // Where the browser takes more than 5 s to start, this is a task as well.
    const first = await call('browser_navigate', { url: site.url('/plain?title=Task') });
    if (first.resultType !== 'complete')
      await eventually('the page is there', async () => (await get(first.taskId)).status === 'completed');
    const begun = performance.now();
    const created = await call('browser_navigate', { url: site.url('/never?task'), timeout: kNever });
    note(`a task after ${Math.round(performance.now() - begun)} ms`);
    assert.equal(created.resultType, 'task');
    assert.equal((await get(created.taskId)).status, 'working'); // its first client has hung up
    const at = await site.clock();
    await post(served, 'tasks/cancel', { taskId: created.taskId });
    const { ms } = await site.hangup('/never?task');
    note(`the site's socket closed ${ms - at} ms after tasks/cancel`);
    await eventually('the task is cancelled', async () => (await get(created.taskId)).status === 'cancelled');
    const title = await call('browser_evaluate', { function: '() => document.title' });
    assert.equal(title.structuredContent.value, 'Task');
  },

  'a wait that becomes one completes, and keeps its result': async ({ served }) => {
    // A call becomes a task after 5 s. A machine that stands still then may come to the end of the wait first.
    let created;
    for (let time = 5.5; time < 50 && created?.resultType !== 'task'; time *= 2) {
      created = await post(served, 'tools/call', { name: 'browser_wait_for', arguments: { time } });
    }
    assert.equal(created.resultType, 'task');
    const get = () => post(served, 'tasks/get', { taskId: created.taskId });
    await eventually('the task completes', async () => (await get()).status === 'completed');
    assert.equal((await get()).result.structuredContent.satisfied, true);
    await post(served, 'tools/call', { name: 'browser_close', arguments: {} });
  },
};
