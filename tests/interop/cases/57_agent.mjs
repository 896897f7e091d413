// A task worked on by the calling client's own model: each SDK's client as the source, by sampling with tools.
// Contract: [agent.models.sampling]
import assert from 'node:assert/strict';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const kInfo = { name: 'agent-test', version: '1' };
const kCapabilities = { capabilities: { sampling: { tools: {} } } };

// A model that looks at the page, and is done.
function scripted(url) {
  const asked = [];
  const use = (name, input) => ({ type: 'tool_use', id: `use-${asked.length}`, name, input });
  const answer = ({ params }) => {
    asked.push(params);
    const turn =
      asked.length === 1 ? use('browser_navigate', { url }) : use('done', { success: true, text: 'The page is open.' });
    return {
      role: 'assistant',
      model: 'scripted',
      stopReason: 'toolUse',
      content: [{ type: 'text', text: 'Next goal: open it' }, turn],
    };
  };
  return { asked, answer };
}

async function work(client, model) {
  const result = await client.callTool({ name: 'browser_agent', arguments: { task: 'open the page' } });
  await client.close();
  assert.ok(!result.isError, JSON.stringify(result));
  assert.equal(result.structuredContent.status, 'completed');
  assert.equal(result.structuredContent.text, 'The page is open.');
  assert.equal(model.asked.length, 2);
  assert.ok(model.asked[0].tools.some(({ name }) => name === 'browser_click'));
  assert.match(model.asked[0].systemPrompt, /It is fine to fail/);
  const shown = model.asked[1].messages.at(-1).content;
  const [block] = Array.isArray(shown) ? shown : [shown];
  assert.equal(block.type, 'tool_result');
  assert.match(JSON.stringify(block), /Sampled/);
}

export default {
  'the client of the SDK 1 is asked with tools': async ({ start, site }) => {
    const served = await start(['--caps', 'agent']);
    try {
      const model = scripted(site.url('/plain?title=Sampled'));
      const client = new Client(kInfo, kCapabilities);
      client.setRequestHandler(CreateMessageRequestSchema, model.answer);
      await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
      await work(client, model);
    } finally {
      await served.end('SIGTERM');
    }
  },

  'the client of the SDK 2 is asked with tools': async ({ start, site }) => {
    const served = await start(['--caps', 'agent']);
    try {
      const model = scripted(site.url('/plain?title=Sampled'));
      const client = new ClientV2(kInfo, kCapabilities);
      client.setRequestHandler('sampling/createMessage', model.answer);
      await client.connect(new TransportV2(new URL(served.url)));
      await work(client, model);
    } finally {
      await served.end('SIGTERM');
    }
  },
};
