// Contract: [tool.screenshot.marks]
import { equal, ok, refOf, same, shown } from '../expect.mjs';

const page1 = `<style>body{margin:0} button,div{position:absolute;margin:0;border:0;padding:0;width:100px;height:40px}</style>
  <button style="left:20px;top:30px">seen</button>
  <button style="left:200px;top:30px">under</button><div style="left:190px;top:20px;width:200px;height:100px;background:#fff"></div>
  <button style="left:20px;top:700px">edge</button><button style="left:20px;top:900px">below</button>
  <div style="left:400px;top:30px;overflow:hidden"><button style="left:60px;top:0">cut</button></div>
  <button style="left:600px;top:30px;pointer-events:none">untouchable</button>
  <button style="left:800px;top:30px;visibility:hidden">hidden</button>`;

// What the picture has at each point, decoded by the page.
const colours = (page, type, data, points) =>
  page.main(`(async () => {
    const image = new Image();
    image.src = 'data:${type};base64,${data}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const paint = canvas.getContext('2d');
    paint.drawImage(image, 0, 0);
    return ${JSON.stringify(points)}.map(([x, y]) => [...paint.getImageData(x, y, 1, 1).data].join());
  })()`);

export default {
  'a colour is that of the background, or else of the outline or the border': async (page) => {
    await page.load('<!doctype html><p>p</p>');
    const colour = async (style) => (await page.call('colourOfStyle', { style })).colour;
    const red = { red: 255, green: 0, blue: 0, alpha: 1 };
    same(await colour('outline: 2px dashed red; color: blue'), red);
    same(await colour('border: 1px solid red'), red);
    same(await colour('outline: 2px solid blue; background: red'), red);
    equal((await colour('background-color: #00ff0080')).alpha.toFixed(1), '0.5');
    for (const none of ['', 'display: none', 'background: url(x.png)', '} p { color: red'])
      equal(await colour(none), null, none);
  },
  'the boxes of what has a ref and is seen, as far as it is': async (page) => {
    const yaml = await shown(page, page1);
    const { marks, more } = await page.call('marks');
    equal(more, 0);
    const box = (name) => marks.find(({ label }) => label === refOf(yaml, `"${name}"`));
    same(box('seen'), { label: refOf(yaml, '"seen"'), x: 20, y: 30, width: 100, height: 40 });
    equal(box('under'), undefined);
    equal(box('below'), undefined);
    same(box('edge'), { label: refOf(yaml, '"edge"'), x: 20, y: 700, width: 100, height: 20 });
    same(box('cut'), { label: refOf(yaml, '"cut"'), x: 460, y: 30, width: 40, height: 40 });
    ok(box('untouchable'));
    ok(marks.every(({ width, height }) => width >= 1 && height >= 1));
    const beyond = (await page.call('marks', { beyond: true })).marks;
    same(beyond.find(({ label }) => label === refOf(yaml, '"below"')).y, 900);
  },

  'what has gone has no mark; of very many elements there are 500': async (page) => {
    await shown(page, page1);
    await page.main('document.querySelector("button").remove()');
    const before = (await page.call('marks')).marks.length;
    await shown(
      page,
      `<style>button{width:20px;height:12px;padding:0;margin:0;border:0;font-size:6px}</style>${'<button>x</button>'.repeat(620)}`,
    );
    const { marks, more } = await page.call('marks');
    equal(before, 3);
    equal(marks.length, 500);
    equal(more, 120);
  },

  'boxes are drawn with labels, at the scale of the picture': async (page) => {
    await page.load('<!doctype html><style>body{margin:0;background:#fff}</style>');
    const html = await page.main('document.documentElement.outerHTML');
    const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
    const boxes = [
      { label: 'e1', x: 200, y: 100, width: 100, height: 60 },
      { label: 'f1e22', x: 0, y: 0, width: 80, height: 60 },
    ];
    // The picture of 1280 px shows 640 px of the page.
    const drawn = await page.call('drawMarks', { data, type: 'image/png', boxes, width: 640 });
    const seen = await colours(page, 'image/png', drawn.data, [
      [500, 200], // the upper edge
      [400, 260], // the left one
      [401, 189], // the label, above it
      [500, 260], // within
      [1000, 600], // beside
      [1, 5], // a label that has no room above
    ]);
    equal(seen[0], '194,24,91,255');
    equal(seen[1], '194,24,91,255');
    equal(seen[2], '194,24,91,255');
    equal(seen[3], '255,255,255,255');
    equal(seen[4], '255,255,255,255');
    equal(seen[5], '21,101,192,255');
    equal(await page.main('document.documentElement.outerHTML'), html);
  },
};
