// What a person would see of drawings, signs, swatches and handles, and read of a sentence that changes.
import { equal, has, hasNot, kPatience, plain, shown } from '../expect.mjs';

const delta = (page) => page.yaml({ mode: 'delta' });

export default {
  // [tool.snapshot.restyled]
  'how something is drawn otherwise is told where nothing else is': async (page) => {
    await shown(
      page,
      `<style>.bg-blue-500 { background: #3b82f6; color: white } .gray-700 { color: #374151 } .dark { background: #111 }
        .is-focused { background: yellow } .big { padding: 9px } .press:hover { background: red }</style>
      <button id="m" class="bg-blue-500">Monthly</button><button id="y" class="gray-700">Yearly</button>
      <div id="s" style="width: 24px; height: 24px; background: green; cursor: pointer"></div><p id="p">Words</p>`,
    );
    const drawn = async (script) => {
      await page.main(script);
      return /drawn otherwise now: (.*?)"?$/m.exec(await delta(page))?.[1].replaceAll('\\"', '"');
    };
    equal(
      await drawn("m.className = 'gray-700'; y.className = 'bg-blue-500'"),
      'button "Monthly" [ref=e1]: light gray background, dark gray text; button "Yearly" [ref=e2]: blue background, white text',
    );
    equal(await drawn("s.style.outline = '2px solid black'"), 'generic [ref=e3]: black frame');
    equal(await drawn("document.body.classList.add('dark')"), 'the page: black background');
    equal(await drawn("m.classList.add('is-focused')"), undefined);
    equal(await drawn("m.classList.add('press', 'unknown')"), undefined);
    equal(await drawn("m.classList.add('big')"), 'button "Monthly" [ref=e1]: class big');
    equal(await drawn("s.style.outline = ''; p.textContent = 'Other words'"), undefined);
    equal(await drawn("s.style.transform = 'scale(1)'"), undefined);
    // Leaflet's markers have no outline while the mouse has given them the focus.
    await drawn("m.focus(); m.style.outlineStyle = 'none'");
    equal(await drawn("m.style.outlineStyle = ''"), undefined);
  },

  // [tool.snapshot.drawings]
  'a drawing without text has a line, so that it can be looked at and pointed into; icons and decorations have none':
    async (page) => {
      const circle = '<circle cx="50" cy="50" r="29"/>';
      const yaml = await shown(
        page,
        `<p>Text</p><canvas id="c" width="150" height="100"></canvas><svg width="100" height="100">${circle}</svg>
      <svg width="100" height="100">${circle}<rect width="9" height="9"/></svg><video width="100" height="80"></video>
      <svg width="40" height="40">${circle}</svg><canvas width="300" height="20"></canvas>
      <svg width="100" height="100" aria-hidden="true">${circle}</svg><svg width="100" height="100" role="none">${circle}</svg>
      <button aria-label="Go"><svg width="100" height="100">${circle}</svg></button>
      <div style="cursor:pointer">Card<svg width="100" height="100">${circle}</svg></div>
      <canvas width="99" height="98" style="visibility:hidden"></canvas><canvas width="99" height="98" aria-label="Chart"></canvas>
      <svg width="100" height="100">${circle}<text y="20">Words</text></svg>`,
      );
      equal(
        yaml.replaceAll(/ \[ref=e\d+\]/g, ''),
        `- paragraph: Text
- generic [looks=canvas 150x100]
- img [looks=black circle 100x100]
- img [looks=2 shapes 100x100]
- generic [looks=video 100x80]
- button "Go"
- generic [cursor=pointer]: Card
- generic "Chart"
- text: Words`,
      );
      await page.main("c.style.width = '10px'");
      has(await delta(page), /removed: .*\be2\b/);
      await page.main("c.style.width = ''");
      has(await delta(page), /- generic \[ref=e\d+\] \[looks=canvas 150x100\]/);
    },

  // [tool.snapshot.hints]
  'shapes, coloured letters and swatches are called as a person would call them': async (page) => {
    const yaml = await shown(
      page,
      `<style>.s{display:inline-block;width:20px;height:20px;cursor:pointer}</style>
      <svg width="200" height="40" style="cursor:pointer"><g cursor="pointer"></g></svg>
      <svg width="200" height="40"><desc>Drawn by a library</desc><metadata>made in 2024</metadata>
        <polygon points="0,20 10,0 20,20" fill="lime" style="cursor:pointer"/>
        <polygon points="40,20 50,0 60,20 50,30" fill="blue" style="cursor:pointer"/>
        <text x="80" y="20" fill="red" style="cursor:pointer">Q</text><text x="99" y="20" fill="black" style="cursor:pointer">8</text></svg>
      <i class="s" style="background:purple"></i><i class="s" style="background:fuchsia"></i><i class="s" style="background:pink"></i>`,
    );
    for (const part of [
      '[looks=green triangle 20x20] [cursor=pointer]',
      '[looks=blue polygon 20x30] [cursor=pointer]',
      /\[looks=red \d+x\d+\] \[cursor=pointer\]: Q/,
      /\[looks=black \d+x\d+\] \[cursor=pointer\]: "8"/,
      '[looks=purple square]',
      '[looks=magenta square]',
      '[looks=pink square]',
    ])
      has(yaml, part);
    hasNot(yaml, /library|2024/);
  },

  // [tool.snapshot.hints]
  'what the keyboard can reach and has no words has a hint': async (page) => {
    const yaml = await shown(
      page,
      `<div style="position:relative;width:100px;height:9px"><span tabindex="0" class="slider-handle" style="position:absolute;width:12px;height:12px"></span></div>
      <div tabindex="0" class="guard"></div>`,
    );
    has(yaml, /generic \[ref=e\d+\] \[class=slider-handle\]/);
    hasNot(yaml, 'guard');
  },

  // [tool.snapshot.pointers]
  'the grip at a corner is a target, and what is only an edge is not': async (page) => {
    const yaml = await shown(
      page,
      `<div style="position:relative;width:90px;height:60px"><textarea aria-label="Note"></textarea>
        <div class="grip" style="position:absolute;right:0;bottom:0;width:12px;height:12px;cursor:se-resize"></div>
        <div class="edge" style="position:absolute;right:0;top:0;width:7px;height:60px;cursor:e-resize"></div></div>`,
    );
    has(yaml, /generic \[ref=e\d+\] \[class=grip\] \[cursor=se-resize\]/);
    hasNot(yaml, 'edge');
  },

  // [tool.snapshot.hints]
  'pictures that a style loads are no text': async (page) => {
    const yaml = await shown(
      page,
      `<style>p::after{content:url("/i/like.png") url(/i/share.png)} b::before{content:url("/i/new.png") "New "}</style><p>Post</p><b>offer</b>`,
    );
    hasNot(yaml, /png|http/);
    has(yaml, /Post/);
    has(yaml, /New offer/);
  },

  // [tool.snapshot.struck]
  'text with a line through it says so, whoever has drawn it': async (page) => {
    const yaml = await shown(
      page,
      `<style>.old,.done label{text-decoration:line-through}a{text-decoration:none}</style>
      <p>Price: <span class="old">$50</span> $30 <s>$60</s> <span style="text-decoration: line-through red">$70</span></p>
      <ul><li class="done"><label>Milk</label><li id="b"><label>Bread</label></ul><a href="/">Link <span class="old">$5</span></a>`,
    );
    for (const part of [
      /^ {2}- text: "Price:"$/m,
      /^ {2}- generic \[struck\] \[ref=e\d+\]: \$50$/m,
      /^ {2}- text: \$30$/m,
      /^ {2}- deletion: \$60$/m,
      /^ {2}- generic \[struck\] \[ref=e\d+\]: \$70$/m,
      /generic \[struck\] \[ref=e\d+\]: Milk/,
      /listitem \[ref=e\d+\]: Bread/,
      /link "Link \$5"/,
    ])
      has(yaml, part);
    await page.main("b.className = 'done'");
    const changed = await delta(page);
    has(changed, /generic \[struck\] \[ref=e\d+\]: Bread/);
    hasNot(changed, 'Milk');
    const ticked = `<style>.done{text-decoration:line-through}</style><input type="checkbox" checked id="c"><label for="c" class="done">Eggs</label>`;
    equal((await shown(page, ticked)).match(/struck/g), null);
  },

  // [tool.snapshot.hints]
  'what only looks disabled or on says so by its class': async (page) => {
    const yaml = await shown(
      page,
      `<a href="/" class="btn disabled">Next</a><button class="is-disabled" disabled>Save</button><a href="/" class="tab on">News</a>
      <div role="button" class="disabled" aria-disabled="true">Old</div><button class="add-on">More</button>`,
    );
    has(yaml, /link "Next" \[ref=e\d+\] \[class=disabled\]/);
    has(yaml, /link "News" \[ref=e\d+\] \[class=on\]/);
    has(yaml, /button "Save" \[disabled\] \[ref=e\d+\]$/m);
    has(yaml, /button "Old" \[disabled\] \[ref=e\d+\]$/m);
    has(yaml, /button "More" \[ref=e\d+\]$/m);
  },

  // [tool.snapshot.pre]
  'preformatted text keeps its lines and what they begin with': async (page) => {
    const yaml = await shown(
      page,
      `<pre>if a:\n    b()\n\telse\n\n</pre><p>two\n   words</p>
      <pre><code><span class="k">def</span> f():\n<span>    </span><span>return</span> <b>1</b>\n</code></pre>
      <pre><div>  first</div><div>second</div></pre><pre>one line\n</pre><pre>a <button>Copy\n it</button> b</pre>`,
    );
    equal(
      yaml.replaceAll(/ \[ref=e\d+\]/g, ''),
      `- generic: "if a:\\n    b()\\n\\telse"
- paragraph: two words
- code: "def f():\\n    return 1"
- generic:
  - generic: "  first"
  - generic: second
- generic: one line
- generic:
  - text: a
  - button "Copy it"
  - text: " b"`,
    );
    const found = await page.call('find', { text: 'def f(): return 1', refStart: page.next, limit: 5 });
    equal(found.count, 1);
  },

  // [tool.snapshot.drawings]
  'a player of sound is there by its controls': async (page) => {
    const yaml = await shown(page, '<p>Song</p><audio controls></audio><audio></audio>');
    equal(yaml.match(/looks=audio \d+x\d+/g)?.length, 1);
  },

  // [tool.snapshot.drawings] [tool.snapshot.delta]
  'what plays says so, and that it has stopped': async (page) => {
    hasNot(
      await shown(page, '<video id="v" muted width="160" height="90"></video><video aria-label="Clip"></video>'),
      'playing',
    );
    await page.main('void v.play().catch(() => {})');
    has(await delta(page), /generic \[playing\] \[ref=e\d+\] \[looks=video 160x90\]/);
    equal(await delta(page), '- no changes since the last snapshot');
    await page.main('v.pause()');
    has(await delta(page), /generic \[ref=e\d+\] \[looks=video 160x90\]/);
  },

  // [tool.snapshot.delta]
  'a sentence is shown in the order that it is read in': async (page) => {
    await shown(page, '<div contenteditable><p id="p">Neque, turpis gravida.</p></div>');
    await page.main("document.getElementById('p').innerHTML = 'Neque, turpis <strong>gravid</strong>a.'");
    const changed = await delta(page);
    const at = ['Neque, turpis', 'gravid', 'a.'].map((word) => changed.indexOf(word));
    equal(
      at.every((place, i) => place >= 0 && (i === 0 || place > at[i - 1])),
      true,
      changed,
    );
  },

  // As D3 makes them where it appends to a drawing: elements that are only called as controls are, and that nobody sees.
  'what is called as a control in a drawing or a formula is none [tool.snapshot]': async (page) => {
    await shown(page, `<p>Words</p><input id="i" aria-label="I"><label for="i">L</label><div id="d"></div>`);
    for (const [around, space] of [
      ['svg', 'http://www.w3.org/2000/svg'],
      ['math', 'http://www.w3.org/1998/Math/MathML'],
    ])
      for (const tag of 'input textarea select option optgroup label slot details summary meter progress'.split(' ')) {
        await page.main(`(() => {
          const make = (tag) => document.createElementNS('${space}', tag);
          const [around, el] = [make('${around}'), make('${tag}')];
          el.id = 'e';
          el.setAttribute('type', 'file');
          el.setAttribute('tabindex', '0');
          around.append(el, make('${tag}'));
          d.replaceChildren(around, make('${tag}'));
        })()`);
        const yaml = await page.yaml();
        equal(yaml.match(/textbox|button|combobox|option|progressbar|meter/g).join(), 'textbox', `${around} ${tag}`);
        await page.main(`e.append('more'); i.value += 'x'`);
        has(await page.yaml({ mode: 'delta' }), 'textbox "I"');
        const { bug } = await page.call('actionable', { callId: 1, target: '#e', kind: 'type', timeout: 1 });
        equal(bug, undefined);
        has((await page.call('fill', { target: '#e', text: 'x' })).error, "text can't be typed into it");
        has((await page.call('select', { target: '#e', values: ['x'] })).error, 'is not a <select>');
        equal((await page.call('waitFor', { callId: 2, text: 'Words', timeout: kPatience })).ok, true);
      }
  },

  // [tool.snapshot.icons]
  'a dot without colour is told where it is all that a cell holds': async (page) => {
    const dot = (colour) => `<div style="width:10px;height:10px;border-radius:50%;background:${colour}"></div>`;
    const row = (colour, name) => `<tr><td>${dot(colour)}<td>${name}`;
    const yaml = await plain(
      page,
      `<table><tr><th>State<th>Name${row('#6644ff', 'One')}${row('#444', 'Two')}${row('#000', 'Three')}</table><p>${dot('#444')} beside words</p>`,
    );
    has(yaml, 'cell [looks=black circle]');
    equal(yaml.split('circle]').length, 4, yaml);
  },
};
