// What RabbitMQ's management, calibre's server and Icinga Web have shown.
import { equal, shown } from '../expect.mjs';

const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');
const plain = async (page, html) => withoutRefs(await shown(page, html));

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
};
