// Putting values into controls. Values go through the setters of the prototypes, so that frameworks which watch an
// element's own `value` property see the change; nothing is changed when the value is refused.

const createIn = methodOf(Document, 'createElement');
const execIn = methodOf(Document, 'execCommand');
const setInputValue = setterOf(HTMLInputElement, 'value');
const setAreaValue = setterOf(HTMLTextAreaElement, 'value');
const setOptionSelected = setterOf(HTMLOptionElement, 'selected');

function fire(el, type, Kind = Event, init = {}) {
  return dispatch(el, new Kind(type, { bubbles: true, composed: true, ...init }));
}

// A label stands for its control.
function controlOf(el) {
  return tagOf(el) === 'label' ? labelControlOf(el) ?? el : el;
}

const kFormats = { __proto__: null, date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www',
  color: '#rrggbb', number: 'a number', range: 'a number' };

// Why an input would not take this text as its value, or ''. A detached twin is asked, so that the page sees nothing.
function refusal(el, type, text) {
  if (type === 'file') return 'is a file input: use browser_file_upload';
  if (/^(checkbox|radio)$/.test(type)) return `is a ${type}: click it`;
  if (/^(button|submit|reset|image|hidden)$/.test(type)) return `is an input of type ${type}: it takes no text`;
  if (!(type in kFormats) || text === '') return '';
  const twin = createIn(document, 'input');
  twin.type = type;
  for (const name of ['min', 'max', 'step']) if (hasAttr(el, name)) twin.setAttribute(name, attr(el, name));
  if (type === 'color') return /^#[0-9a-f]{6}$/i.test(text) ? '' : badValue(type, text);
  if (type === 'range') {
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number)) return badValue(type, text);
    setInputValue(twin, text);
    if (Number(inputValueOf(twin)) === number) return '';
    return `takes values from ${twin.min || 0} to ${twin.max || 100} in steps of ${twin.step || 1}, not ${quote(cut(text, 60))}`;
  }
  setInputValue(twin, text);
  if (inputValueOf(twin) === '') return badValue(type, text);
  return '';
}

const badValue = (type, text) => `takes a ${type} as ${kFormats[type]}, not ${quote(cut(text, 60))}`;

function fill({ target, text, watch = false }) {
  const el = controlOf(resolveTarget(target).el);
  if (watch) watchAction();
  const tag = tagOf(el);
  const refuse = (why) => { throw new PageError(`${describeElement(el)} ${why}.`); };
  text = String(text);
  if (tag === 'select') return select({ target, values: [text] });
  if (disabledReason(el, tag)) refuse(`is ${disabledReason(el, tag)}`);
  if (tag === 'input') {
    const type = inputTypeOf(el);
    const why = refusal(el, type, text);
    if (why) refuse(why);
    if (el.readOnly) refuse('is read-only');
    focusElement(el);
    setInputValue(el, type === 'color' ? text.toLowerCase() : text);
  } else if (tag === 'textarea') {
    if (el.readOnly) refuse('is read-only');
    focusElement(el);
    setAreaValue(el, text);
  } else if (isEditable(el)) {
    focusElement(el);
    selectContents(el);
    // The editing command keeps an editor's own model and undo stack right, and fires its events.
    if (text === '') execIn(document, 'delete');
    else execIn(document, 'insertText', false, text);
    if (watch) startFrames();
    return { ok: true, ...describeTarget(el, 1), value: null };
  } else refuse('is not an input, textarea, select or editable element');
  fire(el, 'input', InputEvent, { inputType: 'insertText', data: text });
  fire(el, 'change');
  if (watch) startFrames();
  return { ok: true, ...describeTarget(el, 1), value: isSecret(el, tag) ? kHiddenValue : tag === 'input' ? inputValueOf(el) : areaValueOf(el) };
}

function selectContents(el) {
  const tag = tagOf(el);
  if (tag === 'input' || tag === 'textarea') { el.select(); return; }
  const selection = getSelection();
  const range = new Range();
  range.selectNodeContents(el);
  selection.removeAllRanges();
  selection.addRange(range);
}

// Focus for keyboard input; `clear` empties the field the way a user would, by selecting all: what is typed next
// replaces it. An empty field gets the caret at its end.
function focusForTyping({ target, clear = false }) {
  const { el: found, count } = resolveTarget(target);
  const el = controlOf(found);
  const tag = tagOf(el);
  if (!isEditable(el)) throw new PageError(`${describeElement(el)} is not an input, textarea or editable element: text can't be typed into it.`);
  focusElement(el);
  const editable = tag !== 'input' && tag !== 'textarea';
  if (clear) selectContents(el);
  else if (editable) { selectContents(el); getSelection().collapseToEnd(); }
  else if (tag === 'textarea' || /^(text|search|url|tel|password)$/.test(inputTypeOf(el))) el.setSelectionRange(el.value.length, el.value.length);
  const root = rootNodeOf(el);
  const focused = deepActiveElement() === el || root instanceof ShadowRoot && shadowActiveElementOf(root) === el;
  return { ok: true, ...describeTarget(el, count), focused, empty: editable ? textContentOf(el) === '' : el.value === '' };
}

