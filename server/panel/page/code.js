// A finished call as a line for a test of @playwright/test.

const quote = (text) => `'${String(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

// A ref names an element for the moment only; the result's words (clicked button "Save") name it for good.
function locator(target, text) {
  if (!target) return 'page';
  if (/^getBy|^locator\(/.test(target)) return `page.${target}`;
  if (!/^(f\d+)?e\d+$/.test(target)) return `page.locator(${quote(target)})`;
  const words = /\b([a-z]+) "((?:[^"\\]|\\.)+)"/.exec(text ?? '');
  return words
    ? `page.getByRole(${quote(words[1])}, { name: ${quote(words[2])} })`
    : `page.locator(${quote(`aria-ref=${target}`)})`;
}

const makers = {
  browser_navigate: (a) => `await page.goto(${quote(a.url)});`,
  browser_navigate_back: () => 'await page.goBack();',
  browser_navigate_forward: () => 'await page.goForward();',
  browser_reload: () => 'await page.reload();',
  browser_click: (a, on) =>
    `await ${on}.${a.doubleClick ? 'dblclick' : 'click'}(${a.button && a.button !== 'left' ? `{ button: ${quote(a.button)} }` : ''});`,
  browser_hover: (a, on) => `await ${on}.hover();`,
  browser_type: (a, on) =>
    `await ${on}.${a.slowly ? 'pressSequentially' : 'fill'}(${quote(a.text)});${a.submit ? `\nawait ${on}.press('Enter');` : ''}`,
  browser_press_key: (a, on) =>
    a.target ? `await ${on}.press(${quote(a.key)});` : `await page.keyboard.press(${quote(a.key)});`,
  browser_select_option: (a, on) => `await ${on}.selectOption([${[a.values ?? []].flat().map(quote).join(', ')}]);`,
  browser_wait_for: (a) =>
    a.text
      ? `await page.getByText(${quote(a.text)}).first().waitFor();`
      : a.textGone
        ? `await page.getByText(${quote(a.textGone)}).first().waitFor({ state: 'hidden' });`
        : '',
  browser_evaluate: (a) => `await page.evaluate(${a.function ?? a.expression ?? ''});`,
  browser_resize: (a) => `await page.setViewportSize({ width: ${a.width}, height: ${a.height} });`,
  browser_take_screenshot: (a) => `await page.screenshot({ fullPage: ${Boolean(a.fullPage)} });`,
};

// '' where no line can stand for it.
export function playwright(past) {
  const args = past.arguments ?? {};
  const on = locator(args.target ?? args.ref, past.text);
  return makers[past.tool]?.(args, on) ?? '';
}
