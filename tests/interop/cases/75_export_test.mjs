// A session that was exported as a test of Playwright's runs there, against the same site.
// Contract: [tool.export-test]
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serve } from '../../support/static_server.mjs';
import { routes } from '../../transcripts/api.mjs';
import { kLeanBrowser, kPatience, Peer } from '../harness.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const interop = join(here, '..');
const transcripts = join(here, '../../transcripts');

const kPage = `<!doctype html><title>Tools</title><h1>Tools</h1>
<button onclick="this.nextElementSibling.textContent = prompt('Your name?')">Ask</button><output></output>
<ul><li>Ann <button onclick="this.parentNode.remove()">Remove</button></li><li>Bob <button onclick="this.parentNode.remove()">Remove</button></li></ul>
<label>Size <select><option value="s">Small</option><option value="l">Large</option></select></label>
<label>File <input type="file" onchange="named.textContent = this.files[0].name"></label><p id="named"></p>
<p id="keys" tabindex="0" onkeydown="this.textContent = event.key">Keys</p>
<div ondblclick="this.textContent = 'twice'" style="width: 100px">Press me</div>
<a href="/login.html" target="_blank">Sign in</a><iframe srcdoc="<button onclick='this.textContent = 1'>Framed</button>"></iframe>`;

// What Playwright's runner says of the file: its package is found by a link. `patience`: for each expectation.
async function runTest(temp, file, env, patience = kPatience) {
  const folder = join(temp.path, 'exported');
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(interop, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(file, join(folder, 'recorded.spec.ts'));
  const browser = {
    executablePath: kLeanBrowser,
    chromiumSandbox: process.getuid() !== 0,
  };
  const config = {
    testDir: folder,
    workers: 1,
    outputDir: join(folder, 'out'),
    timeout: 3 * kPatience,
    expect: { timeout: patience },
    use: { launchOptions: browser, actionTimeout: kPatience },
  };
  writeFileSync(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(config)};`);
  const cli = join(interop, 'node_modules/@playwright/test/cli.js');
  try {
    const args = [cli, 'test', '--config', join(folder, 'playwright.config.mjs'), '--reporter', 'line'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, ...env },
    });
    return stdout;
  } catch (error) {
    throw Object.assign(new Error(`${error.stdout}\n${error.stderr}\n${readFileSync(file, 'utf8')}`), {
      said: error.stdout,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export default {
  'forms, lists, dialogs, keys, files, frames, tabs and checks, and no secret in the file': async (world, note) => {
    const page = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(kPage);
    const site = await serve(join(transcripts, 'site'), { ...routes, '/tools': page });
    const served = await world.start(['--caps', 'testing', '--allowed-upload-dirs', join(transcripts, 'files')]);
    try {
      const peer = await Peer.connect(served, 'export');
      const act = (name, args) => peer.call(`browser_${name}`, args);
      await act('navigate', { url: `${site.origin}/tools` });
      await act('click', { target: 'text=Ask' });
      await act('handle_dialog', { accept: true, promptText: "Ann O'Hara" });
      await act('verify', { what: 'text', text: "Ann O'Hara" });
      await act('click', { target: 'li:nth-child(2) button' });
      await act('verify', { what: 'list', target: 'ul', items: ['Ann'] });
      await act('select_option', { target: 'select', values: ['Large'] });
      await act('verify', { what: 'value', target: 'select', value: 'Large' });
      await act('click', { target: '#keys' });
      await act('press_key', { key: 'ArrowDown' });
      await act('wait_for', { text: 'ArrowDown' });
      await act('click', { target: 'text=Press me', doubleClick: true });
      await act('wait_for', { text: 'twice' });
      await act('file_upload', { target: 'input[type=file]', paths: [join(transcripts, 'files/letter.txt')] });
      await act('verify', { what: 'text', text: 'letter.txt' });
      await act('click', { target: 'text=Framed' });
      await act('click', { target: "getByRole('link', { name: 'Sign in' })" });
      const tabs = (await act('tabs', { action: 'list' })).structuredContent.tabs;
      await act('tabs', { action: 'select', index: tabs.length - 1 });
      await act('fill_form', {
        fields: [
          { target: "getByLabel('E-mail')", value: 'ann@example.org' },
          { target: '[type=checkbox]', value: true },
        ],
      });
      await act('type', { target: '[type=password]', text: 'open sesame', submit: true });
      await act('verify', { what: 'element', role: 'button', name: 'Ann Lee' });
      await act('tabs', { action: 'close' });
      const exported = await act('export_test', { filename: 'tools.spec.ts' });
      assert.doesNotMatch(exported.words, /Left out/);
      const { path, actions } = exported.structuredContent;
      assert.doesNotMatch(readFileSync(path, 'utf8'), /sesame/);
      assert.match(await runTest(world.temp, path, { PASSWORD: 'open sesame' }), /1 passed/);
      // So it checks something. On a busy machine an earlier expectation may fail first, which has more time the next time.
      let failing = '';
      for (let patience = 5000; patience <= kPatience && !failing.includes("'Ann Lee'"); patience *= 2) {
        const { said } = await runTest(world.temp, path, { PASSWORD: 'wrong' }, patience).catch((error) => error);
        failing = /^ *Locator: .*$/m.exec(said)?.[0] ?? said;
      }
      assert.match(failing, /'Ann Lee'/);
      note(`${actions} actions`);
      await peer.leave();
    } finally {
      await served.end('SIGTERM');
      await site.close();
    }
  },
};