const kOptionsListed = 30;

function optionsText(options) {
  const list = options.slice(0, kOptionsListed).map((option) => {
    const label = quote(cut(optionText(option), 60)), value = option.value;
    return label + (value !== optionText(option) ? ` (value ${quote(cut(value, 60))})` : '') + (disabledReason(option, 'option') ? ' (disabled)' : '');
  });
  return list.join(', ') + (options.length > kOptionsListed ? `, … ${options.length - kOptionsListed} more` : '');
}

// By value first, then by label. All or nothing: one bad value changes nothing.
function select({ target, values }) {
  const { el: found, count } = resolveTarget(target);
  const el = controlOf(found);
  if (tagOf(el) !== 'select') throw new PageError(`${describeElement(el)} is not a <select>: click it and then the option.`);
  if (disabledReason(el, 'select')) throw new PageError(`${describeElement(el)} is ${disabledReason(el, 'select')}.`);
  const options = Array.from(selectOptionsOf(el));
  if (!el.multiple && values.length !== 1) throw new PageError(`${describeElement(el)} takes one value, not ${values.length}.`);
  const chosen = new Set();
  for (const value of values) {
    const want = oneSpace(String(value));
    const fits = options.filter((option) => option.value === String(value));
    const match = pickEnabled(fits) ?? pickEnabled(options.filter((option) => optionText(option) === want)) ??
      pickEnabled(options.filter((option) => optionText(option).toLowerCase() === want.toLowerCase()));
    const asked = quote(cut(String(value), 80)), list = `It has: ${optionsText(options)}.`;
    if (!match) throw new PageError(`${describeElement(el)} has no option ${asked}. ${list}`);
    if (disabledReason(match, 'option')) throw new PageError(`The option ${asked} of ${describeElement(el)} is disabled. ${list}`);
    chosen.add(match);
  }
  focusElement(el);
  const before = options.map((option) => optionSelectedOf(option)).join();
  if (el.multiple) for (const option of options) setOptionSelected(option, chosen.has(option));
  else for (const option of chosen) setOptionSelected(option, true);
  const changed = options.map((option) => optionSelectedOf(option)).join() !== before;
  if (changed) { fire(el, 'input'); fire(el, 'change'); }
  const selected = options.filter((option) => optionSelectedOf(option)).map((option) => ({ label: optionText(option), value: option.value }));
  return { ok: true, ...describeTarget(el, count), changed, selected };
}

const pickEnabled = (list) => list.find((option) => !disabledReason(option, 'option')) ?? list[0];

// Whether a click is needed to bring a checkbox, radio or switch into the wanted state. The click itself is C++'s.
function setChecked({ target, checked }) {
  const { el: found, count } = resolveTarget(target);
  const el = controlOf(found);
  const tag = tagOf(el);
  const role = withPass(() => roleOf(el, tag)) ?? 'generic';
  const native = tag === 'input' && /^(checkbox|radio)$/.test(inputTypeOf(el));
  if (!native && !kChecked.has(role) && !hasAttr(el, 'aria-pressed'))
    throw new PageError(`${describeElement(el)} is no checkbox, radio button or switch.`);
  const now = native || kChecked.has(role) ? checkedStateOf(el, tag, role) : attr(el, 'aria-pressed') === 'true';
  if (!checked && now === true && (role === 'radio' || native && inputTypeOf(el) === 'radio'))
    throw new PageError(`${describeElement(el)} is a radio button: it is unchecked by checking another one.`);
  return { ok: true, ...describeTarget(el, count), checked: now, needsClick: now !== Boolean(checked) };
}

// The file input behind a target: itself, its label's control, or the only one close by (a styled button's).
function fileInput({ target }) {
  const { el } = resolveTarget(target);
  const isFile = (at) => tagOf(at) === 'input' && inputTypeOf(at) === 'file';
  const control = controlOf(el);
  if (isFile(control)) return control;
  let at = el;
  for (let i = 0; at && i < 4; i++, at = flatParentOf(at)) {
    const inputs = [...querySelectorAllOf(at, 'input[type=file]'), ...(shadowRootOf(at) ? querySelectorAllOf(shadowRootOf(at), 'input[type=file]') : [])];
    if (inputs.length === 1) return inputs[0];
    if (inputs.length > 1) throw new PageError(`${describeElement(el)} is near ${inputs.length} file inputs: target one of them.`);
  }
  throw new PageError(`${describeElement(el)} is no file input and has none near it.`);
}

// The browser's own command gives files, but takes none away.
function clearFiles(el) {
  if (inputValueOf(el) === '') return { ok: true };
  setInputValue(el, '');
  fire(el, 'input');
  fire(el, 'change');
  return { ok: true };
}

// What C++ wants to know of a file input before it gives it files.
function fileInputState(el) {
  const disabled = disabledReason(el, tagOf(el));
  if (disabled) return { ok: false, error: `${describeElement(el)} is ${disabled}.` };
  return { ok: true, describe: describeElement(el), multiple: el.multiple || hasAttr(el, 'webkitdirectory') };
}
