// The slides of a carousel that its box clips are marked, and a delta tells which came into view [tool.snapshot.clipped].
import { equal, has, hasNot, ok, plain, refOf, same, shown, until } from '../expect.mjs';

const kBox = 'position:relative;width:300px;height:100px;overflow:hidden';

// A carousel of 6 slides of a group each. `at`: the style of each slide; `strip`: that of the element that moves.
const carousel = ({ box = kBox, strip = 'display:flex', at = () => 'flex:0 0 300px', count = 6, what = null } = {}) =>
  `<style>body{margin:0}</style><h1>Gallery</h1><div id="box" style="${box}"><div id="strip" style="${strip}">${Array.from(
    { length: count },
    (_, i) =>
      `<div class="slide" role="group" aria-label="${i + 1} / ${count}" style="height:100px;${at(i)}">${what?.(i) ?? `Slide ${i + 1}`}</div>`,
  ).join('')}</div></div><button id="next">Next</button>`;

// Those of the lines that are marked, by the numbers of their slides.
const clippedIn = (yaml) =>
  [...yaml.matchAll(/"(\d+) \/ \d+"[^\n]*\[clipped\]/g)].map(([, n]) => Number(n)).sort((a, b) => a - b);
const slidesIn = (yaml) => [...yaml.matchAll(/Slide (\d+)/g)].map(([, n]) => Number(n));

// The delta after a change that shows slide 2 in the place of slide 1.
async function showsSecond(page, change) {
  await page.main(change);
  const delta = await page.yaml({ mode: 'delta' });
  has(delta, /group "2 \/ 6" \[ref=e\d+\]: Slide 2/);
  has(delta, /group "1 \/ 6" \[ref=e\d+\] \[clipped\]\n|group "1 \/ 6" \[ref=e\d+\] \[clipped\]$/);
  hasNot(delta, /[3-6] \/ 6/);
  same(clippedIn(await page.yaml()), [1, 3, 4, 5, 6]);
}

