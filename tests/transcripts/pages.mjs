// The transcripts of docs/tools/*.md: what a reader sees there is what bridle answers. A fenced block of the kind
// `transcript` is a session; what else stands in the fence's line are options of the bridle that it is led with:
//
//   ````transcript --caps pdf
//   > browser_navigate {"url": "http://site/shop.html"}
//   …
//   - Page Title: Tea shop
//   …
//   > browser_pdf_save
//   > {"filename": "shop.pdf"}
//   PDF of the page, A4, … bytes
//   saved to /output/session/shop.pdf
//   ````
//
// A line with `> ` and a tool's name begins a request, further ones go on with its arguments; what follows is its answer, all of it. `…` alone on a line
// stands for any lines, or none; within a line for any characters. `http://site` is the folder site/ with the routes of
// api.mjs, `http://other` the same under another origin, `/files` the folder files/, `/output/session` the session's files.
// Of browser_agent, `~ ` begins what it tells on its way, `? ` a question, and after the request `< {...}` answers one. A
// block of the kind `model` is what the model at `http://model` does then (see model.mjs); one of the kind `dotenv` is
// the file of secrets `/secrets`.
// A block without options goes on with the session of the one before it. A block of any other kind that names a file
// below /output/session in its fence's line is what stands in that file.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { Bridle, Session } from '../support/bridle.mjs';
import { modelServer, turnsOf } from './model.mjs';
import { normalised } from './normalise.mjs';

const kGap = '…';
const kSessionFolder = '/output/session/';

