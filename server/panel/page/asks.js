// What waits for the person: questions of calls, and dialogs of pages. A form is built once, so that nothing that was typed is lost.
import { $, act, h, put, short, sync } from './dom.js';
import { choose, close, nameOf, session, stale, store } from './store.js';
import { handBack, takeOver } from './wheel.js';
import { post } from './wire.js';

const choicesOf = (schema) =>
  (schema.oneOf ?? schema.anyOf)?.map((one) => [one.const, one.title ?? one.const]) ??
  schema.enum?.map((value, i) => [value, schema.enumNames?.[i] ?? value]);

function option(type, name, value, words, checked) {
  return h('label', { class: 'check' }, h('input', { type, name, value, checked }), h('bdi', {}, short(words)));
}

// One property of the question's schema: a field, and how it is read; `read` gives undefined where nothing was said.
function field(name, schema, required) {
  const title = short(schema.title ?? name);
  const hint = schema.description && h('span', { class: 'meta' }, h('bdi', {}, short(schema.description)));
  const many = schema.type === 'array';
  const choices = choicesOf(many ? (schema.items ?? {}) : schema);
  if (schema.type === 'boolean') {
    const label = option('checkbox', name, 'true', title, schema.default === true);
    return { element: h('div', {}, label, hint), read: () => $('input', label).checked };
  }
  if (choices && (many || choices.length <= 5)) {
    const set = h('fieldset', {}, h('legend', {}, title), hint);
    for (const [value, words] of choices) {
      const checked = many ? schema.default?.includes(value) : schema.default === value;
      set.append(option(many ? 'checkbox' : 'radio', name, value, words, checked));
    }
    if (required && !many) $('input', set).required = true;
    const values = () => [...set.querySelectorAll(':checked')].map((one) => one.value);
    return { element: set, read: () => (many ? values() : values()[0]) };
  }
  const number = schema.type === 'number' || schema.type === 'integer';
  const type = number
    ? 'number'
    : ({ email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' }[schema.format] ?? 'text');
  const input = choices
    ? h(
        'select',
        {},
        !required && h('option', { value: '' }),
        ...choices.map(([value, words]) => h('option', { value, selected: schema.default === value }, short(words))),
      )
    : h('input', {
        type,
        value: schema.default,
        min: schema.minimum,
        max: schema.maximum,
        step: schema.type === 'number' && 'any',
        minlength: schema.minLength,
        maxlength: schema.maxLength,
        pattern: schema.pattern,
        autocomplete: 'off',
      });
  input.required = required;
  const read = () => {
    if (input.value === '') return undefined;
    if (number) return Number(input.value);
    return type === 'datetime-local' ? new Date(input.value).toISOString() : input.value;
  };
  return { element: h('label', {}, h('bdi', {}, title), hint, input), read };
}

function card(ask) {
  const fault = h('p', { class: 'fault', role: 'alert' });
  const fields = Object.entries(ask.schema?.properties ?? {}).map(([name, schema]) => [
    name,
    field(name, schema, ask.schema.required?.includes(name) ?? false),
  ]);
  let sent = false;
  const answer = async (path, body, words) => {
    if (sent) return;
    sent = true;
    put(fault, '');
    try {
      if (!ask.dialog) store.news.set(ask.id, words);
      await post(path, body);
      if (!ask.dialog) close(ask.id, words);
    } catch (error) {
      store.news.delete(ask.id);
      if (error.status === 409 && !ask.dialog) close(ask.id, 'Answered elsewhere, or withdrawn.');
      else put(fault, error.message);
      sent = false;
    }
  };
  const say = (action, words) => {
    const content = {};
    for (const [name, one] of fields) {
      const value = one.read();
      if (value !== undefined) content[name] = value;
    }
    answer('answer', { question: ask.id, action, ...(action === 'accept' && { content }) }, words);
  };
  const reply = (accept) =>
    answer('dialog', {
      session: ask.session,
      tab: ask.tab,
      dialog: ask.dialog.id,
      accept,
      ...(accept && $('input', form) && { text: $('input', form).value }),
    });
  const no = { beforeunload: 'Stay', alert: '' }[ask.dialog?.type] ?? 'Cancel';
  const submit = (event) => {
    event.preventDefault();
    if (ask.dialog) reply(true);
    else say('accept', 'Answered.');
  };
  const form = h(
    'form',
    { onsubmit: submit },
    h('p', { class: 'message', tabindex: 0 }, short(ask.message, 4000)),
    h('button', { class: 'row meta from', type: 'button', onclick: () => choose(ask.session, ask.tab) }),
    fields.map(([, one]) => one.element),
    ask.dialog?.type === 'prompt' &&
      h('label', {}, 'Answer', h('input', { value: ask.dialog.defaultPrompt, autocomplete: 'off' })),
    fault,
    h(
      'div',
      { class: 'buttons' },
      ask.takeOver && act('Take over', 'main', () => takeOver(ask.session, ask.tab)),
      ask.takeOver && act('Hand back', 'main', () => handBack(ask.session)),
      h(
        'button',
        { class: ask.takeOver ? '' : 'main' },
        ask.dialog ? (ask.dialog.type === 'beforeunload' ? 'Leave' : 'OK') : 'Answer',
      ),
      ask.dialog ? no && act(no, '', () => reply(false)) : act('Decline', '', () => say('decline', 'Declined.')),
    ),
  );
  return h('li', { class: 'ask' }, form, h('p', { class: 'news', role: 'status', tabindex: -1 }));
}

function update(element, ask) {
  const one = session(ask.session);
  put($('.from', element), `${ask.dialog ? `${ask.dialog.type} of the page in` : 'asked by'} ${nameOf(one)}`);
  const news = ask.gone ? (store.news.get(ask.id) ?? '') : '';
  $('.news', element).hidden = !news;
  if (news && $('form', element).contains(document.activeElement)) $('.news', element).focus();
  $('form', element).hidden = Boolean(news);
  put($('.news', element), news);
  if (!ask.takeOver) return;
  const mine = one?.held?.by === 'you';
  const [take, give] = element.querySelectorAll('.buttons button');
  take.hidden = mine;
  give.hidden = !mine;
}

let before = [];
function renderAsks() {
  const open = new Set(store.state.questions.map((one) => one.id));
  const gone = before
    .filter((one) => !one.dialog && !open.has(one.id) && store.news.has(one.id))
    .map((one) => ({ ...one, gone: true }));
  const dialogs = store.state.sessions.flatMap((one) =>
    one.tabs
      .filter((tab) => tab.dialog)
      .map((tab) => ({
        id: [one.id, tab.id, tab.dialog.id].join('/'),
        session: one.id,
        tab: tab.id,
        dialog: tab.dialog,
        message: tab.dialog.message || 'The page shows a dialog without words.',
      })),
  );
  const questions = store.state.questions.map((one) => ({
    ...one,
    tab: store.state.calls.find((call) => call.id === one.call)?.tab,
  }));
  before = [...gone, ...questions, ...dialogs];
  $('#asks').hidden = before.length === 0;
  const waiting = before.length - gone.length;
  put($('#asks .count'), stale() ? 'when the connection broke' : waiting ? String(waiting) : '');
  sync($('#asks ul'), before, (one) => one.id, card, update);
}

export { renderAsks };
