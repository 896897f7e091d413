// Whether a page rests, so that nothing is to be expected that no act brings on.

import { isAnyFound } from '../dom/found.js';
import { loadingWords } from './loading.js';

// Nothing has changed for a while, or nothing but what changes all the time, and nothing says that anything will: what isn't there
// won't come by itself.
const isQuiet = (poller, least = kQuiet) =>
  (performance.now() - poller.changedAt >= least || isTicking(poller)) &&
  document.readyState !== 'loading' && // what it still loads, C++ knows
  !isAnyFound('[aria-busy=true]');
// The same of what covers something: the time before the call counts, as nobody acted then, unless the page says that it is at it.
const restsLong = (poller) =>
  performance.now() - poller.restsSince >= kLongQuiet && isQuiet(poller) && loadingWords() === '';
const isTicking = ({ newsAt }) =>
  performance.now() - newsAt >= kLongQuiet && !isAnyFound('progress,[role=progressbar]');
const kQuiet = 400; // ms
const kLongQuiet = 2000; // ms, for what is there and may be uncovered or shown by what no timer tells of, such as a message from a server

export { isQuiet, kLongQuiet, kQuiet, restsLong };
