// What RabbitMQ's management, calibre's server and Icinga Web have shown.
import { equal, hasNot, plain, withoutRefs } from '../expect.mjs';

const kStyle = `<style>
  .fa::before{content:"\\f005"} .gold{color:orange} li,td{cursor:pointer}
  svg{width:16px;height:16px}
</style><svg style="display:none"><symbol id="icon-star"><path d="M0 0h9v9z"/></symbol></svg>`;
const fa = (...names) => names.map((name) => `<i class="fa ${name}"></i>`).join('');
const drawn = (count) => '<svg><use href="#icon-star"></use></svg>'.repeat(count);

export default {
  // [tool.snapshot.hints] calibre's ratings
  'what is called by several icons of a kind is called by each, as they are counted': async (page) => {
    equal(
      await plain(
        page,
        `${kStyle}<ul><li>Unrated<li>${drawn(1)}<li>${drawn(3)}</ul>
        <p><a href="#a">${fa('fa-star', 'fa-star', 'fa-star-half-o')}</a> <a href="#b">${fa('fa-star gold', 'fa-star gold', 'fa-star')}</a>
        <button>${fa('fa-cog', 'fa-caret-down')}</button>`,
      ),
      `- list:
  - listitem [cursor=pointer]: Unrated
  - listitem [icon=icon-star] [cursor=pointer]
  - listitem [icon=icon-star x3] [cursor=pointer]
- paragraph:
  - link [icon=fa-star x2] [icon=fa-star-half-o]:
    - /url: "#a"
  - link [icon=fa-star orange x2] [icon=fa-star blue]:
    - /url: "#b"
  - button [icon=fa-cog]`,
    );
  },

  // [tool.snapshot.icons.controls]
  'the stars of a rating are told in a control that has words too': async (page) => {
    equal(
      await plain(
        page,
        `${kStyle}<button>${fa('fa-star', 'fa-star', 'fa-star-o')} 12 reviews</button> <button>${fa('fa-star')} Star</button>`,
      ),
      '- button "12 reviews" [icon=fa-star x2] [icon=fa-star-o]\n- button "Star"',
    );
  },

  // [tool.snapshot.marks] RabbitMQ's sections, and the accordions that pages write by hand
  'what can be clicked and has closed what comes after it is collapsed': async (page) => {
    const html = `<style>h2,.q{cursor:pointer} .faq .a,.panel{max-height:0;overflow:hidden} .faq.open .a{max-height:none}</style>
      <div><h2>Totals</h2><div id="totals">Idle</div></div><div><h2>Churn</h2><div id="churn" style="display:none">None</div></div>
      <div class="faq open"><div class="q">How?</div><div class="a"><p>So.</div></div>
      <div class="faq"><div class="q">Why?</div><div class="a"><p>Because.</div></div>
      <h3><a href="#">More</a></h3><div hidden>All</div><h3><a href="/post">Post</a></h3><div hidden>Share</div>
      <button class="accordion">One</button><div class="panel"><p>Panel</div><button>Save</button><div hidden>Failed</div>
      <h2>Plans</h2><script>1</script><h2 aria-expanded="false">Told</h2><div hidden>Told</div>`;
    const collapsed = (yaml) =>
      [...yaml.matchAll(/- (\w+)(?: "(\w+)")?.*\[collapsed\].*?(?:: (\S+))?$/gm)].map((m) => m[2] ?? m[3]);
    equal(collapsed(await plain(page, html)).join(), 'Churn,Why?,More,One');
    await page.main(
      `totals.style.display = 'none'; churn.style.display = ''; document.querySelectorAll('.faq')[1].classList.add('open')`,
    );
    equal(
      withoutRefs(await page.yaml({ mode: 'delta' })),
      `- heading "Totals" [level=2] [collapsed] [cursor=pointer]
- heading "Churn" [level=2] [cursor=pointer]
- generic: None
- generic [cursor=pointer]: Why?
- paragraph: Because.
- removed: "generic: Idle"`,
    );
  },

  // [tool.snapshot.hints] calibre's ratings, the menus of WordPress
  'a class that begins with the state tells it of one among others': async (page) => {
    const html = (names) =>
      `<style>li{cursor:pointer}</style><ul>${names.map((name, i) => `<li class="${name}">L${i}</li>`).join('')}</ul>`;
    equal(
      await plain(page, html(['menu-item', 'menu-item current-menu-item', 'active-users', 'current-rating'])),
      `- list:
  - listitem [cursor=pointer]: L0
  - listitem [class=current-menu-item] [cursor=pointer]: L1
  - listitem [cursor=pointer]: L2
  - listitem [class=current-rating] [cursor=pointer]: L3`,
    );
    await page.main(
      `document.querySelectorAll('li')[3].className = ''; document.querySelectorAll('li')[0].className = 'current-rating'`,
    );
    equal(
      withoutRefs(await page.yaml({ mode: 'delta' })),
      `- list:
  - listitem [class=current-rating] [cursor=pointer]: L0
  - listitem [cursor=pointer]: L3`,
    );
    hasNot(await plain(page, html(['selected-item', 'selected-item'])), 'class=');
  },

  // [tool.snapshot.hints] Icinga's switches
  'a class that only hides a control from sight is no word for it': async (page) => {
    const box = (name) =>
      `<input type="checkbox" class="${name}" id="f-123abc"><label for="f-123abc" aria-hidden="true"><span></span></label>`;
    equal(await plain(page, box('sr-only')), '- checkbox');
    equal(await plain(page, box('visually-hidden tick')), '- checkbox [class=tick]');
  },

  // [tool.snapshot.icons.controls] Icinga's switches
  'a switch that a label draws says its state once, disabled too': async (page) => {
    const slider = (state) =>
      `<div><input type="checkbox" id="a" style="position:absolute;opacity:0" ${state}><label for="a" aria-hidden="true" style="display:inline-block;width:34px;height:18px;position:relative"><span style="position:absolute;inset:0;border-radius:9px;background:#0ce"></span></label></div>`;
    equal(await plain(page, slider('checked')), '- checkbox [checked]');
    equal(await plain(page, slider('checked disabled')), '- checkbox [checked] [disabled]');
  },

  // [tool.target] calibre's questions
  'of several matches one in the dialog that lies over the first is taken': async (page) => {
    const dialog = (style) =>
      `<div style="position:fixed;inset:0;background:#fff;${style}"><button id="in">OK</button></div>`;
    const taken = async (style) => {
      await page.load(`<!doctype html><h1 id="title">A book</h1><p>OK then</p>${dialog(style)}`);
      return page.raw('__bridle.element({ target: "text=ok" }).id');
    };
    equal(await taken(''), 'in');
    equal(await taken('top:400px'), 'title'); // nothing lies over it
    await page.load(
      `<!doctype html><h1 id="title">A book</h1><p>OK then</p><div style="position:fixed;inset:0;background:#fff"></div>`,
    );
    equal(await page.raw('__bridle.element({ target: "text=ok" }).id'), 'title');
  },
};
