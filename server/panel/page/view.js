// The live view: pictures of the chosen tab as they come, drawn on a canvas.
import { $, mark, put, short } from './dom.js';
import { chosen, known, nameOf, stale, store } from './store.js';

const frame = { width: 0, height: 0 }; // the page's viewport in CSS px, as of the newest picture
let shown = ''; // the tab that is streamed, and how wide
let followed = null; // an AbortController: ends the following of that tab
let attempt = null; // ... and one for its request under way: 'crowded' ends that alone
let note = '';
let old = false; // what stands there isn't current

// Parts of `body`: {head, jpeg}.
async function* parts(body) {
  const reader = body.getReader();
  let buffer = new Uint8Array(0);
  const take = async (size) => {
    while (buffer.length < size) {
      const { value, done } = await reader.read();
      if (done) return null;
      const joined = new Uint8Array(buffer.length + value.length);
      joined.set(buffer);
      joined.set(value, buffer.length);
      buffer = joined;
    }
    const taken = buffer.slice(0, size);
    buffer = buffer.subarray(size);
    return taken;
  };
  const block = async () => {
    const size = await take(4);
    return size && take(new DataView(size.buffer).getUint32(0));
  };
  for (;;) {
    const head = await block();
    const jpeg = head && (await block());
    if (!jpeg) return;
    yield { head: JSON.parse(new TextDecoder().decode(head)), jpeg };
  }
}

function showNote(words, isOld) {
  note = words;
  old = isOld;
  paint();
}

function paint() {
  const broken = stale() && !$('#view canvas').hidden;
  put($('#view-note'), broken ? 'Not current' : note);
  $('#view canvas').classList.toggle('old', old);
}

async function stream(query, signal) {
  const canvas = $('#view canvas');
  const response = await fetch(`/panel/view?${new URLSearchParams(query)}`, { signal, priority: 'low' });
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).error ?? '');
  for await (const { head, jpeg } of parts(response.body)) {
    if (head.end) throw new Error(`This tab’s view has ended: ${head.end}`);
    const picture = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
    if (signal.aborted) return picture.close(); // another tab may be shown by now
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    canvas.getContext('2d').drawImage(picture, 0, 0);
    picture.close();
    Object.assign(frame, head);
    fit();
    const first = canvas.hidden;
    canvas.hidden = false;
    showNote('', false);
    if (first) dispatchEvent(new Event('picture'));
  }
  return undefined;
}

// As large as the room allows, but not so large that it blurs.
function fit() {
  const canvas = $('#view canvas');
  const room = $('#view');
  const beside = matchMedia('(min-width: 80rem)').matches;
  const height = (beside ? room.clientHeight : innerHeight * 0.7) - 32;
  const scale = Math.min((room.clientWidth - 32) / frame.width, height / frame.height, 2);
  canvas.style.width = `${Math.max(1, Math.floor(frame.width * scale))}px`;
}

// Streams until `ended` says that another tab, another width or nothing is to be seen. Whatever breaks a stream, the tab
// is asked for again as long as the server lists it.
async function follow(query, ended) {
  while (!ended.aborted) {
    let why = '';
    attempt = new AbortController();
    try {
      await stream(query, AbortSignal.any([ended, attempt.signal]));
    } catch (error) {
      why = attempt.signal.aborted ? '' : error.message;
    }
    if (ended.aborted) return;
    showNote(stale() || !why ? 'The live view was interrupted, trying again' : why, true);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

function renderView() {
  const { session, tab } = chosen();
  put($('#stage-title'), tab ? short(tab.title) || 'Untitled' : session ? `${nameOf(session)} has no tab` : '');
  put($('#stage-url'), short(tab?.url));
  mark($('#stage-url'), 'title', short(tab?.url));
  const pixels = Math.min(2560, Math.max(200, Math.ceil(($('#view').clientWidth * devicePixelRatio) / 160) * 160));
  const wanted =
    tab && !document.hidden && !$('#stage').hidden ? `${store.server} ${session.id} ${tab.id} ${pixels}` : '';
  if (wanted !== shown) {
    const other = wanted && wanted.replace(/ \d+$/, '') !== shown.replace(/ \d+$/, '');
    shown = wanted;
    followed?.abort();
    if (other || !tab) $('#view canvas').hidden = true;
    if (wanted) {
      if (other) showNote('Waiting for the first picture', false);
      followed = new AbortController();
      follow({ session: session.id, tab: tab.id, width: pixels }, followed.signal);
    }
  }
  if (!wanted) {
    note = session && !tab && known() ? 'A tab stands here as soon as a call opens one.' : '';
    old = Boolean(tab);
  }
  paint();
}

function beginView() {
  new ResizeObserver(() => {
    if (frame.width) fit();
    renderView();
  }).observe($('#view'));
  document.addEventListener('visibilitychange', renderView);
  addEventListener('crowded', () => attempt?.abort());
}

export { frame, renderView, beginView };
