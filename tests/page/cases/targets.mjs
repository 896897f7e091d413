// Contract: [tool.target] [tool.selector-error]
import { equal, has, ok, refOf } from '../expect.mjs';

const describe = async (page, target) => page.call('describe', { target });

export default {
  'refs, css, text, role': async (page) => {
    await page.load(`<!doctype html><h1 id="t">Title</h1><p>Some <b>bold words</b></p><button class="s">Save</button><button hidden>Save all</button><button>Save as</button>
      <input type="submit" value="Send now"><input type="checkbox" aria-label="Agree" checked><a href="/x"><span>Deep link</span></a><script>"Save script"</script>`);
    const ref = refOf(await page.yaml(), '"Save"');
    for (const [target, words, count] of [
      [ref, 'button "Save"', 1],
      ['#t', 'heading "Title"', 1],
      ['css=.s', 'button "Save"', 1],
      ['text=bold words', 'strong "bold words"', 1],
      ['text="Save"', 'button "Save"', 1],
      ['text=save', 'button "Save"', 3],
      ['text=/^save a/i', 'button "Save as"', 2],
      ['text=Send now', 'button "Send now"', 1],
      ['role=button[name="Save"]', 'button "Save"', 1],
      ['role=button[name="save" i]', 'button "Save"', 2],
      ['role=button[name=/^Save/]', 'button "Save"', 2],
      ['role=heading[level=1]', 'heading "Title"', 1],
      ['role=checkbox[checked]', 'checkbox "Agree"', 1],
      ['role=link', 'link "Deep link"', 1],
    ]) {
      const found = await describe(page, target);
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.count, count, target);
      if (target !== 'text=bold words') equal(found.describe, words, target);
    }
    const span = await describe(page, 'text=Deep link');
    equal(span.tag, 'span');
    equal(span.isLink, true);
  },

  'several matches: the first visible one': async (page) => {
    await page.load(
      '<!doctype html><button style="display:none">A</button><button id="second">A</button><button>A</button>',
    );
    const found = await describe(page, 'button');
    equal(found.count, 3);
    const id = await page.raw('__bridle.element({ target: "button" }).id');
    equal(id, 'second');
  },

  'shadow roots are entered': async (page) => {
    await page.load(`<!doctype html><x-a class="h"></x-a><script>customElements.define('x-a', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' });
      r.innerHTML = '<div class="in"><x-b></x-b></div>'; const s = r.querySelector('x-b').attachShadow({ mode: 'open' }); s.innerHTML = '<button id="deep">Deep</button>'; } })</script>`);
    for (const target of ['#deep', 'text=Deep', 'role=button[name="Deep"]', 'x-a #deep', '.h .in button']) {
      const found = await describe(page, target);
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.tag, 'button', target);
    }
    const ready = await page.call('actionable', { target: '#deep', timeout: 2000 });
    ok(ready.ok, ready.error);
  },

  'errors quote what was asked': async (page) => {
    await page.load('<!doctype html><p>x</p>');
    for (const [target, part] of [
      ['p[', 'Invalid selector "p["'],
      ['//p', 'Invalid selector "//p"'],
      ['role=button[nome="x"]', 'unknown attribute [nome]'],
      ['role=', 'Invalid selector'],
      ['text=/(/', 'Invalid regular expression "/(/"'],
      ['#nope', '"#nope"'],
      ['', 'target is empty'],
      ['text=', 'needs the text'],
      ['e99', 'e99 is not a ref'],
    ])
      has((await describe(page, target)).error, part);
  },
};
