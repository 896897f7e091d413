// States: what the user sees of a control besides its name and value.

// Why a control takes no input, or '' when it does. Order: what the author wrote on it, then around it.
function disabledReason(el, tag) {
  if (kNativeControls.has(tag) && matchesSelector(el, ':disabled')) {
    if (hasAttr(el, 'disabled')) return 'disabled';
    if (tag === 'option') return 'disabled by optgroup';
    return 'disabled by fieldset';
  }
  if (!mayBeAriaDisabled()) return '';
  for (let at = el; at; at = flatParentOf(at)) {
    const value = attr(at, 'aria-disabled');
    if (value === 'true') return at === el ? 'aria-disabled' : `aria-disabled by ${tagSketch(at)}`;
    if (value === 'false') return '';
  }
  return '';
}
// Asked of every control, up to the root: once a pass it is enough to know that nobody uses it.
function mayBeAriaDisabled() {
  if (!pass || sawShadow || anyClosedRoot) return true;
  return pass.ariaDisabled ??= documentQuery(document, '[aria-disabled]') !== null;
}

const kNativeControls = words('button input select textarea option optgroup fieldset');

const isAriaTrue = (el, name) => attr(el, name) === 'true';

function checkedStateOf(el, tag, role) {
  if (tag === 'input') {
    const type = inputTypeOf(el);
    if (type === 'checkbox' || type === 'radio') {
      if (type === 'checkbox' && inputIndeterminateOf(el)) return 'mixed';
      return inputCheckedOf(el);
    }
  }
  if (!kChecked.has(role)) return false;
  const value = attr(el, 'aria-checked');
  return value === 'mixed' ? 'mixed' : value === 'true';
}

function expandedStateOf(el, tag, role) {
  if (tag === 'details') return hasAttr(el, 'open');
  if (tag === 'summary') {
    const parent = flatParentOf(el);
    return parent !== null && tagOf(parent) === 'details' && hasAttr(parent, 'open');
  }
  return kExpanded.has(role) && isAriaTrue(el, 'aria-expanded');
}

function selectedStateOf(el, tag, role) {
  if (tag === 'option') return optionSelectedOf(el);
  return kSelected.has(role) && isAriaTrue(el, 'aria-selected');
}

function levelOf(el, tag, role) {
  if (role !== 'heading' && role !== 'treeitem' && role !== 'listitem' && role !== 'row') return 0;
  const value = parseInt(attr(el, 'aria-level') ?? '', 10);
  if (value > 0) return value;
  if (role !== 'heading') return 0;
  return tag.length === 2 && tag[0] === 'h' ? Number(tag[1]) || 2 : 2;
}

// The `[...]` marks of a node, in Playwright's order, then the ones it lacks.
function statesOf(el, tag, role) {
  let out = '';
  const plain = !hasAnyAttr(el);
  const level = levelOf(el, tag, role);
  if (plain && tag !== 'input' && tag !== 'summary') return level ? ` [level=${level}]` : kNativeControls.has(tag) && matchesSelector(el, ':disabled') ? ' [disabled]'
    : tag === 'option' && optionSelectedOf(el) ? ' [selected]' : '';
  const checked = checkedStateOf(el, tag, role);
  if (checked) out += checked === 'mixed' ? ' [checked=mixed]' : ' [checked]';
  if ((kDisabled.has(role) && disabledReason(el, tag) !== '')) out += ' [disabled]';
  if (expandedStateOf(el, tag, role)) out += ' [expanded]';
  if (level) out += ` [level=${level}]`;
  if (role === 'button') {
    const pressed = attr(el, 'aria-pressed');
    if (pressed === 'true') out += ' [pressed]';
    else if (pressed === 'mixed') out += ' [pressed=mixed]';
  }
  if (selectedStateOf(el, tag, role)) out += ' [selected]';
  const invalid = attr(el, 'aria-invalid');
  if (invalid && invalid !== 'false') out += ' [invalid]';
  if (kRequirable.has(role) && (hasAttr(el, 'required') || isAriaTrue(el, 'aria-required'))) out += ' [required]';
  if (isAriaTrue(el, 'aria-readonly') || ((tag === 'input' || tag === 'textarea') && hasAttr(el, 'readonly'))) out += ' [readonly]';
  if (attr(el, 'aria-current') && attr(el, 'aria-current') !== 'false') out += ' [current]';
  return out;
}

// A value that must never leave the page: passwords, one-time codes, card security codes.
function isSecret(el, tag) {
  if (tag !== 'input' && tag !== 'textarea') return false;
  if (tag === 'input' && inputTypeOf(el) === 'password') return true;
  const style = kSecretHint.test([attr(el, 'autocomplete'), attr(el, 'name'), attr(el, 'id')].join(' '));
  if (style) return true;
  return wasPassword.has(el);
}
const kSecretHint =
  /\b(one-time-code|current-password|new-password|cc-csc)\b|(^|[\s_-])(otp|one[-_]?time[-_]?(code|pass\w*)|totp|mfa[-_]?code|passcode|cvc|cvv)([\s_-]|\d|$)/i;
// "Show password" turns the type into text; a field once seen as a password stays one.
const wasPassword = new WeakSet();

// The text that a control holds, or null when it holds none. Secrets give a mark.
function valueOf(el, tag, role) {
  if (tag === 'input') {
    const type = inputTypeOf(el);
    if (type === 'password') wasPassword.add(el);
    if (type === 'file') return fileNames(el);
    if (/^(checkbox|radio|button|submit|reset|image|hidden)$/.test(type)) return null;
    const value = inputValueOf(el);
    if (value === '') return null;
    return isSecret(el, tag) ? kHiddenValue : value;
  }
  if (tag === 'textarea') {
    const value = areaValueOf(el);
    return value === '' ? null : isSecret(el, tag) ? kHiddenValue : value;
  }
  if (tag === 'meter' || tag === 'progress') return hasAttr(el, 'value') ? String(el.value) : null;
  if (role === 'slider' || role === 'spinbutton' || role === 'progressbar' || role === 'meter' || role === 'scrollbar')
    return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  return null;
}
const kHiddenValue = '[value hidden]';

function fileNames(el) {
  const files = el.files;
  return files && files.length ? Array.from(files, (file) => file.name).join(', ') : null;
}
