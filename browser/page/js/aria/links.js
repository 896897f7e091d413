// Where a link leads, as its line tells it.

import { attr } from '../dom/members.js';
import { hideInUrl } from '../dom/secrets.js';

// null: nowhere.
function linkUrlOf(el) {
  const url = attr(el, 'href') ?? attr(el, 'xlink:href');
  return url === null || kNoUrl.test(url) ? null : hideInUrl(url);
}
// Of a link that is a button in truth.
const kNoUrl = /^\s*(#|javascript:\s*(void\s*(0|\(\s*0?\s*\))|false)?\s*;*)\s*$/i;

export { linkUrlOf };
