// The boxes whose sizes rules ask for (@container): when one changes, styles below it may, and no mutation tells of it.

import { clientHeightOf, clientWidthOf, querySelectorAllOf } from './members.js';

const kInline = '[style*="container"]';

// { el, width, height } of each that may be one, `el` as a WeakRef; null where they can't be found. `sheets`: of all tree scopes.
function containersNow(roots, sheets) {
  if (!sheets.some(({ said }) => said.sized.length)) return [];
  const selectors = [...new Set(sheets.flatMap(({ said }) => said.containers)), kInline];
  const found = new Set();
  try {
    for (const root of roots)
      for (const selector of selectors) {
        if (root.host && selector.includes(':host')) found.add(root.host);
        for (const el of querySelectorAllOf(root, selector)) found.add(el);
      }
  } catch {
    return null; // a selector of a kind only style sheets know
  }
  return Array.from(found, (el) => ({ el: new WeakRef(el), width: clientWidthOf(el), height: clientHeightOf(el) }));
}

// Of those that are there now, the elements that have come or have another size.
function resizedContainers(before, now) {
  const known = new Map(before.map((one) => [one.el.deref(), one]));
  const isSame = ({ el, width, height }) => {
    const was = known.get(el.deref());
    return was !== undefined && was.width === width && was.height === height;
  };
  return now.filter((one) => !isSame(one)).map(({ el }) => el.deref());
}

export { containersNow, resizedContainers };
