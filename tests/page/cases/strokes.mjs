// Signs that the strokes of an icon draw whose markup calls it nothing.
import { equal, has, hasNot, plain } from '../expect.mjs';

export default {
  // [tool.snapshot.hints] The icons of Heroicons, Feather, Lucide and Tabler, pasted into the markup as they are
  'a button of a drawing that nobody has named is called by what its strokes draw': async (page) => {
    const style = '<style>svg { fill: none; stroke: currentColor; width: 20px; height: 20px }</style>';
    const svg = (inner, more = '') => `<svg viewBox="0 0 24 24" ${more}>${inner}</svg>`;
    const path = (d, more) => svg(`<path d="${d}"/>`, more);
    const signs = [
      [path('M6 18L18 6M6 6l12 12'), 'cross'],
      [svg('<line x1="18" y1="6" x2="6" y2="18"/><line x1="6" y1="6" x2="18" y2="18"/>'), 'cross'],
      [path('M5 13l4 4L19 7'), 'tick'],
      [svg('<polyline points="20 6 9 17 4 12"/>'), 'tick'],
      [path('m19 9-7 7-7-7'), 'chevron down'],
      [path('m19 9-7 7-7-7', 'style="transform: rotate(180deg)"'), 'chevron up'],
      [svg('<path d="M0 0h24v24H0z" style="stroke: none"/><path d="M15 6l-6 6l6 6"/>'), 'chevron left'],
      [path('M10 19l-7-7m0 0l7-7m-7 7h18'), 'arrow left'],
      [svg('<path d="M5 12h14"/><path d="m12 5 7 7-7 7"/>'), 'arrow right'],
      [path('M12 4v16m8-8H4'), 'plus'],
      [path('M5 12h14'), 'minus'],
      [path('M4 6h16M4 12h16M4 18h16'), 'three lines'],
      [
        svg('<circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/><circle cx="5" cy="12" r="1"/>'),
        'three dots',
      ],
      [path('M21 21l-6-6m2-5a7 7 0 11-14 0 7 7 0 0114 0z'), 'magnifier'],
    ];
    for (const [drawing, sign] of signs)
      equal(await plain(page, `${style}<button>${drawing}</button>`), `- button [looks=${sign}]`);
    const bin =
      'M19 7l-.867 12.142A2 2 0 0116.138 21H7.862a2 2 0 01-1.995-1.858L5 7m5 4v6m4-6v6m1-10V4a1 1 0 00-1-1h-4';
    const cross = signs[0][0];
    equal(await plain(page, `${style}<button>${path(bin)}</button>`), '- button');
    equal(await plain(page, `${style}<button id="shut">${cross}</button>`), '- button [looks=cross] [id=shut]');
    equal(await plain(page, `${style}<button aria-label="Close">${cross}</button>`), '- button "Close"');
    has(await plain(page, `${style}<p>Text</p><div style="cursor: pointer">${cross}</div>`), 'generic [looks=cross]');
  },

  // [tool.snapshot.icons.controls]
  'a tick that only one of several items alike has is told': async (page) => {
    const tick =
      '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="black"><path d="M5 13l4 4L19 7"/></svg>';
    const item = (name, more = '') => `<button>${name}${more}</button>`;
    const html = `<div>${item('Full', tick)}${item('Half')}${item('None')}</div>`;
    equal(await plain(page, html), '- button "Full" [looks=tick]\n- button "Half"\n- button "None"');
    hasNot(await plain(page, `<p>Text</p>${item('Done', tick)}`), 'tick');
    hasNot(await plain(page, `<div>${item('Save', tick)}${item('Apply', tick)}</div>`), 'tick');
    const link = (name, more = '') => `<li><a href="#x">${name}${more}</a></li>`;
    has(await plain(page, `<ul>${link('One')}${link('Two', tick)}</ul>`), 'link "Two" [looks=tick]');
  },

  // [tool.snapshot.hints] Payload
  'the class of the drawing comes before that of the button around it': async (page) => {
    const button = (name) =>
      `<button class="btn condition__${name} btn--style-icon-label"><span><svg class="icon icon--${name}" width="20" height="20">
      <path d="M1 1h9v9z"/></svg></span></button>`;
    equal(await plain(page, button('x') + button('plus')), '- button [icon=icon--x]\n- button [icon=icon--plus]');
  },
};
