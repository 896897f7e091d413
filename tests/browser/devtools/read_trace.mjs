// Reads a trace file as DevTools does, and fails where DevTools would find nothing to show: `node read_trace.mjs FILE`.
import { readFileSync } from 'node:fs';

const { traceEvents, metadata } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const problems = [];
const need = (holds, words) => {
  if (!holds) problems.push(words);
};

need(Array.isArray(traceEvents) && traceEvents.length > 100, 'too few events');
need(typeof metadata === 'object', 'no metadata');
for (const event of traceEvents) {
  const whole =
    typeof event.name === 'string' &&
    typeof event.ph === 'string' &&
    Number.isFinite(event.ts) &&
    Number.isInteger(event.pid) &&
    Number.isInteger(event.tid);
  need(whole && (event.ph !== 'X' || event.dur === undefined || event.dur >= 0), `malformed: ${JSON.stringify(event)}`);
}

// Where DevTools begins: the frames, the process of each, the main thread of that.
const started = traceEvents.find((event) => event.name === 'TracingStartedInBrowser');
need(started, 'no TracingStartedInBrowser');
const committed = traceEvents.filter((event) => event.name === 'FrameCommittedInBrowser').map((e) => e.args.data);
const main = [...(started?.args.data.frames ?? []), ...committed].filter((frame) => !frame.parent).at(-1);
need(main, 'no main frame');
const mainThread = traceEvents.find(
  (event) =>
    event.ph === 'M' &&
    event.name === 'thread_name' &&
    event.args.name === 'CrRendererMain' &&
    event.pid === main?.processId,
);
need(mainThread, 'no main thread of the main frame');

// The flame chart: tasks of the main thread, each within the one around it.
const slices = traceEvents
  .filter((event) => event.ph === 'X' && event.pid === mainThread?.pid && event.tid === mainThread?.tid)
  .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
need(
  slices.some((event) => event.name === 'RunTask'),
  'no tasks',
);
let apart = 0;
const open = [];
for (const slice of slices) {
  while (open.length > 0 && open.at(-1) <= slice.ts) open.pop();
  const end = slice.ts + (slice.dur ?? 0);
  if (open.length > 0 && end > open.at(-1)) apart++;
  open.push(end);
}
need(apart < slices.length / 100, `${apart} of ${slices.length} slices end after what they are in`);
need(
  traceEvents.some((event) => event.name === 'navigationStart' && event.args.frame === main?.frame),
  'no navigation',
);
need(
  traceEvents.some((event) => event.name === 'largestContentfulPaint::Candidate'),
  'no LCP',
);

console.log(`main frame at ${main?.url}, ${slices.length} slices`);
for (const problem of problems.slice(0, 10)) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
