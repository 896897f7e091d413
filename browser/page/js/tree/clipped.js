// The mark of the slides that their carousel clips [tool.snapshot.clipped]. Which these are is found out where their box is
// visited, as whatever moves them leaves them as they are: those for which that is another answer are visited again.

import { isConnected } from '../dom/members.js';
import { slidesIn } from '../dom/carousels.js';
import { pass } from '../dom/pass.js';
import { entries, PATH, stamp } from './entries.js';
import { copyNode } from './node.js';

const kClipped = ' [clipped]';

// Called before what the box holds is visited. `isKept`: what is made of it is kept for the next walk.
function noteSlides(box, entry, isKept) {
  const slides = slidesIn(box);
  if (slides !== null) for (const [el, isClipped] of slides) pass.isClipped.set(el, isClipped);
  if (!isKept || (slides === null && entry.slides === null)) return;
  if (pass.regions !== null) {
    for (const ref of entry.slides ?? []) {
      const el = ref.deref();
      if (el && isConnected(el) && !slides?.has(el)) stamp(el, PATH);
    }
    for (const [el, isClipped] of slides ?? []) if (entries.get(el)?.slide !== isClipped) stamp(el, PATH);
  }
  if (slides?.size === entry.slides?.length && entry.slides.every((ref) => slides.has(ref.deref()))) return;
  entry.slides = slides && Array.from(slides.keys(), (el) => new WeakRef(el));
}

// Whether an element is clipped; null: it is no slide.
const isSlideNow = (el) => pass.isClipped.get(el) ?? null;

// What stands for a slide in the tree is marked in its place.
function withClip(node, { clip }) {
  return clip === '' || node.clip !== '' ? node : Object.assign(copyNode(node), { clip, hash: 0 });
}

export { isSlideNow, kClipped, noteSlides, withClip };
