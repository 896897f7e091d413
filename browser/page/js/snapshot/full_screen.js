// What is in full screen: a person sees nothing else of the page, and the browser says which key ends it.

import { documentElementOf, fullscreenElementOf } from '../dom/members.js';
import { tagSketch } from '../dom/errors.js';
import { yamlValue } from './yaml.js';

let toldFullScreen = null; // a WeakRef
let fullScreenBefore = null; // for a snapshot that is taken again

// A delta tells what has changed, a whole page (`isWhole`) what is so.
function fullScreenLines(again, isWhole) {
  if (again) toldFullScreen = fullScreenBefore;
  else fullScreenBefore = toldFullScreen;
  const el = fullscreenElementOf(document);
  const was = toldFullScreen?.deref() ?? null;
  toldFullScreen = el && new WeakRef(el);
  if (el === was && !isWhole) return [];
  if (el === null) return was === null || isWhole ? [] : ['- text: … nothing is in full screen any more'];
  const seen = el === documentElementOf(document) ? 'the page' : `${tagSketch(el)}, and nothing else of the page,`;
  return [`- text: ${yamlValue(`… ${seen} is in full screen: the key Escape ends that`)}`];
}

export { fullScreenLines };
