// The whole story of a finished call. Loaded when the first one is opened.
import { act, copy, h, short } from './dom.js';
import { playwright } from './code.js';
import { nameOf, session } from './store.js';

function part(title, ...content) {
  return h('div', {}, h('h3', {}, title), ...content);
}
function picture(past, when) {
  const id = past.pictures[when];
  if (!id) return null;
  const src = `/panel/pictures/${encodeURIComponent(id)}`;
  const figure = h('a', { href: src, target: '_blank', rel: 'noopener' });
  figure.append(
    h('img', { src, alt: `${when} the call`, onerror: () => figure.replaceChildren('The picture is gone.') }),
  );
  return h('div', {}, h('h3', {}, when === 'before' ? 'Before' : 'After'), figure);
}
const pretty = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function detail(past) {
  const code = playwright(past);
  const settle = past.settle || /^- Settled: (.*)$/m.exec(past.text)?.[1];
  const plain = { ...past };
  delete plain.fresh;
  return h(
    'div',
    { class: 'detail' },
    h(
      'p',
      { class: 'meta' },
      [
        short(past.client, 80) || nameOf(session(past.session)),
        past.session,
        past.outcome,
        past.reason !== 'none' && short(past.reason, 80).replaceAll('_', ' '),
        new Date(past.at).toLocaleString(),
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    past.url && part('Page', h('bdi', { class: 'url' }, short(past.url, 2000))),
    past.pictures && h('div', { class: 'pictures' }, picture(past, 'before'), picture(past, 'after')),
    part(
      past.cut ? 'Arguments, long ones cut' : 'Arguments',
      h('pre', { tabindex: 0 }, short(pretty(past.arguments ?? {}), 10000)),
    ),
    past.text &&
      part(
        past.text.endsWith('…') ? 'Result, its beginning' : 'Result',
        h('pre', { tabindex: 0 }, short(past.text, 10000)),
      ),
    settle && part('Settled', h('bdi', {}, short(pretty(settle)))),
    past.effects?.length > 0 &&
      part(
        'Effects',
        h(
          'ul',
          { class: 'effects' },
          past.effects.map((one) => h('li', {}, h('bdi', {}, short(one)))),
        ),
      ),
    h(
      'div',
      { class: 'buttons' },
      act('Copy as JSON', '', (event) => copy(JSON.stringify(plain, null, 2), event.currentTarget)),
      code && act('Copy as Playwright', '', (event) => copy(code, event.currentTarget)),
    ),
  );
}

export { detail };
