// Resources, prompts and questions to the user, over a real page.
// Contract: [wire.resources] [wire.prompts]
import assert from 'node:assert/strict';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { eventually, Served } from '../harness.mjs';

async function connect(served, capabilities = {}) {
  const client = new Client({ name: 'reader', version: '1' }, { capabilities });
  const transport = new StreamableHTTPClientTransport(new URL(served.url));
  await client.connect(transport);
  return {
    client,
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    leave: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

const words = (result) =>
  result.content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('\n');

export default {
  'the page is a resource: list, read, and be told when it changed': async ({ served, site }) => {
    const { client, call, leave } = await connect(served);
    const read = async (uri) => (await client.readResource({ uri })).contents[0];
    await assert.rejects(read('bridle://page/snapshot'), /browser_navigate/);
    const page = await call('browser_navigate', { url: site.url('/form') });
    const updates = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updates.push(params.uri);
    });
    const { resources } = await client.listResources();
    const tab = page.structuredContent.tab;
    for (const uri of [
      'bridle://page/snapshot',
      'bridle://page/screenshot',
      'bridle://page/console',
      'bridle://page/network',
      'bridle://requests',
      `bridle://tab/${tab}/snapshot`,
    ]) {
      assert.ok(
        resources.some((one) => one.uri === uri),
        `${uri} is not listed`,
      );
    }
    assert.match((await read('bridle://page/snapshot')).text, /textbox "Text"/);
    assert.match((await read(`bridle://tab/${tab}/snapshot`)).text, /textbox "Text"/);
    assert.match((await read(`bridle://tab/${tab}/network`)).text, /\[GET\] \S+\/form/);
    assert.match((await read('bridle://page/console')).text, /### /);
    const png = Buffer.from((await read('bridle://page/screenshot')).blob, 'base64');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(JSON.parse((await read('bridle://requests')).text).recent.some((row) => row.tool === 'browser_navigate'));
    await assert.rejects(read('bridle://tab/none/snapshot'), /none/);

    await client.subscribeResource({ uri: 'bridle://page/snapshot' });
    await call('browser_snapshot');
    await call('browser_navigate', { url: site.url('/plain?title=Elsewhere') });
    await eventually('an update', () => updates.length > 0);
    assert.deepEqual(updates, ['bridle://page/snapshot']);
    await client.unsubscribeResource({ uri: 'bridle://page/snapshot' });
    await leave();
  },

  'prompts, with the open pages as completion': async ({ served, site }) => {
    const { client, call, leave } = await connect(served);
    await call('browser_navigate', { url: site.url('/form') });
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['test_page', 'fill_form', 'why_slow'],
    );
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'fill_form' },
      argument: { name: 'url', value: 'http' },
    });
    assert.deepEqual(completion.values, [site.url('/form')]);
    const { messages } = await client.getPrompt({
      name: 'fill_form',
      arguments: { url: site.url('/form'), data: 'Text: Ada' },
    });
    assert.match(messages[0].content.text, /Text: Ada/);
    await assert.rejects(client.getPrompt({ name: 'fill_form' }), /data/);
    await leave();
  },

  'what --max-output cuts can be read on': async ({ bridle, environment, site }) => {
    const served = await Served.start(bridle, ['--port', '0', '--max-output', '1000'], environment);
    const { client, call, leave } = await connect(served);
    let changed = 0;
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      changed += 1;
    });
    await call('browser_navigate', { url: site.url('/plain') });
    const result = await call('browser_evaluate', {
      function: "() => Array.from({ length: 2000 }, (_, i) => 'line ' + i).join('\\n')",
    });
    const uri = words(result).match(/bridle:\/\/result\/\S+/)?.[0];
    assert.ok(uri, words(result));
    assert.ok(words(result).length < 2500);
    assert.match((await client.readResource({ uri })).contents[0].text, /line 1999/);
    assert.ok((await client.listResources()).resources.some((one) => one.uri === uri));
    await eventually('the list has changed', () => changed > 0);
    const other = await connect(served);
    await assert.rejects(other.client.readResource({ uri }), /no longer kept/);
    await other.leave();
    await leave();
    assert.equal((await served.end('SIGTERM')).code, 0);
  },

  'ask_user, in a session: choices, free text, decline, cancel, and a client that can not': async ({ served }) => {
    const { client, call, leave } = await connect(served, { elicitation: {} });
    const asked = [];
    const answers = [{ action: 'accept', content: { answer: 'blue' } }, { action: 'decline' }, { action: 'cancel' }];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answers[asked.length - 1];
    });
    assert.match(
      words(await call('ask_user', { question: 'Which colour?', options: ['red', 'blue'] })),
      /answered: blue/,
    );
    assert.equal(asked[0].message, 'Which colour?');
    assert.deepEqual(asked[0].requestedSchema.properties.answer.enum, ['red', 'blue']);
    assert.match(words(await call('ask_user', { question: 'Why?' })), /^### Result\ndecline/);
    assert.match(words(await call('ask_user', { question: 'Why?' })), /^### Result\ncancel/);
    assert.equal((await call('ask_user', {})).isError, true);
    await leave();
    const mute = await connect(served);
    const refused = await mute.call('ask_user', { question: 'Why?' });
    assert.equal(refused.isError, true);
    assert.match(words(refused), /elicitation/);
    await mute.leave();
  },

  'ask_user in 2026-07-28': async ({ served }) => {
    const client = new Client2(
      { name: 'asked', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { answer: `${params.message} Yes.` },
    }));
    await client.connect(new Http2(new URL(served.url)));
    const result = await client.callTool({ name: 'ask_user', arguments: { question: 'Go on?' } });
    assert.match(words(result), /answered: Go on\? Yes\./);
    await client.close();
  },
};
