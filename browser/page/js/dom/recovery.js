// A read of the page that takes too long is ended by force, between any two of its steps: no `finally` runs then. What it
// was at work on must not be taken for whole by who comes next.

import { stopWatching } from './changes.js';
import { dropPass } from './pass.js';

// Called whenever a task of ours begins, when no pass can be under way. The next snapshot walks all of the page.
function recover() {
  if (dropPass()) stopWatching();
}

export { recover };