// [{options, from, to, steps: [{tool, args, from, to, answer}]}], places as numbers of lines; `options` null: none named.
export function blocksOf(lines) {
  const blocks = [];
  let fence = null;
  let block = null;
  lines.forEach((line, i) => {
    if (!fence) {
      const begin = line.match(/^(`{3,}|~{3,})(\w*)(.*)$/);
      if (!begin) return;
      fence = begin[1];
      const options = begin[3].trim().split(/\s+/).filter(Boolean);
      if (options[0]?.startsWith(kSessionFolder))
        block = { file: options[0].slice(kSessionFolder.length), from: i + 1 };
      if (begin[2] === 'model' || begin[2] === 'dotenv') block = { kind: begin[2], from: i + 1 };
      if (begin[2] !== 'transcript') return;
      block = { options: options.length ? options : null, from: i + 1, to: i + 1 };
    } else if (line === fence) {
      fence = null;
      if (block) blocks.push({ ...block, to: i, steps: block.file || block.kind ? [] : stepsOf(lines, block.from, i) });
      block = null;
    }
  });
  assert.ok(!fence, 'a fenced block has no end');
  return blocks;
}

function stepsOf(lines, from, to) {
  const steps = [];
  let at = from;
  while (at < to) {
    const [, tool, begun] =
      lines[at].match(/^> ([a-z_]+)(.*)$/) ?? assert.fail(`line ${at + 1}: not a request, > TOOL {ARGUMENTS}`);
    let args = begun;
    for (at++; at < to && /^> [^a-z]/.test(lines[at]); at++) args += lines[at].slice(1);
    const answers = [];
    for (; at < to && lines[at].startsWith('< '); at++) answers.push(JSON.parse(lines[at].slice(2)));
    const answerAt = at;
    while (at < to && !lines[at].startsWith('> ')) at++;
    steps.push({
      tool,
      args: JSON.parse(args.trim() || '{}'),
      answers,
      from: answerAt,
      to: at,
      answer: lines.slice(answerAt, at),
    });
  }
  assert.ok(steps.length, `line ${from}: a transcript without a request`);
  return steps;
}

function lineFits(wanted, line) {
  const parts = wanted.split(kGap);
  if (parts.length === 1) return wanted === line;
  let at = parts[0].length;
  if (!line.startsWith(parts[0])) return false;
  for (const part of parts.slice(1, -1)) {
    at = line.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  return line.endsWith(parts.at(-1)) && line.length - parts.at(-1).length >= at;
}

// Whether the lines of an answer are those that a page shows.
export function fits(wanted, lines) {
  if (!wanted.length) return !lines.length;
  const [first, ...rest] = wanted;
  if (first.trim() !== kGap) return lines.length > 0 && lineFits(first, lines[0]) && fits(rest, lines.slice(1));
  return lines.some((_, i) => fits(rest, lines.slice(i))) || fits(rest, []);
}

const trimmed = (lines) => lines.join('\n').trim().split('\n');

// The arguments as they are sent, deep.
function sent(value, places) {
  if (Array.isArray(value)) return value.map((one) => sent(one, places));
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sent(one, places)]));
  if (typeof value !== 'string') return value;
  return value
    .replaceAll('http://site', places.site)
    .replaceAll('http://other', places.other)
    .replaceAll('http://model', places.model)
    .replaceAll(/^\/secrets$/g, places.secrets)
    .replaceAll(/^\/files\b/g, places.files);
}

// The page's name and what plays it: {name, play(update)}, which throws at the first answer that is another, or with
// `update` writes those into the page. `places`: {program, site, other, files}.
export function pages(folder, places) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({
      name: `tools/${basename(file, '.md')}`,
      play: (update) => playPage(join(folder, file), places, update),
    }));
}

async function playPage(path, given, update) {
  const folder = mkdtempSync(join(tmpdir(), 'bridle-test-'));
  const model = await modelServer();
  const places = { ...given, model: model.origin, secrets: join(folder, 'secrets') };
  try {
    return await playBlocks(path, places, model, update);
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playBlocks(path, places, model, update) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const blocks = blocksOf(lines);
  assert.ok(blocks.length, `${path} has no transcript`);
  assert.ok(
    blocks.find(({ kind }) => !kind).options,
    `${path}: the first transcript names the options of its bridle, such as --caps`,
  );
  const news = []; // [step, lines]
  let bridle = null;
  let session = null;
  try {
    for (const { options, steps, file, kind, from, to } of blocks) {
      const inside = lines.slice(from, to);
      if (kind === 'model') model.play(sent(turnsOf(inside), places));
      if (kind === 'dotenv') writeFileSync(places.secrets, `${inside.join('\n')}\n`, { mode: 0o600 });
      if (kind) continue;
      if (file) {
        const folder = readdirSync(bridle.output).find((name) => !name.startsWith('.'));
        const there = trimmed(normalised(readFileSync(join(bridle.output, folder, file), 'utf8'), places).split('\n'));
        if (fits(lines.slice(from, to), there)) continue;
        if (!update) throw new Error(`${path}:${from}: ${file} holds\n${there.join('\n')}`);
        news.push([{ from, to }, there]);
        continue;
      }
      if (options) {
        await bridle?.end();
        bridle = await Bridle.start(places.program, [
          ...['--viewport-size', '1280x800', '--allowed-upload-dirs', places.files],
          ...options.map((option) => sent(option, places)),
        ]);
        session = await Session.open(bridle, { elicitation: {} });
      }
      for (const step of steps) {
        const args = sent(step.args, places);
        const words =
          step.tool === 'browser_agent'
            ? await session.converse(step.tool, args, step.answers)
            : (await session.result(step.tool, args)).words;
        const answer = trimmed(normalised(words, places).replaceAll(places.other, 'http://other').split('\n'));
        const wanted = trimmed(step.answer);
        assert.ok(
          update || wanted.some((line) => line.trim() && line.trim() !== kGap),
          `${path}:${step.from}: an answer that says nothing can't be wrong`,
        );
        if (fits(wanted, answer)) continue;
        if (!update) {
          throw new Error(
            `${path}:${step.from}: ${step.tool} answered\n${answer.join('\n')}\nnot\n${wanted.join('\n')}`,
          );
        }
        news.push([step, step === steps.at(-1) ? answer : [...answer, '']]); // a blank line before the next request
      }
    }
  } finally {
    await bridle?.end();
  }
  for (const [step, answer] of news.reverse()) lines.splice(step.from, step.to - step.from, ...answer);
  if (news.length) writeFileSync(path, lines.join('\n'));
  return { steps: blocks.flatMap(({ steps }) => steps).length };
}

// What the comparing itself is held to.
export function checkComparing() {
  assert.ok(fits(['a', kGap, 'd'], ['a', 'b', 'c', 'd']));
  assert.ok(fits(['a', kGap, 'b', kGap], ['a', 'b']));
  assert.ok(!fits(['a', kGap, 'd'], ['a', 'b', 'c']));
  assert.ok(!fits(['a'], ['a', 'b']));
  assert.ok(!fits(['a', 'b'], ['a']));
  assert.ok(fits(['… of … bytes'], ['12 of 13 bytes']));
  assert.ok(!fits(['ab…bc'], ['abc']));
  assert.ok(!fits(['… bytes'], ['12 bytes more']));
  const [block] = blocksOf(['````transcript --caps pdf', '> one {"a":', '> 1}', 'x', '```', '> two', 'y', '````', 'z']);
  assert.deepEqual(block.options, ['--caps', 'pdf']);
  assert.deepEqual(
    block.steps.map(({ tool, args, answer }) => [tool, args, answer]),
    [
      ['one', { a: 1 }, ['x', '```']],
      ['two', {}, ['y']],
    ],
  );
  assert.throws(() => blocksOf(['```transcript', 'no request', '```']));
  assert.throws(() => blocksOf(['```transcript', '> one', 'x']));
}
