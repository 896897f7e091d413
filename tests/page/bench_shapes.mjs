// Pages of n elements to measure with: a list of links and buttons, a data table, cards in nested divs, and others.
export const shapes = {
  list: (n) =>
    '<style>li{padding:2px}.t{color:#555}</style><h1>Items</h1><ul>' +
    Array.from(
      { length: (n / 4) | 0 },
      (_, i) =>
        `<li><a href="/item/${i}">Item number ${i}</a> <button>Buy ${i}</button><span class="t">in stock</span></li>`,
    ).join('') +
    '</ul>',
  table: (n) =>
    '<h1>Orders</h1><table><thead><tr><th>Id<th>Customer<th>Total<th></tr></thead><tbody>' +
    Array.from(
      { length: (n / 6) | 0 },
      (_, i) =>
        `<tr><td>${i}</td><td>Customer ${i}</td><td>${(i * 7.5).toFixed(2)}</td><td><a href="/order/${i}">Open</a></td></tr>`,
    ).join('') +
    '</tbody></table>',
  cards: (n) =>
    '<style>.card{border:1px solid #ccc;padding:4px}.btn::before{content:"+ "}.card .p{color:#333}.card:hover{background:#eee}</style>' +
    '<main>' +
    Array.from(
      { length: (n / 8) | 0 },
      (_, i) =>
        `<div class="card"><div class="b"><h3>Product ${i}</h3><p class="p">Some words on ` +
        `product ${i}</p><div><span class="price">$${i}.99</span><label><input type="checkbox"> Compare</label></div></div><button class="btn">Add to cart</button></div>`,
    ).join('') +
    '</main>',
  // Boxes that clip, which may be those of carousels.
  boxes: (n) =>
    '<style>.card{overflow:hidden;border-radius:4px;width:300px}.b{overflow:hidden}</style><main>' +
    Array.from(
      { length: (n / 8) | 0 },
      (_, i) =>
        `<div class="card"><img alt=""><div class="b"><h3>Product ${i}</h3><p>Some words</p><div><span>$${i}</span><b>!</b></div></div></div>`,
    ).join('') +
    '</main>',
  carousels: (n) =>
    '<style>.v{overflow:hidden;width:600px}.t{display:flex}.s{flex:0 0 200px;height:60px}</style><main>' +
    Array.from(
      { length: (n / 40) | 0 },
      (_, i) =>
        `<div class="v"><div class="t">${`<div class="s" role="group"><h3>Product ${i}</h3><a href="/x">Buy</a><p>Words</p></div>`.repeat(10)}</div></div>`,
    ).join('') +
    '</main>',
  mixed: (n) =>
    Array.from(
      { length: n },
      (_, i) =>
        [
          `<h2 id="e${i}">Section ${i}</h2>`,
          `<p><a id="e${i}" href="/plain?title=Link+${i}">Link ${i}</a></p>`,
          `<button id="e${i}">Button ${i}</button>`,
          `<input id="e${i}" name="f${i}" placeholder="Field ${i}">`,
          `<ul><li id="e${i}">Item ${i}</li></ul>`,
          `<input id="e${i}" type="checkbox" aria-label="Option ${i}">`,
          `<p id="e${i}">Paragraph ${i}: the quick brown fox jumps over the lazy dog.</p>`,
          `<select id="e${i}" aria-label="Choice ${i}"><option>One</option><option selected>Two</option></select>`,
          `<div id="e${i}" role="button" tabindex="0">Role button ${i}</div>`,
          `<textarea id="e${i}" aria-label="Note ${i}">Text ${i}</textarea>`,
        ][i % 10],
    ).join('\n'),
  // What component libraries make of tabs, options, labels and icon buttons.
  widgets: (n) =>
    '<style>.p{cursor:pointer}.r{position:absolute}.i::before{content:"\\e001"}</style>' +
    Array.from(
      { length: (n / 14) | 0 },
      (_, i) =>
        `<div role="tab" class="p" tabindex="0"><div class="p"><span class="p">Tab ${i}</span><div class="p r"></div></div></div>` +
        `<div role="option" class="p" aria-label="Open ${i}, Ctrl+O"><div><span>Open</span> <b>${i}</b></div><div><kbd>Ctrl</kbd>+<kbd>O</kbd></div></div>` +
        `<div class="p"><button><i class="fa fa-trash i" aria-hidden="true"></i></button></div>`,
    ).join(''),
  form: (n) =>
    '<form>' +
    Array.from(
      { length: (n / 4) | 0 },
      (_, i) =>
        `<div class="row"><label for="f${i}">Field ${i}</label><input id="f${i}" name="f${i}" placeholder="value"><span class="help">help</span></div>`,
    ).join('') +
    '</form>',
};
