// Contract: [tool.refs]
import { equal, has, hasNot, ok, refOf, refused, same, shown } from '../expect.mjs';

export default {
  'a ref stays with its element': async (page) => {
    const first = await shown(page, '<button id="b">Save</button><div id="box"></div><a href="/">L</a>');
    const ref = refOf(first, '"Save"');
    await page.main(
      'b.textContent = "Saved"; box.append(b); box.insertAdjacentHTML("beforebegin", "<button>New</button>")',
    );
    const second = await page.yaml();
    equal(refOf(second, '"Saved"'), ref);
    equal(refOf(second, '"New"'), 'e3');
    await page.main('b.hidden = true');
    await page.yaml();
    await refused(page, { target: ref }, 'not visible: display:none on <button id="b">');
    await page.main('b.hidden = false; window.kept = b; b.remove()');
    await page.yaml();
    await page.main('document.body.append(kept)');
    equal(refOf(await page.yaml(), '"Saved"'), ref);
  },

  'a re-render keeps refs where the match is unique': async (page) => {
    await page.load('<!doctype html><div id="app"></div>');
    await page.main(`window.render = (n, items) => { app.innerHTML = '<p>count ' + n + '</p><button>Inc</button><button id="x">Same</button><button id="y">Same</button><ul>' +
      items.map((i) => '<li>' + i + ' <button>Delete</button></li>').join('') + '</ul>'; }; render(1, ['Milk', 'Bread', 'Eggs'])`);
    const before = await page.yaml();
    await page.main(`render(2, ['Milk', 'Bread', 'Eggs'])`);
    const after = await page.yaml();
    equal(
      after.replace('count 2', 'count 1').replaceAll(/\[ref=e\d+\]: count/g, 'count'),
      before.replaceAll(/\[ref=e\d+\]: count/g, 'count'),
    );
    // The first item goes and all are new elements: the others keep theirs, Milk's is gone for good.
    const milk = /Milk[\s\S]*?button "Delete" \[ref=(e\d+)\]/.exec(after)[1];
    const bread = /Bread[\s\S]*?button "Delete" \[ref=(e\d+)\]/.exec(after)[1];
    await page.main(`render(3, ['Bread', 'Eggs', 'Tea'])`);
    const third = await page.yaml();
    equal(/Bread[\s\S]*?button "Delete" \[ref=(e\d+)\]/.exec(third)[1], bread);
    hasNot(third, `[ref=${milk}]`);
    has(
      (await page.call('describe', { target: milk })).error,
      `${milk} was button "Delete"; it is no longer on the page. Take a new snapshot.`,
    );
  },

  'a re-render between the snapshot and the action': async (page) => {
    const ref = refOf(await shown(page, '<div id="a"><button>Save</button></div>'), 'Save');
    await page.main('a.innerHTML = "<button>Save</button>"');
    const found = await page.call('describe', { target: ref });
    ok(found.ok, found.error);
    equal(found.ref, ref);
  },

  'what has no name hands its ref on to what says the like, and to nothing else': async (page) => {
    await page.load(
      '<!doctype html><h1>List</h1><p>Of things</p><main><h2>All</h2><div id="app"><div>Saved well</div></div></main>',
    );
    const message = refOf(await page.yaml(), 'Saved well');
    const show = async (html) => {
      await page.main(`app.innerHTML = ${JSON.stringify(html)}`);
      return page.yaml();
    };
    hasNot(await show('<div tabindex="0"><h2>Remove it?</h2><button>Yes</button></div>'), `[ref=${message}]`);
    const status = refOf(await show('<div>3 items left</div>'), 'items left');
    equal(refOf(await show('<div>no items left</div>'), 'items left'), status);
    hasNot(await show('<div>Removed</div>'), `[ref=${status}]`);
    const count = refOf(await show('<div>17</div>'), '17');
    equal(refOf(await show('<div>18</div>'), '18'), count);
  },

  'no ref comes back in another dialog, region or item than its own': async (page) => {
    const row =
      '<div><input aria-label="Name"><button>Upload</button><button>Cancel</button><div tabindex="-1"><button>Close</button></div></div>';
    const others = [
      '<div role="dialog" aria-label="Sure">Delete all for ever? <button>Cancel</button></div>',
      '<div role="toolbar" aria-label="Tools"><button>Cancel</button><div tabindex="-1"><button>Edit</button></div></div>',
      '<p>Delete all for ever? <button>Cancel</button></p>',
    ];
    for (const isTold of [true, false])
      for (const other of others.slice(0, isTold ? 3 : 2)) {
        const before = await shown(page, `<h1>Files</h1><section aria-label="Uploads" id="a">${row}</section>`);
        const refs = [...before.matchAll(/ref=(e\d+)\]/g)].map(([, ref]) => ref);
        await page.main('a.remove(); 0');
        if (isTold) has(await page.yaml({ mode: 'delta' }), 'removed');
        await page.main(`document.body.insertAdjacentHTML('beforeend', '${other}'); 0`);
        const yaml = await page.yaml();
        for (const ref of refs.slice(1)) hasNot(yaml, `[ref=${ref}]`);
      }
  },

  'what a snapshot has told as removed comes back only as what it was': async (page) => {
    const dialog = (words) =>
      `<div role="dialog" aria-label="Sure">${words}<button>Cancel</button><button>Delete</button></div>`;
    const list = (words) => `<ul>${words.map((word) => `<li>${word} <button>Open</button></li>`).join('')}</ul>`;
    await page.load('<!doctype html><h1>Files</h1><p id="p">x</p><div id="app"></div>');
    const show = async (html) => {
      await page.main(`app.innerHTML = ${JSON.stringify(html)}; 0`);
      return page.yaml();
    };
    const ref = refOf(await show(dialog('Delete one.txt?')), '"Delete"');
    await show('');
    hasNot(await show(dialog('Delete all for ever?')), `[ref=${ref}]`);
    await show('');
    equal(refOf(await show(dialog('Delete one.txt?')), '"Delete"'), ref);
    const open = (yaml, word) => new RegExp(`${word}[\\s\\S]*?"Open" \\[ref=(e\\d+)\\]`).exec(yaml)[1];
    const first = await show(list(['Milk', 'Bread', 'Tea']));
    await show(list(['Bread', 'Tea']));
    const again = await show(list(['Tea', 'Milk', 'Bread']));
    for (const word of ['Milk', 'Bread', 'Tea']) equal(open(again, word), open(first, word), word);
    const save = refOf(await show('<button>Save</button>'), 'Save');
    await show('');
    equal(refOf(await show('<button>Save</button>'), 'Save'), save);
  },

  'a dialog that is rendered anew keeps its refs, and one in its place has its own': async (page) => {
    const dialog = (words) => `<div role="dialog" aria-label="Sure">${words}<button>Delete</button></div>`;
    await page.load('<!doctype html><h1>Files</h1><div id="app"></div>');
    const show = async (html) => {
      await page.main(`app.innerHTML = ${JSON.stringify(html)}; 0`);
      return refOf(await page.yaml(), '"Delete"');
    };
    await page.yaml();
    const ref = await show(dialog('Delete one.txt?'));
    equal(await show(dialog('Delete one.txt? <p>It is locked</p>')), ref);
    ok((await show(dialog('Drop all notes?'))) !== ref);
    const order = await show(dialog('Drop order 12?'));
    ok((await show(dialog('Drop order 13?'))) !== order);
  },

  'a wrapper without words hands its ref on only to what holds the like': async (page) => {
    const before = await shown(
      page,
      '<h1>T</h1><div id="a"><div tabindex="0"><button>Close library</button></div></div>',
    );
    const [, ref] = /generic \[ref=(e\d+)\]/.exec(before);
    await page.main('a.innerHTML = "<div tabindex=0><button>Edit table</button></div>"; 0');
    hasNot(await page.yaml(), `[ref=${ref}]`);
  },

  'a table that is rendered anew in another order keeps the refs of its rows': async (page) => {
    const table = (names) =>
      `<button>Show all</button><table>${names.map((name) => `<tr><td>${name}</td><td><a href="#">Edit</a></td><td><a href="#">Copy</a></td></tr>`).join('')}</table><button>Show all</button>`;
    await page.load('<!doctype html><h1>Rows</h1><main><div id="app"></div></main>');
    const show = async (names) => {
      await page.main(`app.innerHTML = ${JSON.stringify(table(names))}; 0`);
      return page.yaml();
    };
    const refsOf = (yaml) => [...yaml.matchAll(/ref=(e\d+)\]/g)].map(([, ref]) => ref).sort();
    const first = await show(['Ann', 'Bob', 'Cid']);
    const second = await show(['Cid', 'Ann', 'Bob']);
    same(refsOf(second), refsOf(first));
    equal(/Cid[\s\S]*?"Copy" \[ref=(e\d+)\]/.exec(second)[1], /Cid[\s\S]*?"Copy" \[ref=(e\d+)\]/.exec(first)[1]);
  },

  'options that are made anew keep their refs in a list that stays': async (page) => {
    const options = (names) => names.map((name) => `<option>${name}</option>`).join('');
    const before = await shown(
      page,
      `<select multiple size="8" id="a">${options(['red', 'green', 'blue', 'small'])}</select><button>Choose</button><select multiple size="8" id="b">${options(['large', 'sale'])}</select>`,
    );
    await page.main(
      `a.innerHTML = '${options(['green', 'small'])}'; b.innerHTML = '${options(['large', 'sale', 'red', 'blue'])}'; 0`,
    );
    const delta = await page.yaml({ mode: 'delta' });
    has(delta, `- removed: ${refOf(before, 'red')}, ${refOf(before, 'blue')}`);
    same(delta.match(/option "\w+"/g), ['option "red"', 'option "blue"'], delta);
    const after = await page.yaml();
    for (const name of ['green', 'small', 'large', 'sale']) equal(refOf(after, name), refOf(before, name), name);
  },

  'no ref where the match is not unique': async (page) => {
    const ref = refOf(await shown(page, '<div id="a"><button>Save</button></div>'), 'Save');
    await page.main('a.innerHTML = "<button>Save</button><button>Save</button>"');
    equal((await page.call('describe', { target: ref })).ok, false);
    hasNot(await page.yaml(), `[ref=${ref}]`);
  },

  'numbers are never used twice, also over documents': async (page) => {
    const seen = new Set();
    await page.load('<!doctype html><div id="a"></div>');
    for (let i = 0; i < 5; i++) {
      await page.main(`a.innerHTML = '<button>B${i}</button><a href="/${i}">L${i}</a>'`);
      for (const [, ref] of (await page.yaml()).matchAll(/\[ref=(e\d+)\]/g)) {
        ok(!seen.has(ref), ref);
        seen.add(ref);
      }
    }
    await page.load('<!doctype html><button>Other</button>');
    const yaml = await page.yaml();
    ok(!seen.has(refOf(yaml, 'Other')));
    has((await page.call('describe', { target: 'e1' })).error, 'e1 is not a ref of this page');
  },

  'the counter is shared: start, next, renumbering, prefixes': async (page) => {
    await page.load('<!doctype html><button>A</button><button>B</button>');
    const first = await page.call('snapshot', { refStart: 40 });
    equal(first.next, 42);
    has(first.yaml, '"B" [ref=e41]');
    await page.main('document.body.insertAdjacentHTML("beforeend", "<button>C</button><button>D</button>")');
    await page.call('snapshot', { refStart: 42 });
    const again = await page.call('snapshot', { refStart: 100, reassignFrom: 42, mode: 'delta' });
    equal(again.next, 102);
    has(again.yaml, '"C" [ref=e100]');
    const third = await page.call('snapshot', { refStart: 200, reassignFrom: 100 });
    has(third.yaml, '"D" [ref=e201]');
    has(third.yaml, '"A" [ref=e40]');
    equal((await page.call('describe', { target: 'e42' })).ok, false);
    const framed = await page.call('snapshot', { refStart: 202, framePrefix: 'f3' });
    has(framed.yaml, '"A" [ref=f3e40]');
    equal((await page.call('describe', { target: 'f3e201' })).describe, 'button "D"');
  },

  'gone elements are not kept alive': async (page) => {
    await page.load('<!doctype html><div id="a"></div>');
    await page.main(`a.innerHTML = '<button>x</button>'.repeat(300)`);
    await page.yaml();
    await page.main('a.innerHTML = ""');
    await page.yaml();
    const stats = await page.call('stats');
    equal(stats.refs, 0);
    equal(stats.gone, 300);
    await page.send('HeapProfiler.enable');
    // What a WeakRef gave out lives to the end of its job, so a collection may come too early: again until they are gone.
    for (;;) {
      await page.send('HeapProfiler.collectGarbage');
      if ((await page.send('Memory.getDOMCounters')).nodes < 200) break;
      await page.call('frames', { n: 1 });
    }
  },
};
