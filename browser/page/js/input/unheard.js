// Whether a page has heard a release. Some frameworks add the listener for it in an effect of the press, which runs with
// the frame after it: a person still holds the button then, but a click's release comes right behind its press
// [why.release-again].

import { matchesSelector } from '../dom/members.js';
import { closestFlat, flatContains } from '../dom/flat_tree.js';
import { nextHandles } from '../wait/frames.js';
import { kWatchAll, live, nextFrame } from '../wait/pollers.js';

// What the browser itself makes something of a click on: nothing else has to hear it.
const kActedByBrowser = 'button, a[href], area[href], input, select, textarea, option, label, summary';
const isActedByPage = (el) => closestFlat(el, (at) => matchesSelector(at, kActedByBrowser)) === null;
const kFramesToHear = 2; // the effect runs behind the first one

// Called within the press, before the page's own listeners. -> { released, isDoubtful, unheard, stop }: released() is
// called within the release, the others after it.
function watchHearing(el) {
  let handles = isActedByPage(el) ? nextHandles() : null; // until the release
  let observer = null;
  let isHeard = true;
  const note = (records) => {
    isHeard ||= records.some(
      ({ target, type }) => !flatContains(el, target) && !(type === 'attributes' && flatContains(target, el)),
    );
  };
  const stop = () => {
    if (!observer) return;
    observer.disconnect();
    observer = null;
    live.observers--;
  };
  const released = () => {
    if (!handles) return;
    const { frame, timer } = nextHandles();
    const isQuiet = frame === handles.frame + 1 && timer === handles.timer + 1;
    handles = null;
    if (isQuiet) return;
    isHeard = false;
    observer = new MutationObserver(note);
    observer.observe(document, kWatchAll);
    live.observers++;
  };
  // True: the press had the page ask for a frame or a timer, and from the release until those are over, nothing has changed
  // but what was pressed. At once where something has.
  const unheard = () =>
    new Promise((resolve) => {
      const look = (left) => {
        if (observer) note(observer.takeRecords());
        if (!isHeard && left > 0) {
          nextFrame(() => look(left - 1));
          return;
        }
        stop();
        resolve(!isHeard);
      };
      look(kFramesToHear);
    });
  return { released, isDoubtful: () => observer !== null, unheard, stop };
}

export { isActedByPage, watchHearing };