export default {
  // [tool.snapshot.marks] AG Grid's filter, Material Web's select
  'a list is not off-screen that shows some of its options, wherever the middle of its own box is': async (page) => {
    const options = ['Ann', 'Ben'].map((name) => `<div role="option" style="height:30px">${name}</div>`).join('');
    const text = await plain(
      page,
      `<div style="height:80px;width:200px;overflow:hidden"><div role="listbox" tabindex="0" aria-label="Tall" style="height:900px">${options}</div></div>
      <div style="height:80px;width:200px;overflow:hidden;position:relative"><div role="listbox" tabindex="0" aria-label="Away" style="position:absolute;top:100px;height:400px">${options}</div></div>`,
    );
    has(text, /listbox "Tall"( \[ref=e\d+\])?:$/m);
    has(text, 'listbox "Away" [off-screen]');
  },

  'a strip that is moved by transform': async (page) => {
    const yaml = await shown(page, carousel({ strip: 'display:flex;transform:translateX(0)' }));
    same(clippedIn(yaml), [2, 3, 4, 5, 6]);
    same(slidesIn(yaml), [1, 2, 3, 4, 5, 6]);
    hasNot(yaml, 'invisible');
    await showsSecond(page, `strip.style.transform = 'translateX(-300px)'`);
  },

  'the last slide of a strip': async (page) => {
    const yaml = await shown(page, carousel({ strip: 'display:flex;transform:translateX(-1500px)' }));
    same(clippedIn(yaml), [1, 2, 3, 4, 5]);
    same(slidesIn(yaml), [1, 2, 3, 4, 5, 6]);
  },

  'a strip that is moved by its left': async (page) => {
    same(
      clippedIn(await shown(page, carousel({ strip: 'display:flex;position:absolute;left:0;width:1800px' }))),
      [2, 3, 4, 5, 6],
    );
    await showsSecond(page, `strip.style.left = '-300px'`);
  },

  'a strip that is moved by its margin': async (page) => {
    same(clippedIn(await shown(page, carousel())), [2, 3, 4, 5, 6]);
    await showsSecond(page, `strip.style.marginLeft = '-300px'`);
  },

  'a strip that is scrolled by script alone': async (page) => {
    same(clippedIn(await shown(page, carousel())), [2, 3, 4, 5, 6]);
    await showsSecond(page, `box.scrollLeft = 300`);
  },

  'a vertical strip': async (page) => {
    const yaml = await shown(page, carousel({ strip: 'transform:translateY(0)', at: () => 'width:300px' }));
    same(clippedIn(yaml), [2, 3, 4, 5, 6]);
    await showsSecond(page, `strip.style.transform = 'translateY(-100px)'`);
  },

  'slides that have a place each': async (page) => {
    const at = (i) => `position:absolute;top:0;width:300px;transform:translateX(${i * 300}px)`;
    same(clippedIn(await shown(page, carousel({ strip: '', at }))), [2, 3, 4, 5, 6]);
    await showsSecond(
      page,
      `[...strip.children].forEach((el, i) => (el.style.transform = 'translateX(' + (i - 1) * 300 + 'px)'))`,
    );
  },

  'a strip whose style is a class of what is around it': async (page) => {
    await shown(page, carousel() + '<style>.second #strip{transform:translateX(-300px)}</style>');
    await showsSecond(page, `document.body.className = 'second'`);
  },

  'slides in a slot': async (page) => {
    await shown(
      page,
      `<div id="host">${Array.from({ length: 6 }, (_, i) => `<div role="group" aria-label="${i + 1} / 6" style="flex:0 0 300px;height:50px">Slide ${i + 1}</div>`).join('')}</div>
      <script>
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<div style="${kBox}"><div style="display:flex"><slot></slot></div></div>';
        self.strip = root.firstChild.firstChild;
      </script>`,
    );
    await showsSecond(page, `self.strip.style.transform = 'translateX(-300px)'`);
  },

  // The one that left at the front is put behind the last: Swiper's loop.
  'slides that are put in another order': async (page) => {
    await shown(page, carousel({ strip: 'display:flex;transform:translateX(-300px)' }));
    await page.main(`strip.append(strip.firstElementChild)`);
    const delta = await page.yaml({ mode: 'delta' });
    has(delta, /group "3 \/ 6" \[ref=e\d+\]: Slide 3/);
    has(delta, /group "2 \/ 6" \[ref=e\d+\] \[clipped\]/);
    same(clippedIn(await page.yaml()), [1, 2, 4, 5, 6]);
  },

  // Slick's loop has copies at both ends.
  'slides that are cloned': async (page) => {
    await shown(page, carousel({ strip: 'display:flex;transform:translateX(-300px)' }));
    await page.main(
      `strip.prepend(strip.lastElementChild.cloneNode(true)); strip.append(strip.children[1].cloneNode(true))`,
    );
    same(
      clippedIn(await page.yaml()),
      [1, 2, 3, 4, 5, 6, 6]
        .filter((n, i) => i > 0)
        .concat(1)
        .sort((a, b) => a - b),
    );
  },

  'what is seen in part is not clipped': async (page) => {
    const yaml = await shown(page, carousel({ at: () => 'flex:0 0 120px' }));
    same(clippedIn(yaml), [4, 5, 6]);
    await page.main(`strip.style.transform = 'translateX(-110px)'`);
    const delta = await page.yaml({ mode: 'delta' });
    has(delta, /group "4 \/ 6" \[ref=e\d+\]: Slide 4/);
    hasNot(delta, '1 / 6');
    await page.main(`strip.style.transform = 'translateX(-120px)'`);
    has(await page.yaml({ mode: 'delta' }), /group "1 \/ 6" \[ref=e\d+\] \[clipped\]/);
  },

  'only the slide is marked, and what comes into view is told with all that it holds': async (page) => {
    const what = (i) => `<div><h3>Product ${i}</h3><p>Costs ${i} euros</p><a href="#p${i}">Buy ${i}</a></div>`;
    const yaml = await shown(page, carousel({ what }));
    equal(yaml.split('[clipped]').length - 1, 5);
    await page.main(`strip.style.transform = 'translateX(-300px)'`);
    const delta = await page.yaml({ mode: 'delta' });
    for (const part of ['Product 1', 'Costs 1 euros', 'Buy 1']) has(delta, part);
    hasNot(delta, 'Product 0');
  },

  'slides without a role': async (page) => {
    const slides = (inner) =>
      `<style>body{margin:0} li{flex:0 0 300px;height:90px;list-style:none}</style><div style="${kBox}"><ul id="strip" role="presentation" style="display:flex;margin:0;padding:0">${[
        1, 2, 3,
      ]
        .map((n) => `<li role="presentation">${inner(n)}</li>`)
        .join('')}</ul></div>`;
    const yaml = await shown(
      page,
      slides((n) => `<img alt="Picture ${n}" width="50" height="50">`),
    );
    has(yaml, /img "Picture 1" \[ref=e\d+\]\n/);
    has(yaml, /img "Picture 2" \[ref=e\d+\] \[clipped\]/);
    await page.main(`strip.style.transform = 'translateX(-300px)'`);
    const delta = await page.yaml({ mode: 'delta' });
    has(delta, /img "Picture 2" \[ref=e\d+\](\n|$)/);
    has(delta, /img "Picture 1" \[ref=e\d+\] \[clipped\]/);
    const texts = await shown(
      page,
      slides((n) => `Words ${n}`),
    );
    has(texts, /\[clipped\]: Words 2/);
    await page.main(`strip.style.transform = 'translateX(-600px)'`);
    has(await page.yaml({ mode: 'delta' }), /generic \[ref=e\d+\]: Words 3/);
  },

  'a carousel within a slide': async (page) => {
    const what = (i) =>
      i === 0
        ? `<div style="width:200px;overflow:hidden"><div id="inner" style="display:flex">${['A', 'B', 'C'].map((n) => `<div role="group" aria-label="${n}" style="flex:0 0 200px;height:50px">In ${n}</div>`).join('')}</div></div>`
        : `Slide ${i + 1}`;
    const yaml = await shown(page, carousel({ what }));
    has(yaml, /group "A" \[ref=e\d+\]: In A/);
    has(yaml, /group "B" \[ref=e\d+\] \[clipped\]/);
    await page.main(`inner.style.transform = 'translateX(-200px)'`);
    has(await page.yaml({ mode: 'delta' }), /group "B" \[ref=e\d+\]: In B/);
  },

  'the box is made as large as all of it, and small again': async (page) => {
    await shown(page, carousel({ count: 3, at: () => 'flex:0 0 100px', box: kBox.replace('300px', '100px') }));
    await page.main(`box.style.width = '300px'`);
    const delta = await page.yaml({ mode: 'delta' });
    same(slidesIn(delta), [2, 3]);
    await page.main(`box.style.overflow = 'visible'; box.style.width = '100px'`);
    has(await page.yaml({ mode: 'delta' }), 'no changes');
    await page.main(`box.style.overflow = 'clip'`);
    same(clippedIn(await page.yaml({ mode: 'delta' })), [2, 3]);
  },

  'a transition is over when its slide is told': async (page) => {
    await shown(
      page,
      carousel({ strip: 'display:flex;transition:transform 80ms' }) +
        `<script>next.onclick = () => (strip.style.transform = 'translateX(-300px)')</script>`,
    );
    await page.main(`next.click()`);
    await until(page, 'strip.getAnimations().length === 0 && strip.getBoundingClientRect().x === -300');
    has(await page.yaml({ mode: 'delta' }), /group "2 \/ 6" \[ref=e\d+\]: Slide 2/);
  },

  // By its left, or the short way that is left after a drag. What else moves as little is not waited for.
  'the motion of a track is waited for [nav.after-action.timers]': async (page) => {
    const motionOf = async (strip, html, change) => {
      await shown(page, html ?? carousel({ strip }));
      await page.call('watchAction');
      await page.main(`document.body.offsetWidth; ${change}; document.getAnimations().length`);
      return (await page.call('frames', { n: 1 })).motion;
    };
    const byLeft = 'display:flex;position:absolute;left:0;width:1800px;transition:left 900s';
    ok((await motionOf(byLeft, null, `strip.style.left = '-300px'`)) > 0);
    const dragged = 'display:flex;transform:translateX(-200px);transition:transform 900s';
    ok((await motionOf(dragged, null, `strip.style.transform = 'translateX(-300px)'`)) > 0);
    const card = `<div style="overflow:hidden;width:300px"><div id="strip" style="transition:transform 900s"><p>Words</p></div></div>`;
    equal(await motionOf('', card, `strip.style.transform = 'translateX(-20px)'`), 0);
  },

  // A frame has the time at which it was due, which may be before the input.
  'a motion that begins in a frame which was due before the input is waited for [nav.after-action.timers]': async (
    page,
  ) => {
    await shown(page, carousel());
    await page.call('watchAction');
    await page.main(`(() => {
      const motion = strip.animate({ transform: ['none', 'translateX(-300px)'] }, 900000);
      motion.startTime = document.timeline.currentTime - 500;
    })()`);
    ok((await page.call('frames', { n: 1 })).motion > 0);
    await page.call('watchAction');
    equal((await page.call('frames', { n: 1 })).motion, 0);
  },

  // Each of these has what lies outside of a box, and none is a slide of a carousel.
  'nothing else is marked': async (page) => {
    const items = (n, style, tag = 'div') =>
      Array.from({ length: n }, (_, i) => `<${tag} class="i" style="${style}">Item ${i}</${tag}>`).join('');
    const kOthers = {
      'a box that scrolls': carousel({ box: kBox.replace('hidden', 'auto') }),
      'a box that scrolls in that direction': carousel({ box: `${kBox};overflow-x:scroll` }),
      'text for assistive technology': `<div style="position:absolute;width:1px;height:1px;overflow:hidden">${items(3, '')}</div>`,
      'a closed accordion': `<div style="height:0;overflow:hidden">${items(3, 'height:40px')}</div>`,
      'a text that is cut short': `<div style="height:50px;overflow:hidden">${items(8, 'height:40px', 'p')}</div>`,
      'a menu beside the page': `<div style="${kBox};height:90vh;width:auto"><nav style="position:absolute;left:-250px;width:250px"><a href="/a">Home</a></nav><main><p>Words</p></main></div>`,
      'a table': `<div style="${kBox}"><table><tr>${items(8, 'min-width:100px', 'td')}</tr></table></div>`,
      'the columns of a grid': `<div role="grid" style="${kBox}"><div role="row" style="display:flex">${items(8, 'flex:0 0 100px').replaceAll('class="i"', 'role="columnheader"')}</div></div>`,
      'very many rows': `<div style="${kBox}"><div style="transform:translateY(0)">${items(3000, 'height:40px')}</div></div>`,
      'what is positioned beyond the box': `<div style="${kBox};position:static"><div>${items(4, 'position:absolute;top:200px;width:50px;height:40px')}</div></div>`,
      'a banner that runs for ever': `<style>@keyframes run{to{transform:translateX(-600px)}}</style>${carousel({ strip: 'display:flex;animation:run 9s linear infinite' })}`,
      'small signs': `<div style="height:20px;width:20px;overflow:hidden"><div style="transform:translateY(-20px)">${items(5, 'height:20px')}</div></div>`,
    };
    for (const [what, html] of Object.entries(kOthers)) hasNot(`${what}:\n${await shown(page, html)}`, 'clipped');
  },

  'text for assistive technology in a slide that is clipped stays what it is': async (page) => {
    const what = (i) => `Slide ${i + 1}<span style="position:absolute;left:-9999px">HID</span>`;
    hasNot(await shown(page, carousel({ what, at: () => 'flex:0 0 300px;position:relative' })), 'HID');
  },

  'find tells that a match is clipped': async (page) => {
    const yaml = await shown(page, carousel());
    const { yaml: found, lines } = await page.call('find', { refStart: page.next, text: 'Slide 4', limit: 5 });
    has(JSON.stringify(found ?? lines), 'clipped');
    equal(typeof refOf(yaml, '4 / 6'), 'string');
  },
};
