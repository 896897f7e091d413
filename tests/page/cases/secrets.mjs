// What is a secret, by its field's name, labels, autocomplete, look and past [tool.secrets].
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../contract.mjs';
import { equal, has, hasNot, ok, same, shown } from '../expect.mjs';

const kHidden = '[value hidden]';

// The cases that the C++ tests read too, as pages show them: a field of each name, a link to each URL.
function cases() {
  const all = { secret: [], plain: [], parameter: [], url: [] };
  for (const line of readFileSync(join(root, 'tests/support/secret_cases.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const blank = line.includes(' ') ? line.indexOf(' ') : line.length;
    all[line.slice(0, blank)].push(line.slice(blank + 1));
  }
  return all;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

// The value that the snapshot gives for each textbox, by its label.
async function values(page, html) {
  const yaml = await shown(page, html);
  const lines = yaml.matchAll(/- textbox "(\w+)"[^:\n]*(?:: (.*))?$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value?.replaceAll('"', '')]));
}

export default {
  'the name of a value that was put in by it stands for that value, and for no other': async (page) => {
    await page.load(
      '<!doctype html><input type=password id=p aria-label=Pass><textarea id=token aria-label=Token></textarea><div id=c contenteditable role=textbox aria-label=PIN></div><input id=u aria-label=User>',
    );
    const fields = ['#p', '#token', '#c', '#u'];
    for (const target of fields)
      await page.call('fill', { target, text: 'abc-123', byScript: true, shown: '<secret>KEY</secret>' });
    const { yaml } = await page.call('snapshot', { refStart: 1 });
    for (const name of ['Pass', 'Token', 'PIN'])
      ok(new RegExp(`textbox "${name}".*: "<secret>KEY</secret>"`).test(yaml), yaml);
    has(yaml, 'abc-123'); // what is no secret's field shows it: C++ puts the name there
    const held = await page.call('held', { target: '#p', value: 'other' });
    equal(held.held, '<secret>KEY</secret>');
    await page.main("p.value += '4'; token.value = 'abc-12'; c.textContent = 'abc'; 0");
    hasNot((await page.call('snapshot', { refStart: 1 })).yaml, '<secret>');
  },
  'fields by their names, as C++ judges them': async (page) => {
    const { secret, plain } = cases();
    const fields = (names) =>
      names.map((name, i) => `<input aria-label="F${i}" name="${escaped(name)}" value="v${i}">`).join('');
    const hidden = await values(page, fields(secret));
    same(
      secret.filter((_, i) => hidden[`F${i}`] !== kHidden),
      [],
    );
    const seen = await values(page, fields(plain));
    same(
      plain.filter((_, i) => seen[`F${i}`] !== `v${i}`),
      [],
    );
  },

  'URLs of links, as C++ hides them': async (page) => {
    const urls = cases()
      .url.map((line) => line.split(' => '))
      .filter(([given]) => !given.startsWith('data:'));
    const yaml = await shown(page, urls.map(([given], i) => `<p><a href="${escaped(given)}">L${i}</a></p>`).join(''));
    const links = [...yaml.matchAll(/\/url: (.*)$/gm)].map(([, url]) => (url.startsWith('"') ? JSON.parse(url) : url));
    same(
      links,
      urls.map(([, masked]) => masked.replaceAll('*', kHidden)),
    );
    hasNot(JSON.stringify(await page.call('find', { text: 'L3', refStart: 500 })), 'abc123');
  },

  'autocomplete, labels, ids and the look tell too; what only looks like it stays': async (page) => {
    const seen = await values(
      page,
      `<input aria-label="A" autocomplete="one-time-code" value="v"><input aria-label="B" autocomplete="section-x cc-number" value="v">
      <input aria-label="C" id="user-pin" value="v"><input aria-label="D" placeholder="Card number" value="digits">
      <input aria-label="E" style="-webkit-text-security:disc" value="v"><div style="-webkit-text-security:disc"><textarea aria-label="F">v</textarea></div>
      <input aria-label="Q" name="pincode" autocomplete="postal-code" value="v"><input aria-label="Forgot your password? Enter your email" value="ann@a.example">
      <input aria-label="S" id="shipping-pin-color" value="v">`,
    );
    for (const name of 'ABCEF') equal(seen[name], kHidden, name);
    hasNot(await page.yaml(), 'digits');
    has(await page.yaml(), 'ann@a.example');
    for (const name of 'QS') equal(seen[name], 'v', name);
    const yaml = await shown(
      page,
      `<label>PIN <input value="1234"></label><label for="x">Confirm security code</label><input id="x" value="987">
      <label>Nickname <input value="kept"></label><div contenteditable aria-label="API key">sk-1</div><div contenteditable aria-label="Note">words</div>`,
    );
    for (const secret of ['1234', '987', 'sk-1']) hasNot(yaml, secret);
    for (const plain of ['kept', 'words']) has(yaml, plain);
  },

  'new-password hides a field, but not that of a list or of a search, where it keeps autofill off': async (page) => {
    const yaml = await shown(
      page,
      `<input aria-label="A" autocomplete="new-password" value="ann"><input role="combobox" aria-label="B" autocomplete="new-password" value="bob">
      <input type="search" aria-label="C" autocomplete="new-password" value="cat">
      <input role="combobox" type="password" aria-label="D" autocomplete="new-password" value="dan">
      <input role="combobox" aria-label="E" autocomplete="current-password" value="eve">`,
    );
    hasNot(yaml, /ann|dan|eve/);
    has(yaml, /combobox "B".*: bob/);
    has(yaml, /searchbox "C".*: cat/);
  },

  'a field that ever was a password stays one, seen before or not': async (page) => {
    await page.load(
      `<!doctype html><input type="password" id="a" aria-label="A" value="opensesame"><input type="PASSWORD" id="b" aria-label="B" value="opensesame"><div id="host"></div><input id="t" aria-label="T" value="shown">
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<input type=password aria-label=C value=opensesame>';</script>`,
    );
    await page.main("a.type = 'text'; b.setAttribute('type', 'text')"); // "show password", before anyone has looked
    await page.main(
      "const late = document.createElement('input'); late.type = 'password'; late.value = 'opensesame'; document.body.append(late); new Promise((resolve) => setTimeout(() => resolve(late.removeAttribute('type'))))",
    );
    page.next = 1;
    const yaml = await page.yaml();
    hasNot(yaml, 'opensesame');
    has(yaml, 'shown');
    await page.main("host.shadowRoot.firstChild.type = 'text'");
    hasNot(await page.yaml(), 'opensesame');
    equal((await page.call('describe', { target: '#a' })).secret, true);
    equal((await page.call('describe', { target: '#t' })).secret, false);
    equal((await page.call('waitFor', { text: 'opensesame', timeout: 50 })).timedOut, true);
  },
};
