// Events and listeners as plain functions; see dom/members.js.

import { methodOf } from '../dom/members.js';

const composedPathOf = methodOf(Event, 'composedPath');
const stopNow = methodOf(Event, 'stopImmediatePropagation');
const preventNow = methodOf(Event, 'preventDefault');
const isTrustedOf = (event) => event.isTrusted; // unforgeable
const addListener = methodOf(EventTarget, 'addEventListener');
const removeListener = methodOf(EventTarget, 'removeEventListener');
const kWatchLife = 5000; // ms; a watch that nobody asks any more must not stop what a user does later

export { composedPathOf, stopNow, preventNow, isTrustedOf, addListener, removeListener, kWatchLife };
