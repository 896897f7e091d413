// Contract: [tool.snapshot.delta]
import { delta, equal, has, hasNot, ok, refOf, same, shown } from '../expect.mjs';

const kIcons = `<style>body{margin:0} i{display:block;width:20px;height:20px;content:url("http://a.test/star.png")}
  i:hover{content:url("http://a.test/full.png")} input{position:absolute;top:100px}</style>
  <div><i id="a" class="a" tabindex="-1"></i><input type="checkbox" id="c" aria-label="C"></div><p>x</p>`;

// A box, a circle, a field with a grip, and a window with a bar, that all can be dragged.
const kDrags = `<style>body{margin:0;height:3000px} body>*{position:absolute} #b{left:10px;top:10px;width:30px;height:30px;cursor:move}</style>
  <div id="b" tabindex="-1">s</div><svg style="left:200px;top:0" width="100" height="100"><circle id="c" cx="20" cy="20" r="10" fill="red"/></svg>
  <div style="left:400px;top:0"><textarea id="t" aria-label="T" style="display:block;resize:none;width:50px;height:50px;padding:0;border:0"></textarea>
  <i id="g" style="position:absolute;right:0;bottom:0;width:10px;height:10px"></i></div>
  <div role="group" aria-label="W" id="w" style="left:500px;top:0;width:80px;height:80px"><div id="h">Bar</div><button>ok</button></div>
  <p id="p" style="top:190px">A text.</p><div id="o" style="left:700px;top:0"><button id="k" style="pointer-events:none">Card</button></div><script>
  let on = null, at = null;
  onpointerdown = (event) => { on = { b, c, g, h, o }[event.target.id]; at = [event.clientX, event.clientY]; };
  onpointerup = (event) => {
    if (!on) return;
    const x = event.clientX - at[0], y = event.clientY - at[1];
    if (on === c) c.setAttribute('transform', 'translate(' + x + ' ' + y + ')');
    else if (on === g) Object.assign(t.style, { width: 50 + x + 'px', height: 50 + y + 'px' });
    else (on === h ? w : on).style.transform = 'translate(' + x + 'px,' + y + 'px)';
  };</script>`;

async function drag(page, [x, y], [endX, endY]) {
  await page.call('dragWatch', {});
  const mouse = (type, at) =>
    page.send('Input.dispatchMouseEvent', { type, x: at[0], y: at[1], button: 'left', buttons: 1, clickCount: 1 });
  await Promise.all([
    mouse('mouseMoved', [x, y]),
    mouse('mousePressed', [x, y]),
    mouse('mouseMoved', [endX, endY]),
    mouse('mouseReleased', [endX, endY]),
  ]);
  await page.call('dragResult', {});
}

