// A finished call as lines for a test of @playwright/test. What can't be known is said in a comment above them.

// JSON's escapes are JavaScript's, too.
const quote = (text) =>
  `'${JSON.stringify(String(text))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`)}'`;

const isRef = /^(?:ref=|@)?((?:f\d+)?e\d+)$|\[ref=((?:f\d+)?e\d+)\]/;
// A result begins with what was acted on: clicked button "Save".
const named =
  /^### Result\n[^"\n]*?\b(button|cell|checkbox|columnheader|combobox|gridcell|heading|img|link|listbox|listitem|menuitem|menuitemcheckbox|menuitemradio|option|radio|row|rowheader|searchbox|slider|spinbutton|switch|tab|textbox|treeitem) "((?:[^"\\]|\\.)+)"/;

function locator(target, text, notes) {
  const code = /^(?:page\.)?((?:getBy[A-Z]\w*|locator|frameLocator)\([^]*)$/.exec(target);
  if (code) return `page.${code[1]}`;
  const found = isRef.exec(target);
  if (!found) return `page.locator(${quote(target)})`;
  // A ref names an element for the moment only; its role and name do so for good.
  const ref = found[1] ?? found[2];
  if (ref.startsWith('f')) notes.push(`${ref} was in a frame: say which one by frameLocator().`);
  const words = named.exec(text ?? '');
  if (words) {
    const name = words[2].replace(/\\(.)/g, '$1').replace(/…$/, '');
    return `page.getByRole(${quote(words[1])}, { name: ${quote(name)} })`;
  }
  notes.push(`${ref} names an element of that moment only: say which one by a locator.`);
  return `page.locator(${quote(`aria-ref=${ref}`)})`;
}

const isFunction = /^\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)/;
const script = (words) => (isFunction.test(words ?? '') ? words.trim() : quote(words ?? ''));

const options = (all) => {
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.length ? `{ ${given.map(([name, value]) => `${name}: ${value}`).join(', ')} }` : '';
};
function click(a, on) {
  const twice = a.doubleClick || a.clickCount === 2;
  const more = options({
    button: a.button && a.button !== 'left' ? quote(a.button) : undefined,
    clickCount: !twice && a.clickCount > 1 ? a.clickCount : undefined,
    modifiers: a.modifiers?.length ? `[${a.modifiers.map(quote).join(', ')}]` : undefined,
    position: a.position && `{ x: ${Number(a.position.x)}, y: ${Number(a.position.y)} }`,
  });
  return `await ${on}.${twice ? 'dblclick' : 'click'}(${more});`;
}

const makers = {
  browser_navigate: (a) =>
    `await page.goto(${quote(/:\/\/|^(?:about|data):/.test(a.url) ? a.url : `https://${a.url}`)});`,
  browser_navigate_back: () => 'await page.goBack();',
  browser_navigate_forward: () => 'await page.goForward();',
  browser_reload: () => 'await page.reload();',
  browser_click: click,
  browser_hover: (a, on) => `await ${on}.hover();`,
  browser_type: (a, on) =>
    `await ${on}.${a.slowly ? 'pressSequentially' : 'fill'}(${quote(a.text)});${a.submit ? `\nawait ${on}.press('Enter');` : ''}`,
  browser_press_key: (a, on) =>
    on === 'page' ? `await page.keyboard.press(${quote(a.key)});` : `await ${on}.press(${quote(a.key)});`,
  browser_select_option: (a, on) => `await ${on}.selectOption([${[a.values ?? []].flat().map(quote).join(', ')}]);`,
  browser_wait_for: (a) =>
    a.text
      ? `await page.getByText(${quote(a.text)}).first().waitFor();`
      : a.textGone
        ? `await page.getByText(${quote(a.textGone)}).first().waitFor({ state: 'hidden' });`
        : '',
  browser_evaluate: (a, on) => `await ${on}.evaluate(${script(a.function)});`,
  browser_resize: (a) => `await page.setViewportSize({ width: ${a.width}, height: ${a.height} });`,
  browser_take_screenshot: (a, on) =>
    `await ${on}.screenshot(${options({ fullPage: on === 'page' && a.fullPage ? true : undefined })});`,
};

// '' where no line can stand for it.
function playwright(past) {
  const args = past.arguments ?? {};
  const notes = [];
  if (past.cut) notes.push('Only the beginning of its long arguments was kept: what ends in … goes on.');
  const target = args.target ?? args.ref;
  const on = target ? locator(String(target).trim(), past.text, notes) : 'page';
  const code = makers[past.tool]?.(args, on);
  return code ? [...notes.map((note) => `// ${note}`), code].join('\n') : '';
}

export { playwright };
