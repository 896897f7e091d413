// Boxes that are drawn half ticked, as some of what is below them is chosen [tool.snapshot.half].
import { delta, equal, has, plain } from '../expect.mjs';

const kStyle =
  '<style>i { display: inline-block; width: 16px; height: 16px; background: #ccc } .x-indeterminate i, i.x-undetermined { background: #666 } .box input { opacity: 0; position: absolute }</style>';

export default {
  // Ant Design, Element Plus and MUI draw it by a class of the box around the input.
  'a checkbox whose box says so by its class, or whose input by aria-checked': async (page) => {
    const box = (classes, attributes = '') =>
      `<label><span class="box ${classes}"><input type="checkbox" ${attributes}><i></i></span>All</label>`;
    const yaml = await plain(
      page,
      kStyle +
        box('x') +
        box('x-indeterminate') +
        box('is-indeterminate', 'checked') +
        box('x', 'aria-checked="mixed"') +
        box('x-not-indeterminate'),
    );
    equal(
      yaml,
      ['', ' [checked=mixed]', ' [checked=mixed]', ' [checked=mixed]', '']
        .map((state) => `- checkbox "All"${state}`)
        .join('\n'),
    );
    const told = await delta(page, 'document.querySelector("span").className = "box x-indeterminate"');
    equal(told, '- checkbox "All" [checked=mixed]');
  },

  'a made checkbox that says by its class what its author left out': async (page) => {
    const one = (classes) => `<div role="checkbox" tabindex="0" aria-label="A" class="${classes}">x</div>`;
    equal(
      await plain(page, one('x-half-checked') + one('x-checked') + one('x')),
      '- checkbox "A" [checked=mixed]: x\n- checkbox "A" [checked]: x\n- checkbox "A": x',
    );
  },

  // jsTree and rc-tree
  'an item of a tree by the box that is drawn before its words': async (page) => {
    const item = (classes) =>
      `<li role="none"><a role="treeitem" tabindex="-1" href="#"><i class="x-checkbox ${classes}" role="presentation"></i>Root</a></li>`;
    equal(
      await plain(page, `${kStyle}<ul role="tree">${item('x-undetermined')}${item('')}</ul>`),
      '- tree:\n  - treeitem "Root" [checked=mixed]\n  - treeitem "Root"',
    );
    has(
      await delta(page, 'document.querySelectorAll("i")[1].className = "x-checkbox x-undetermined"'),
      'treeitem "Root" [checked=mixed]',
    );
    const drawn = (classes) =>
      `<div role="treeitem" aria-label="B"><span class="x-checkbox ${classes}" style="cursor: pointer; display: inline-block; width: 13px; height: 13px; background: #06c"></span><span>B</span></div>`;
    has(
      await plain(page, `<div role="tree">${drawn('x-checkbox-indeterminate')}</div>`),
      'treeitem "B" [checked=mixed]',
    );
  },
};
