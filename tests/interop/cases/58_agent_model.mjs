// How the API of a run's model is reached: certificates are verified, and the environment's proxy is taken for all but
// this machine's own addresses.
// Contract: [agent.models.http]
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { selfSigned } from '../certificate.mjs';
import { Peer, Served } from '../harness.mjs';

// An API whose model is done at once; it keeps the URLs that it was asked for.
async function modelApi(make) {
  const asked = [];
  const server = make((request, response) => {
    asked.push(request.url);
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'done', arguments: '{"success": true, "text": "The model answered."}' },
    };
    const choice = { message: { role: 'assistant', tool_calls: [call] }, finish_reason: 'tool_calls' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [choice] }));
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    asked,
    port: server.address().port,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// What a run by the model at `url` came to.
async function run({ bridle, environment }, url, more = {}) {
  const options = ['--port', '0', '--caps', 'agent', '--model-url', url, '--model', 'scripted'];
  const served = await Served.start(bridle, options, { ...environment, ...more });
  try {
    const peer = await Peer.connect(served, 'agent-model');
    const result = await peer.client.callTool({ name: 'browser_agent', arguments: { task: 'answer' } });
    await peer.leave();
    return result.structuredContent;
  } finally {
    await served.end('SIGTERM');
  }
}

export default {
  'a model whose certificate nobody vouches for is not asked': async (world) => {
    const api = await modelApi((answer) => createSecureServer(selfSigned(), answer));
    try {
      const { status, text } = await run(world, `https://localhost:${api.port}/v1`);
      assert.equal(status, 'error');
      assert.match(text, /certificate/i);
      assert.deepEqual(api.asked, []);
    } finally {
      api.end();
    }
  },

  'a model elsewhere is asked by way of the proxy that the environment names': async (world) => {
    const proxy = await modelApi(createServer);
    try {
      const { status, text } = await run(world, 'http://model.example/v1', {
        http_proxy: `http://127.0.0.1:${proxy.port}`,
      });
      assert.equal(text, 'The model answered.');
      assert.equal(status, 'completed');
      assert.deepEqual(proxy.asked, ['http://model.example/v1/chat/completions']);
    } finally {
      proxy.end();
    }
  },

  'a model of this machine is asked without it': async (world) => {
    const api = await modelApi(createServer);
    const proxy = await modelApi(createServer);
    try {
      const { status } = await run(world, `http://127.0.0.1:${api.port}/v1`, {
        http_proxy: `http://127.0.0.1:${proxy.port}`,
      });
      assert.equal(status, 'completed');
      assert.deepEqual(api.asked, ['/v1/chat/completions']);
      assert.deepEqual(proxy.asked, []);
    } finally {
      api.end();
      proxy.end();
    }
  },
};
