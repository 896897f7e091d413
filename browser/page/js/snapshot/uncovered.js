// What a snapshot has marked as covered and can be hit now, as a line of a delta: what lay over it has gone, which is a change
// of nothing else where that was told as something that loads.

import { takeUncovered } from '../tree/positions.js';
import { refText } from '../tree/refs.js';

const kUncoveredShown = 12;
let freed = []; // for a snapshot that is taken again

function uncoveredLines(again) {
  freed = again ? [...freed, ...takeUncovered()] : takeUncovered();
  if (freed.length === 0) return [];
  const refs = freed.slice(0, kUncoveredShown).map(refText);
  const more = freed.length > refs.length ? ` and ${freed.length - refs.length} more` : '';
  return [`- text: … no longer covered: ${refs.join(', ')}${more}`];
}

export { uncoveredLines };
