// A model's API (chat-completions) that answers by a script, for the transcripts of docs/tools/agent.md.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

// The turns of a block of the kind `model`: each ends with `TOOL {ARGUMENTS}`; lines before it are what the model says.
export function turnsOf(lines) {
  const turns = [];
  let said = [];
  for (const line of lines.filter((one) => one.trim())) {
    const [, tool, args] = line.match(/^([a-z_]+) (\{.*\})$/) ?? [];
    if (!tool) {
      said.push(line);
      continue;
    }
    turns.push({ text: said.join('\n'), tool, args: JSON.parse(args) });
    said = [];
  }
  assert.ok(turns.length && !said.length, 'a model says what it does, and then does it');
  return turns;
}

// {origin, play(turns), close()}. Whose conversation has n answers gets the turn n.
export async function modelServer() {
  let turns = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages } = JSON.parse(Buffer.concat(chunks));
    const number = messages.filter(({ role }) => role === 'assistant').length;
    const { text, tool, args } = turns[Math.min(number, turns.length - 1)];
    const call = { id: `call-${number}`, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
    const answer = { message: { role: 'assistant', content: text, tool_calls: [call] }, finish_reason: 'tool_calls' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [answer] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    play(given) {
      turns = given;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