export default {
  'words that what was asked for is under way are noted, those of a control or in a sentence are not': async (page) => {
    await shown(page, '<button>Send</button><p id="a"></p><p id="b"></p>');
    const isUnderWay = async (script) => {
      await page.main(script);
      return (await page.call('snapshot', { refStart: 1, mode: 'delta' })).underWay === true;
    };
    equal(await isUnderWay('a.textContent = "Sending document…"'), true);
    equal(await isUnderWay('b.textContent = "It is sent."'), false);
    equal(await isUnderWay('b.textContent = "Saving..."'), true);
    equal(await isUnderWay('b.textContent = "Saved. Nothing is missing..."'), false);
    equal(await isUnderWay('b.innerHTML = "<button>Loading…</button>"'), false);
  },

  // [tool.snapshot.delta]
  'a drawing that has a text while the mouse is over it has not gone': async (page) => {
    await shown(
      page,
      '<svg width="300" height="200" id="chart"><rect width="40" height="90" fill="red"/><rect x="90" width="40" height="60" fill="blue"/></svg><p>Sales</p>',
    );
    await page.main(
      'chart.insertAdjacentHTML(\'beforeend\', \'<g><rect width="60" height="20" fill="white"/><text y="15">(B, 9)</text></g>\')',
    );
    const hovered = await page.yaml({ mode: 'delta' });
    has(hovered, '(B, 9)');
    hasNot(hovered, 'removed');
    await page.main('chart.remove()');
    has(await page.yaml({ mode: 'delta' }), 'removed');
  },

  'unchanged is one line': async (page) => {
    await shown(page, '<h1>x</h1><ul><li>a</li><li>b</li></ul>');
    const result = await page.call('snapshot', {
      refStart: page.next,
      mode: 'delta',
    });
    equal(result.changed, false);
    equal(result.yaml.split('\n').length, 1);
    await page.main('scrollTo(0, 10)');
    equal((await page.call('snapshot', { refStart: page.next, mode: 'delta' })).changed, false);
  },

  // A sum of products over lines and letters is the same then: each line further down is as much longer.
  'a mark that goes from one line to another is told, whatever their lengths': async (page) => {
    const values = ['red', 'blue', 'green', 'indigo'];
    await shown(page, values.map((value) => `<input type="radio" name="n" value="${value}">`).join(''));
    for (const value of ['red', 'blue', 'indigo', 'green', 'red']) {
      await page.main(`document.querySelector('[value=${value}]').checked = true`);
      has(await page.yaml({ mode: 'delta' }), new RegExp(`radio \\[checked\\] \\[ref=e\\d\\] \\[value=${value}\\]`));
    }
  },

  'only what changed, under its path': async (page) => {
    await shown(
      page,
      `<main><h1>T</h1><ul aria-label="L">${Array.from({ length: 300 }, (_, i) => `<li>item ${i} <button>B${i}</button></li>`).join('')}</ul><p id="n">0 done</p><input aria-label="I" id="i"></main>`,
    );
    await page.main(
      'document.querySelectorAll("li")[150].classList.add("x"); document.querySelectorAll("li button")[150].setAttribute("aria-pressed", "true"); n.textContent = "1 done"',
    );
    const yaml = await page.yaml({ mode: 'delta' });
    ok(yaml.length < 400, yaml);
    has(yaml, /- main \[ref=e1\]:\n {2}- list "L" \[ref=e\d+\]:\n {4}- listitem.*:\n {6}- button "B150" \[pressed\]/);
    has(yaml, '1 done');
    hasNot(yaml, 'B151');
    await page.main(
      'i.value = "typed"; document.querySelector("ul").insertAdjacentHTML("beforeend", "<li>new one</li>"); document.querySelectorAll("li")[3].remove()',
    );
    const second = await page.yaml({ mode: 'delta' });
    has(second, 'textbox "I" [ref=');
    has(second, ': typed');
    has(second, 'listitem [ref=');
    has(second, 'new one');
    has(second, '- removed:');
    ok(second.length < 500, second);
  },

  'the first of a document is full, a change of all too': async (page) => {
    const first = await shown(page, '<p>one</p>', { mode: 'delta' });
    has(first, 'one');
    await page.main('document.body.innerHTML = "<h2>two</h2>"');
    const second = await page.yaml({ mode: 'delta' });
    has(second, 'heading "two"');
    has(second, 'removed:');
  },

  'frames are listed though their lines are not': async (page) => {
    await shown(page, '<p id="p">a</p><iframe srcdoc="x"></iframe>');
    await page.main('p.textContent = "b"');
    const result = await page.call('snapshot', {
      refStart: page.next,
      mode: 'delta',
    });
    equal(result.frames.length, 1);
    equal(result.frames[0].token, null);
    hasNot(result.yaml, 'iframe');
  },

  'a new snapshot after a target snapshot compares with the last whole one': async (page) => {
    await shown(page, '<main><p id="p">a</p></main><p>z</p>');
    await page.yaml({ target: 'main' });
    await page.main('p.textContent = "b"');
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, ': b');
    hasNot(yaml, 'z');
  },

  "a list whose items changed places is told in the page's order, whatever was acted on": async (page) => {
    await shown(page, '<ul><li>Alpha</li><li>Beta</li><li id="c" tabindex="0">Gamma</li></ul>');
    await page.main('c.focus(); const list = document.querySelector("ul"); list.append(list.firstElementChild); 0');
    const yaml = await page.yaml({ mode: 'delta' });
    same(yaml.match(/Alpha|Beta|Gamma/g), ['Beta', 'Gamma', 'Alpha'], yaml);
  },

  "tabs and options that changed are told in the page's order": async (page) => {
    await shown(
      page,
      '<div role="tablist"><div role="tab" aria-selected="true">One</div><div role="tab" tabindex="0" id="t">Two</div></div>',
    );
    await page.main(
      't.focus(); t.setAttribute("aria-selected", "true"); document.querySelector("[role=tab]").removeAttribute("aria-selected"); 0',
    );
    const yaml = await page.yaml({ mode: 'delta' });
    same(yaml.match(/One|Two/g), ['One', 'Two'], yaml);
    has(yaml, 'tab "Two" [selected] [active]');
  },

  'groups that nobody can point at are left out of the path to a change': async (page) => {
    await shown(page, `<main>${'<div><button>a</button><div>'.repeat(5)}<p id="p">before</p></main>`);
    await page.main('p.textContent = "after"; 0');
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, /^- main \[ref=e\d+\]:\n {2}- paragraph \[ref=e\d+\]: after$/);
  },

  'a dialog that is gone with the group around it is named': async (page) => {
    await shown(page, '<p>Shop</p><div id="d"><i>x</i><div role="dialog" aria-label="Invite">Who? <input></div></div>');
    await page.main('d.remove(); 0');
    has(await page.yaml({ mode: 'delta' }), '- removed: dialog "Invite"');
  },

  'fields side by side are told in the order of the page, wherever the focus is': async (page) => {
    await shown(
      page,
      '<main><p>A <input id="a"></p><p>B <input id="b"></p><p>C <input id="c"></p></main><p id="z">z</p>',
    );
    await page.main('a.value = "one"; b.value = "two"; c.value = "three"; z.textContent = "y"; c.focus(); 0');
    const yaml = await page.yaml({ mode: 'delta' });
    same(yaml.match(/one|two|three|"y"/g), ['one', 'two', 'three', '"y"'], yaml);
  },

  'fields that are all of the page are told in its order too': async (page) => {
    await shown(page, '<p>A <input id="a"></p><p>B <input id="b"></p>');
    await page.main('a.value = "one"; b.value = "two"; b.focus(); 0');
    const yaml = await page.yaml({ mode: 'delta' });
    same(yaml.match(/one|two/g), ['one', 'two'], yaml);
  },

  'new texts stand between the elements that they stand between on the page': async (page) => {
    await shown(page, '<main><h1>T</h1><div id="d" aria-label="L" role="group"></div></main>');
    await page.main(
      'd.innerHTML = "first <b>second</b> third <button>fourth</button> fifth"; d.insertAdjacentHTML("beforeend", "<p>sixth</p>"); 0',
    );
    const added = await page.yaml({ mode: 'delta' });
    same(
      added.match(/(fir|seco|thi|four|fif|six)\w+/g),
      ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'],
      added,
    );
    await page.main(
      'd.innerHTML = "one <button>two</button> three <i tabindex=0>four</i> five"; d.querySelector("i").focus(); 0',
    );
    const yaml = await page.yaml({ mode: 'delta' });
    same(yaml.split('removed')[0].match(/one|two|three|four|five/g), ['one', 'two', 'three', 'four', 'five'], yaml);
  },

  'a dialog at the top of the page is told first': async (page) => {
    await shown(page, '<main><h1>T</h1><p id="p">a</p></main><div id="d"></div>');
    await page.main(
      'p.textContent = "b"; d.innerHTML = "<div role=dialog aria-label=Sure?><button>Yes</button></div>"; 0',
    );
    const yaml = await page.yaml({ mode: 'delta' });
    ok(yaml.indexOf('dialog "Sure?"') < yaml.indexOf(': b'), yaml);
  },

  'an alert is told at the top of its form, and that of a field at its field': async (page) => {
    const alert = (words) => `<div role="alert">${words}</div>`;
    const field = (id) => `<div role="group" aria-label="G${id}"><input id="${id}"><span></span></div>`;
    await shown(
      page,
      `<nav><a href="/">N</a></nav><main><h1>T</h1><form aria-label="F">${field('a')}${field('b')}<p></p></form></main>`,
    );
    await page.main(
      `document.querySelector('p').outerHTML = '${alert('2 errors')}'; a.value = 'x'; b.value = 'y';
       for (const at of document.querySelectorAll('span')) at.outerHTML = '${alert('needed')}'; 0`,
    );
    const yaml = await page.yaml({ mode: 'delta' });
    same(yaml.match(/2 errors|: x|: "y"|needed/g), ['2 errors', ': x', 'needed', ': "y"', 'needed'], yaml);
  },

  'what is gone from beside each other is one line, by ref where it had one': async (page) => {
    await shown(
      page,
      '<main><h1>T</h1><div id="d" role="group" aria-label="D"><i tabindex="0">k</i><p>Nunc, at</p><a href="/x">Truman</a><button>Go</button></div><ul id="u"><li>a</li></ul></main>',
    );
    await page.main('d.replaceChildren(d.firstChild); u.innerHTML = "<li>b</li>"; 0');
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, /^ *- removed: e\d+, e\d+, e\d+$/m);
    hasNot(yaml, 'Truman');
  },

  'of a box that has gone it is said that more than its first words has': async (page) => {
    await shown(
      page,
      `<h1>Mail</h1><div id=box><h2>Primary</h2><p>Hello</p><button>Reply</button></div><p id=rest>End</p>`,
    );
    equal(
      await delta(page, `box.remove(); rest.insertAdjacentHTML('beforebegin', '<h2>Results</h2>')`),
      '- heading "Results" [level=2]\n- removed: "generic: Primary … (3 elements)"',
    );
  },

  'what is gone and had no ref is named by its words': async (page) => {
    await shown(
      page,
      '<main><h1>T</h1><table><tr><td>x</td><td>a, b</td><td></td><td></td></tr><tr><td>k</td></tr></table><div id="d"></div></main>',
    );
    await page.main('for (const td of [...document.querySelectorAll("td")].slice(1, 4)) td.remove(); 0');
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, /- removed: \["2 × cell", e\d+\]/);
  },

  'that the mouse has left something is no change': async (page) => {
    await shown(page, kIcons);
    await page.move(10, 10);
    has(await page.yaml({ mode: 'delta' }), '[icon=full.png]');
    await page.move(300, 300);
    equal((await page.call('snapshot', { refStart: page.next, mode: 'delta' })).changed, false);
  },

  'that a cell has a ref only while it has the focus is no change of what it has lost that to': async (page) => {
    const row = (name) =>
      `<tr><td>${name} <span>Fri</span> <a href="#" tabindex="-1">Read ${name}</a></td><td>x</td></tr>`;
    const before = await shown(page, `<table id="t">${['Ann', 'Bob', 'Cid'].map(row).join('')}</table>`);
    hasNot(before, /cell \[ref/);
    const focus = (n) =>
      page.main(
        `{ for (const td of t.querySelectorAll('[tabindex="0"]')) td.removeAttribute('tabindex');
         const td = t.rows[${n}].cells[0]; td.tabIndex = 0; td.focus(); }`,
      );
    await focus(0);
    const ref = refOf(await page.yaml({ mode: 'delta' }), 'cell [active]');
    await focus(1);
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, 'cell [active]');
    hasNot(yaml, 'Ann');
    await focus(0);
    equal(refOf(await page.yaml({ mode: 'delta' }), 'cell [active]'), ref);
  },

  'a calendar that is drawn anew for another month is told by its rows': async (page) => {
    const month = (first, days, cell) => {
      const cells = Array.from({ length: 42 }, (_, i) => {
        const day = i - first + 1;
        return day < 1 || day > days ? '<td></td>' : cell(day);
      });
      return Array.from({ length: 6 }, (_, i) => `<tr>${cells.slice(i * 7, i * 7 + 7).join('')}</tr>`).join('');
    };
    for (const cell of [(day) => `<td><a href="#">${day}</a></td>`, (day) => `<td>${day}</td>`]) {
      await shown(page, `<h1 id="h">April</h1><table>${month(2, 30, cell)}</table>`);
      await page.main(`h.textContent = 'May'; document.querySelector('tbody').innerHTML = '${month(4, 31, cell)}'; 0`);
      const yaml = await page.yaml({ mode: 'delta' });
      hasNot(yaml, '- moved');
      same(
        [...yaml.matchAll(/(?:link|cell) "(\d+)"/g)].map(([, day]) => Number(day)),
        Array.from({ length: 31 }, (_, i) => i + 1),
        yaml,
      );
    }
  },

  'rows that begin alike are told to have moved by what tells them apart': async (page) => {
    const row = (name, size) =>
      `<tr id=${name}><td><input type=checkbox aria-label="Select row"><td>docx<td>${name}<td>${size} MB`;
    await shown(
      page,
      `<table>${['Report', 'Plan', 'Memo', 'Notes', 'Sketch', 'Budget'].map((name, i) => row(name, (i % 3) + 1)).join('')}</table>`,
    );
    await page.main('Report.parentNode.append(Report); 0');
    has(await page.yaml({ mode: 'delta' }), /- moved 'after row: Budget': "row: Report"$/);
  },

  'that something the mouse has left has another icon by another cause is a change': async (page) => {
    for (const cause of ['a.className = "off"', 'a.title = ""', 'c.checked = true', 'document.body.className = "b"']) {
      await shown(page, kIcons);
      await page.move(10, 10);
      await page.yaml({ mode: 'delta' });
      await page.main(`${cause}; 0`);
      await page.move(300, 300);
      has(await page.yaml({ mode: 'delta' }), 'ref=');
    }
  },

  'what a drag has moved is told, and told once': async (page) => {
    await shown(page, kDrags);
    await drag(page, [20, 20], [60, 8]);
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, /^- text: … generic \[ref=e\d+\] moved by 40, -12 px$/m);
    hasNot(await page.yaml({ mode: 'delta' }), 'moved');
    await drag(page, [20, 200], [20, 200]);
    hasNot(await page.yaml({ mode: 'delta' }), 'moved');
  },

  'a drawing has its shapes moved, a grip what it resizes, and a handle what it is a part of': async (page) => {
    await shown(page, kDrags);
    await drag(page, [220, 20], [230, 30]);
    has(await page.yaml({ mode: 'delta' }), /… (<circle id="c">|generic \[ref=e\d+\].*) moved by 10, 10 px/);
    await drag(page, [445, 45], [465, 75]);
    const resized = await page.yaml({ mode: 'delta' });
    has(resized, /textbox "T" \[ref=e\d+\] is now 70 x 80 px/);
    await drag(page, [510, 10], [530, 10]);
    has(await page.yaml({ mode: 'delta' }), /group "W" \[ref=e\d+\] moved by 20, 0 px/);
    await drag(page, [710, 10], [720, 40]);
    has(await page.yaml({ mode: 'delta' }), /… button "Card" \[ref=e\d+\] moved by 10, 30 px/);
  },

  'neither scrolling nor what is pushed aside is a move': async (page) => {
    await shown(page, kDrags);
    await drag(page, [20, 200], [40, 200]);
    await page.main('scrollTo(0, 50); p.style.paddingTop = "30px"; 0');
    hasNot(await page.yaml({ mode: 'delta' }), 'moved');
  },
};
