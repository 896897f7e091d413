// Where a link leads, as its line tells it; and the links of a picture's map.

import { attr, documentQuery, querySelectorAllOf } from '../dom/members.js';
import { BOX, note } from '../dom/noted.js';
import { hideInUrl } from '../dom/secrets.js';

// null: nowhere.
function linkUrlOf(el) {
  const url = attr(el, 'href') ?? attr(el, 'xlink:href');
  return url === null || kNoUrl.test(url) ? null : hideInUrl(placeOnPage(url) ?? url);
}

// The fragment alone where the rest is the page's own address, which another view of an application changes in all such links;
// else null.
function placeOnPage(url) {
  const at = url.indexOf('#');
  if (at <= 0 || at === url.length - 1) return null;
  const page = url.slice(0, at);
  const { origin, pathname, search } = location;
  return page === pathname + search || page === origin + pathname + search ? url.slice(at) : null;
}

// Of a link that is a button in truth.
const kNoUrl = /^\s*(#?|javascript:\s*(void\s*(0|\(\s*0?\s*\))|false)?\s*;*)\s*$/i;

// The links of the map that lies over a picture; none without one.
function areasOf(img) {
  const name = /^#(.+)$/.exec(attr(img, 'usemap') ?? '')?.[1];
  if (name === undefined) return [];
  note(BOX); // the map may stand anywhere
  const map = documentQuery(document, `map[name="${CSS.escape(name)}"]`);
  return map === null ? [] : querySelectorAllOf(map, 'area[href]');
}

export { areasOf, linkUrlOf };
