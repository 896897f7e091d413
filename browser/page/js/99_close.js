// What C++ may call: __bridle.call(name, args) and __bridle.element(target). Errors meant for the reader come back
// as { ok: false, error }; anything else is a bug of ours and throws.
const api = {
  __proto__: null, snapshot, actionable, hitResult, waitFor, cancel, frames, watchAction, stats,
  fill, focusForTyping, select, setChecked, find, pageInfo, hitAt, dragWatch, dragResult, pointOf,
  describe: ({ target }) => { const { el, count } = resolveTarget(target); return { ok: true, ...describeTarget(el, count) }; },
};

function call(name, args = {}) {
  const run = api[name];
  if (!run) throw new Error(`__bridle has no call ${name}`);
  try {
    return run(args);
  } catch (error) {
    if (error instanceof PageError) return { ok: false, error: error.message, absent: error instanceof AbsentError };
    throw error;
  }
}

Object.defineProperty(globalThis, '__bridle', {
  value: Object.freeze({ call, element: ({ target }) => resolveTarget(target).el, fileInput, registerClosedRoot, takeClosedHosts, focusedFrame, frameStep, fileInputState, clearFiles }),
  enumerable: false, configurable: false, writable: false,
});
})();
