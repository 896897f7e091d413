// What an action has done to the look of things alone [tool.snapshot.restyled].
import { equal, shown } from '../expect.mjs';

const tellerOf = (page) => async (script) => {
  await page.main(script);
  const yaml = await page.yaml({ mode: 'delta' });
  return /drawn otherwise now: (.*?)"?$/m.exec(yaml)?.[1].replaceAll('\\"', '"');
};

export default {
  // [tool.snapshot.restyled]
  'how a text is set, and how a picture is turned and sized, is told': async (page) => {
    await shown(
      page,
      `<style>.quiet { font-style: italic }</style><p id="p">Words</p><img id="i" alt="Cat" width="80" height="60"
        src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='80' height='60'/>">`,
    );
    const drawn = tellerOf(page);
    const of = async (script, words) => equal(await drawn(script), words);
    await of("p.style.fontWeight = 'bold'", 'paragraph [ref=e1]: bold');
    await of("p.style.fontWeight = ''; p.className = 'quiet'", 'paragraph [ref=e1]: not bold, italic');
    await of("p.style.fontSize = '30px'", 'paragraph [ref=e1]: text of 30 px');
    await of("p.style.textAlign = 'center'", 'paragraph [ref=e1]: aligned center');
    await of("p.style.textDecoration = 'underline'", 'paragraph [ref=e1]: underlined');
    await of("p.style.fontFamily = 'monospace'", 'paragraph [ref=e1]: text in monospace');
    await of("i.style.transform = 'rotate(90deg)'", 'img "Cat" [ref=e2]: turned by 90 degrees');
    await of(
      "i.style.transform = 'rotate(90deg) scale(1.5)'",
      'img "Cat" [ref=e2]: turned by 90 degrees, at 150 % of its size',
    );
    await of("i.style.transform = ''", 'img "Cat" [ref=e2]: not turned');
    await of("i.style.width = '160px'", 'img "Cat" [ref=e2]: 160 x 60 px');
    await of("i.style.filter = 'grayscale(1)'", 'img "Cat" [ref=e2]: grayscale(1)');
    await of("p.style.marginTop = '9px'", undefined);
  },

  // [tool.snapshot.restyled]
  'an attribute that is written again as it was is no other look': async (page) => {
    await shown(page, `<style>[type='text'] { font-weight: bold }</style><input id="t" type="text" aria-label="T">`);
    const drawn = tellerOf(page);
    equal(await drawn("t.setAttribute('type', 'text')"), undefined);
    equal(await drawn("t.setAttribute('type', 'search'); t.setAttribute('type', 'text')"), undefined);
  },

  // [tool.snapshot.restyled]
  'what a transition leads to is told, not where it is': async (page) => {
    await shown(
      page,
      `<style>.dark { background: black } body, p { transition: all 60s } .big p { font-size: 40px }</style><p id="p">Words</p>`,
    );
    const drawn = tellerOf(page);
    equal(await drawn("document.body.className = 'dark'"), 'the page: black background');
    equal(await drawn("p.style.color = 'red'"), 'paragraph [ref=e1]: red text');
  },

  // [tool.snapshot.restyled]
  'a link that has come is more than where the focus is': async (page) => {
    await shown(page, '<style>.on { background: red }</style><button id="b">Go</button>');
    const drawn = tellerOf(page);
    equal(await drawn("b.className = 'on'; b.insertAdjacentHTML('afterend', '<a href=\"#x\">Up</a>')"), undefined);
  },

  // [tool.snapshot.restyled]
  'what was chosen in a menu that has closed is told': async (page) => {
    await shown(
      page,
      '<button id="b">Font</button><ul role="menu" id="m"><li role="menuitem" tabindex="-1">Fixed</li></ul><p id="p">Words</p>',
    );
    const drawn = tellerOf(page);
    equal(
      await drawn("m.remove(); b.focus(); p.style.fontFamily = 'monospace'"),
      'paragraph [ref=e4]: text in monospace',
    );
  },

  // [tool.snapshot.restyled]
  'a thing that keys or buttons move is told by how far': async (page) => {
    await shown(
      page,
      `<div id="b" role="img" aria-label="Ball" style="position:absolute; left:100px; top:50px; width:20px; height:20px"></div>`,
    );
    const drawn = tellerOf(page);
    equal(await drawn("b.style.left = '120px'"), 'img "Ball" [ref=e1]: moved by 20, 0 px');
    equal(await drawn("b.style.transform = 'translate(0, -30px)'"), 'img "Ball" [ref=e1]: moved by 0, -30 px');
    equal(await drawn("b.style.transform = 'translateX(10px)'"), 'img "Ball" [ref=e1]: moved by 10, 30 px');
    equal(await drawn("b.style.transform = 'translateX(min(1vmin, 2ch))'"), undefined); // nobody knows how far
    equal(await drawn("b.style.transform = 'translate(50%, 0)'"), undefined); // nor from where
    equal(
      await drawn("b.style.transform = 'translate(-50%, 0) rotate(90deg)'"),
      'img "Ball" [ref=e1]: turned by 90 degrees, moved by -20, 0 px',
    );
  },

  // [tool.snapshot.restyled]
  'another theme of the page is told however it comes, beside other changes too': async (page) => {
    await shown(
      page,
      `<style>:root { --back: white; --front: black } .dark, [data-theme=dark] { --back: #111; --front: #eee }
        body { background: var(--back); color: var(--front) }</style><style id="alt" media="not all">body { background: navy }</style>
      <button id="b">Dark</button><p id="p">Words</p>`,
    );
    const drawn = tellerOf(page);
    const root = 'document.documentElement';
    equal(await drawn(`${root}.className = 'dark'`), 'the page: black background, light gray text');
    equal(await drawn(`${root}.className = ''; b.textContent = 'Light'`), 'the page: white background, black text');
    equal(await drawn(`${root}.dataset.theme = 'dark'`), 'the page: black background, light gray text');
    equal(await drawn(`${root}.dataset.theme = ''`), 'the page: white background, black text');
    equal(await drawn(`${root}.style.setProperty('--back', '#fda')`), 'the page: light orange background');
    equal(await drawn("alt.media = 'all'"), 'the page: dark blue background');
    equal(await drawn(`${root}.style.fontSize = '30px'`), 'the page: text of 30 px');
    equal(await drawn("p.textContent = 'Other words'"), undefined);
    equal(
      await drawn('document.body.innerHTML = \'<main style="background: red; height: 100vh">Another view</main>\''),
      undefined,
    );
  },

  // [tool.snapshot.restyled]
  'what of a list that is drawn anew has another style is told': async (page) => {
    await shown(page, '<ul id="l"></ul>');
    const drawn = tellerOf(page);
    const draw = (chosen) => `l.innerHTML = ['Apple', 'Pear', 'Plum'].map((name, i) =>
      '<li' + (i === ${chosen} ? ' style="background: blue; color: white"' : '') + '>' + name + '</li>').join('')`;
    equal(await drawn(draw(-1)), undefined);
    equal(await drawn(draw(0)), 'listitem [ref=e2]: blue background, white text');
    equal(
      await drawn(draw(1)),
      'listitem [ref=e2]: no background, black text; listitem [ref=e3]: blue background, white text',
    );
  },

  // [tool.snapshot.restyled]
  'another picture, another drawing, and where no look tells it what was set': async (page) => {
    await shown(
      page,
      `<style>.two { columns: 2 } .slid > p { margin-left: 9px } .held { position: relative; padding: 9px } .scroll-lock { columns: 1 } .busy { cursor: wait; overflow: hidden } .shown { transform: translateY(-9px) } [data-view=list] { columns: 1 } .bar i { display: block; height: 10px; width: var(--part, 10%) }</style>
      <img id="i" alt="Photo" width="50" height="50" src="a.png"><div id="g" class="grid"><p>One</p><p>Two</p></div>
      <div id="b" class="bar"><i></i></div><div id="k" style="height: 9px"></div><svg width="100" height="100" role="img" aria-label="Chart">
        <path id="s" d="M0 0L9 9" stroke="red"/></svg><svg width="16" height="16"><path id="t" d="M0 0L9 9" stroke="red"/></svg>`,
    );
    const drawn = tellerOf(page);
    equal(await drawn("i.src = 'b.png?2'"), 'img "Photo" [ref=e1]: the picture b.png');
    equal(await drawn("s.setAttribute('d', 'M0 0L50 50')"), 'img "Chart" [ref=e4]: another drawing');
    equal(await drawn("t.setAttribute('d', 'M0 0L5 5')"), undefined);
    const { x, y } = await page.main('(({ x, y }) => ({ x, y }))(s.getBoundingClientRect())');
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + 25, y: y + 25 });
    equal(await drawn("s.setAttribute('stroke-width', 3)"), undefined); // under the mouse
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 1, y: 1 });
    equal(await drawn("s.setAttribute('stroke-width', 1)"), undefined);
    equal(await drawn("g.classList.add('slid')"), '<div id="g" class="grid slid">: class slid'); // for what is in it
    equal(await drawn("g.className = 'grid two'"), '<div id="g" class="grid two">: class two, no class slid');
    equal(await drawn("g.dataset.view = 'list'"), '<div id="g" class="grid two">: data-view=list');
    equal(await drawn("g.classList.add('unknown', 'busy', 'is-hovered'); document.body.className = 'held'"), undefined);
    equal(await drawn("document.body.className = 'scroll-lock'; k.className = 'scrollbar two'"), undefined);
    equal(
      await drawn("g.classList.add('shown')"),
      '<div id="g" class="grid two unknown busy is-hovered shown">: class shown',
    );
    equal(await drawn("b.style.setProperty('--part', '70%')"), '<div id="b" class="bar">: --part 70%');
    equal(await drawn("b.firstElementChild.style.width = '40%'"), '<div id="b" class="bar">: width 40%');
    equal(await drawn("i.classList.add('two'); i.alt = 'Other photo'"), undefined); // it has a line that tells of it
    equal(await drawn("b.style.setProperty('--mouse-x', '7px'); document.body.style.overflow = 'hidden'"), undefined);
  },
};
