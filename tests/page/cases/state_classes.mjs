// What a class says of a state, and what only of the mouse or of a course that is under way, and what has its own place to
// press in a part of a field: [tool.snapshot.hints] [tool.snapshot.pointers] [tool.snapshot.quiet].
import { delta, equal, has, hasNot, plain, refOf, shown } from '../expect.mjs';

const cross = '<svg width=10 height=10 viewBox="0 0 10 10"><path d="M1 1L9 9M9 1L1 9" stroke=black></svg>';

export default {
  'an item that is one line with its text or its link keeps its own state': async (page) => {
    const told = await plain(
      page,
      `<style>li div{cursor:pointer;width:60px} .cell-selected div{background:#cef}</style>
      <ul><li class=cell><div>00</div><li class="cell cell-selected"><div>01</div><li class=cell><div>02</div></ul>
      <div role=menu><div role=menuitem class=item><a href="/a">One</a></div>
      <div role=menuitem class="item active"><a href="/b">Two</a></div></div>`,
    );
    has(told, '- listitem [class=cell-selected] [cursor=pointer]: "01"');
    has(told, '- listitem [cursor=pointer]: "02"');
    has(told, 'menuitem "One":');
    has(told, 'menuitem "Two" [class=active]');
  },

  'a class that says where the mouse is is no state of a cell or a row': async (page) => {
    const row = (name, cell, line = '') =>
      `<tr class="${line}"><td class="${cell}">${name}</td><td class="${cell}">${name} Street</td></tr>`;
    const told = await plain(
      page,
      `<style>.c-row-hover{background:#eee} .found{background:#ff0} .line-hover{background:#eee}</style><table><tbody>
      ${row('Ada', 'c')}${row('Bob', 'c c-row-hover')}${row('Cyd', 'c')}${row('Dan', 'c found')}${row('Eve', 'c')}</table>
      <table><tbody>${row('Fay', 'c', 'line')}${row('Gus', 'c', 'line line-hover')}${row('Hal', 'c', 'line')}</table>`,
    );
    hasNot(told, 'hover');
    has(told, 'cell "Dan" [class=found]');
  },

  'a class that says which course of a transition is under way is no state': async (page) => {
    hasNot(
      await plain(
        page,
        `<p class="help help-appear help-appear-active" title=x>Name is required</p><div class="show-help-enter-active m">Too short</div>
        <button class="fade-leave-active">Close</button><div class="exit-active m">Saved</div>`,
      ),
      'class=',
    );
  },

  'what removes a chip has a place of its own in a field that opens wherever it is clicked': async (page) => {
    const told = await shown(
      page,
      `<style>.sel{cursor:pointer} .chip{display:inline-flex;cursor:default} .rm{cursor:pointer}</style>
      <div class=sel><span><span class=chip title=green><span>green</span><span class=rm aria-hidden=true><span role=img
      aria-label=close class="anticon anticon-close">${cross}</span></span></span><input role=combobox aria-label=More></span></div>`,
    );
    has(told, /generic "green" \[ref=e\d+\]:\n +- generic \[ref=e\d+\] \[icon=anticon-close\] \[cursor=pointer\]/);
    refOf(told, 'anticon-close');
  },

  'a button that is hidden from readers stays a button where it is scrolled away or disabled': async (page) => {
    const told = await shown(
      page,
      `<button aria-hidden=true aria-label=Upload>Upload</button><button aria-hidden=true disabled style="pointer-events:none">Cancel</button>
      <p style="height:3000px">long</p><button aria-hidden=true>Below</button>`,
    );
    for (const name of ['Upload', 'Cancel', 'Below']) has(told, `button "${name}"`);
    hasNot(await delta(page, 'scrollTo(0, 900)'), 'inert');
  },

  'the box and the words that a component draws around a field to tick in its slot are no targets of their own': async (
    page,
  ) => {
    const told = await plain(
      page,
      `<style>x-tick{display:block}</style><x-tick><label slot=label for=tick>Agree</label><input slot=input id=tick type=checkbox></x-tick>
      <div style="cursor:pointer"><label for=other>Sync</label></div><input type=checkbox id=other><p>rest</p>
      <script>document.querySelector('x-tick').attachShadow({ mode: 'open' }).innerHTML = \`<style>.c{display:grid;grid-template-columns:auto 1fr}
      .box,::slotted(input){grid-row:1;grid-column:1;width:18px;height:18px;cursor:pointer;margin:0} .box{background:#ddd}
      ::slotted(input){opacity:0} [part=label]{cursor:pointer}</style><div class=c><div part=checkbox class=box aria-hidden=true></div><slot
      name=input></slot><div part=label><slot name=label></slot><div part=star></div></div></div>\`</script>`,
    );
    equal(told, '- checkbox "Agree"\n- checkbox "Sync"\n- paragraph: rest');
  },

  'what shades the page within the component of a dialog has no line': async (page) => {
    const told = await plain(
      page,
      `<p>page</p><x-over role=dialog aria-label=Sure style="position:fixed;inset:0"><button>Yes</button></x-over>
      <script>document.querySelector('x-over').attachShadow({ mode: 'open' }).innerHTML =
      '<div id=backdrop style="position:fixed;inset:0;background:#0008;cursor:pointer"></div><div style="position:relative"><slot></slot></div>'</script>`,
    );
    hasNot(told, 'backdrop');
    has(told, 'button "Yes"');
  },

  // Element Plus, Naive UI and Vuetify
  'which step is being worked on, which is the chosen one though it is disabled, and today, are told by a class':
    async (page) => {
      const told = await plain(
        page,
        `<div class=el-step><div class="el-step__title is-process">Address</div></div><div class="n-step n-step--process-status"><p>2</p><p>Pay</p></div>
      <div><button disabled class="step step--selected">Cart</button><button disabled class=step>Send</button></div>
      <table role=grid><tr role=row><td role=gridcell class="day today" aria-selected=false aria-disabled=false>30</td>
      <td role=gridcell class=day aria-selected=false aria-disabled=false>31</td></tr></table><p class=process>How</p>`,
      );
      has(told, '- generic [class=is-process]: Address');
      has(told, '[class=n-step--process-status]');
      has(told, '- button "Cart" [disabled] [class=step--selected]\n');
      has(told, '- button "Send" [disabled]\n');
      has(told, '- gridcell "30" [class=today]\n');
      has(told, '- gridcell "31"\n');
      has(told, '- paragraph: How');
    },

  // [tool.snapshot.hints] flatpickr, Element Plus, react-datepicker, Vuetify, jQuery UI, Air Datepicker
  'a day of the month before or after is told as that': async (page) => {
    const html = (day, other) => `<div class="days">${day(other, 30)}${day('', 1)}${day('', 2)}</div>`;
    const kits = [
      [
        (one, day) => `<span class="flatpickr-day ${one}" tabindex="-1" aria-label="May ${day}">${day}</span>`,
        'prevMonthDay',
      ],
      [
        (one, day) => `<div role="row"><div role="gridcell" class="${one}"><div><span>${day}</span></div></div></div>`,
        'next-month',
      ],
      [
        (one, day) => `<div role="gridcell" class="date__day ${one && `date__day--${one}`}">${day}</div>`,
        'outside-month',
      ],
      [(one, day) => `<div class="day ${one && `day--${one}`}"><button class="btn">${day}</button></div>`, 'adjacent'],
      [(one, day) => `<span class="${one}"><a href="#">${day}</a></span>`, 'ui-datepicker-other-month'],
      [(one, day) => `<div class="cell -day- ${one && `-${one}-`}" style="cursor:pointer">${day}</div>`, 'other-month'],
    ];
    for (const [day, other] of kits) {
      const yaml = await plain(page, html(day, other));
      has(yaml, `[class=${other}]`);
      equal(yaml.split('[class=').length, 2, yaml);
    }
    hasNot(
      await plain(page, '<button class="next-month">Next month</button><button class="outside">12 items</button>'),
      '[class=',
    );
  },

  // [tool.snapshot] Payload's list of columns
  'a button that its author calls checked is told as that': async (page) => {
    const pill = (name, is) =>
      `<button aria-checked="${is}" class="pill ${is ? 'pill--selected' : ''}">${name}</button>`;
    equal(await plain(page, pill('Title', true) + pill('Kind', false)), '- button "Title" [checked]\n- button "Kind"');
  },

  // [tool.snapshot.hints] [tool.snapshot.restyled] SVG-edit's tools
  'the one of several components that is pressed is told by its own attribute, or by how it is drawn': async (page) => {
    await shown(
      page,
      `<div id=bar><x-tool title=Pen pressed></x-tool><x-tool title=Line></x-tool><x-tool title=Text class=mark></x-tool></div>
      <div id=more><x-part title=Zoom></x-part><x-part title=Turn></x-part></div>`,
    );
    await page.main(`
      for (const [name, told] of [['x-tool', true], ['x-part', false]])
        customElements.define(name, class extends HTMLElement {
          connectedCallback() {
            const root = this.attachShadow({ mode: 'open' });
            root.innerHTML = '<style>div{width:28px;height:28px;background:#eee} .pressed{background:#fc0}</style><div><svg width=9 height=9><circle r=4 /></svg></div>';
            this.onclick = () => {
              for (const one of this.parentNode.children) {
                one.shadowRoot.lastChild.classList.toggle('pressed', one === this);
                if (told) one.toggleAttribute('pressed', one === this);
              }
            };
          }
        });`);
    const before = await page.yaml({});
    has(before, /generic "Pen" [^\n]*\[pressed\]/);
    hasNot(before, /"(Line|Text)"[^\n]*pressed/);
    await page.main('document.querySelector("[title=Line]").click()');
    const after = await delta(page);
    has(after, /generic "Line" [^\n]*\[pressed\]/);
    has(after, /generic "Pen"$/m);
    await page.main('document.querySelector("[title=Turn]").click()');
    has(await delta(page), /drawn otherwise[^\n]*Turn/);
  },

  // [tool.snapshot.hints] bootstrap-table, WordPress
  'the box in a header says by which way its column is sorted, where that beside it does not': async (page) => {
    const boxes = ['Date', 'Message', 'Line'].map((name) => `<th><div class="th-inner sortable both">${name}</div>`);
    const before = await shown(
      page,
      `<table><tr>${boxes.join('')}<th><div class=th-inner>Kind</div><tr><td>1<td>2<td>3<td>4</table>`,
    );
    hasNot(before, 'class=');
    await page.main('document.querySelectorAll(".both")[1].classList.add("desc")');
    has(await delta(page), /columnheader "Message" \[class=desc\]/);
    const would = ['asc', 'desc', 'desc'].map((order, i) => `<th class="sortable ${order}"><a href="#${i}">${i}</a>`);
    hasNot(await plain(page, `<table><tr>${would.join('')}<tr><td>1<td>2<td>3</table>`), 'class=');
  },

  // [tool.snapshot.hints] [tool.snapshot.icons.controls] a table that its server has sorted
  'a column by which a server has sorted says so by the arrow beside its only link, or by its class': async (page) => {
    const arrow = '<i class="fa fa-sort-down"></i>';
    const told = await plain(
      page,
      `<style>.fa{display:inline-block;width:9px;height:9px} .headerSortUp{background:#ddd}</style><table><tr>
      <th><a href="#a">Name</a> ${arrow}<th><a href="#b">Age</a> <span><i class="fa fa-sort-up"></i>${arrow}</span>
      <th><a href="#c">Kind</a><th><a href="#d">Size</a><a href="#e">Type</a>${arrow}<th class=headerSortUp><a href="#f">Date</a>
      <tr><td>1<td>2<td>3<td>4<td>5</table>`,
    );
    equal(
      told.match(/(link|columnheader)[^\n]*/g).join('\n'),
      `columnheader:
link "Name" [icon=fa-sort-down]:
columnheader:
link "Age":
columnheader:
link "Kind":
columnheader:
link "Size":
link "Type":
columnheader [class=headerSortUp]:
link "Date":`,
    );
    await page.main('document.querySelector("i").className = "fa fa-sort-up"');
    has(await delta(page), 'link "Name" [icon=fa-sort-up]');
  },
};
