#include "browser/storage/storage_script.h"

#include <string_view>

#include "browser/storage/hidden_pages.h"

namespace bridle {
namespace {

// A value that JSON can carry is written as it is; any other as Playwright's tagged form of it. What that has no form
// for (a Map, a Blob, a key) is counted in `lossy`.
constexpr std::string_view kCodec = R"js(
const kinds = { Int8Array: 'i8', Uint8Array: 'ui8', Uint8ClampedArray: 'ui8c', Int16Array: 'i16', Uint16Array: 'ui16',
  Int32Array: 'i32', Uint32Array: 'ui32', Float32Array: 'f32', Float64Array: 'f64', BigInt64Array: 'bi64',
  BigUint64Array: 'bui64' };
const kPiece = 4 << 20;
const tell = (value) => {
  const text = JSON.stringify({ origin: location.origin, ...value });
  let at = 0;
  for (; at + kPiece < text.length; at += kPiece) TELL('+' + text.slice(at, at + kPiece));
  TELL('.' + text.slice(at));
};
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  request.onblocked = () => reject(new Error('a tab holds the database open'));
});
const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);
const plain = (value, seen = new Set()) => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || seen.has(value)) return false;
  seen.add(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!(i in value) || !plain(value[i], seen)) return false;
    return Object.keys(value).length === value.length;
  }
  return kind(value) === 'Object' && !('toJSON' in value) && Object.values(value).every((one) => plain(one, seen));
};
let lossy = 0;
const base64 = (bytes) => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const encode = (value, seen) => {
  if (value === undefined || value === null) return { v: String(value) };
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return { v: '-0' };
    return Number.isFinite(value) ? value : { v: String(value) };
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return { bi: String(value) };
  const is = kind(value);
  if (is === 'Date' && !Number.isNaN(value.getTime())) return { d: value.toJSON() };
  if (is === 'RegExp') return { r: { p: value.source, f: value.flags } };
  if (is === 'Error') return { e: { n: value.name, m: value.message, s: String(value.stack ?? '') } };
  if (is in kinds) return { ta: { b: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k: kinds[is] } };
  if (is === 'ArrayBuffer') return { ab: { b: base64(new Uint8Array(value)) } };
  if (seen.has(value)) return { ref: seen.get(value) };
  const id = seen.size + 1;
  seen.set(value, id);
  if (Array.isArray(value)) return { a: Array.from(value, (one) => encode(one, seen)), id };
  if (is !== 'Object') lossy++;
  return { o: Object.keys(value).map((k) => ({ k, v: encode(value[k], seen) })), id };
};
const decode = (value, seen) => {
  if (typeof value !== 'object' || value === null) return value;
  if ('ref' in value) return seen.get(value.ref);
  if ('v' in value) return { undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }[value.v];
  if ('d' in value) return new Date(value.d);
  if ('u' in value) return value.u;
  if ('bi' in value) return BigInt(value.bi);
  if ('r' in value) return new RegExp(value.r.p, value.r.f);
  if ('e' in value) return Object.assign(new Error(value.e.m), { name: value.e.n, stack: value.e.s });
  if ('ab' in value) return bytesOf(value.ab.b).buffer;
  if ('ta' in value) {
    const name = Object.keys(kinds).find((one) => kinds[one] === value.ta.k);
    return new globalThis[name](bytesOf(value.ta.b).buffer);
  }
  const made = 'a' in value ? [] : {};
  seen.set(value.id, made);
  if ('a' in value) for (const one of value.a) made.push(decode(one, seen));
  else for (const { k, v } of value.o) {
    const there = { value: decode(v, seen), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(made, k, there);
  }
  return made;
};
const pathOf = (path) => (Array.isArray(path) ? { keyPathArray: path } : typeof path === 'string' ? { keyPath: path } : {});
)js";

constexpr std::string_view kCollect = R"js(
const storeOf = async (store) => {
  const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  const records = keys.map((key, i) => {
    const record = {};
    if (store.keyPath === null) {
      if (plain(key)) record.key = key;
      else record.keyEncoded = encode(key, new Map());
    }
    const value = values[i];
    if (value !== null && plain(value)) record.value = value;
    else record.valueEncoded = encode(value, new Map());
    return record;
  });
  const indexes = Array.from(store.indexNames, (name) => {
    const { keyPath, multiEntry, unique } = store.index(name);
    return { name, ...pathOf(keyPath), multiEntry, unique };
  });
  return { name: store.name, records, indexes, autoIncrement: store.autoIncrement, ...pathOf(store.keyPath) };
};
const databaseOf = async ({ name, version }) => {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => { throw new Error('the database is gone'); }; // so that none is made
  const database = await done(request);
  try {
    const names = Array.from(database.objectStoreNames);
    if (!names.length) return { name, version, stores: [] };
    const transaction = database.transaction(names, 'readonly');
    return { name, version, stores: await Promise.all(names.map((one) => storeOf(transaction.objectStore(one)))) };
  } finally {
    database.close();
  }
};
(async () => {
  const items = Array.from({ length: localStorage.length }, (_, i) => {
    const name = localStorage.key(i);
    return { name, value: localStorage.getItem(name) };
  });
  const databases = await Promise.all((await indexedDB.databases()).map(databaseOf));
  const workers = withWorkers && navigator.serviceWorker ? (await navigator.serviceWorker.getRegistrations()).length : 0;
  tell({ localStorage: items, indexedDB: databases, lossy, workers });
})().catch((error) => tell({ error: String(error) }));
)js";

constexpr std::string_view kRestore = R"js(
const restore = async ({ name, version, stores }) => {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    for (const store of stores) {
      const made = request.result.createObjectStore(store.name, {
        autoIncrement: store.autoIncrement, keyPath: store.keyPathArray ?? store.keyPath ?? null });
      for (const index of store.indexes)
        made.createIndex(index.name, index.keyPathArray ?? index.keyPath, { unique: index.unique, multiEntry: index.multiEntry });
    }
  };
  const database = await done(request);
  try {
    if (!stores.length) return;
    const transaction = database.transaction(stores.map((store) => store.name), 'readwrite');
    const over = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('the database refused a record'));
    });
    for (const store of stores) {
      const into = transaction.objectStore(store.name);
      for (const record of store.records) {
        const value = 'value' in record ? record.value : decode(record.valueEncoded, new Map());
        const key = 'key' in record ? record.key : 'keyEncoded' in record ? decode(record.keyEncoded, new Map()) : undefined;
        if (key === undefined) into.add(value);
        else into.add(value, key);
      }
    }
    await over;
  } finally {
    database.close();
  }
};
(async () => {
  for (const { name, value } of stored.localStorage) localStorage.setItem(name, value);
  await Promise.all(stored.indexedDB.map(restore));
  tell({});
})().catch((error) => tell({ error: String(error) }));
)js";

std::string html_with(std::string script) {
  constexpr std::string_view kName = "TELL(";
  for (auto at = script.find(kName); at != std::string::npos; at = script.find(kName, at))
    script.replace(at, kName.size(), std::string(HiddenPages::kTell) + "(");
  return "<!doctype html><script>{" + script + "}</script>";
}

}  // namespace

std::string collecting_html(bool with_workers) {
  const std::string asks = with_workers ? "true" : "false";
  return html_with(std::string(kCodec) + "const withWorkers = " + asks + ";" + std::string(kCollect));
}

std::string restoring_html(const Json& stored) {
  // As a string literal within a script nothing of it may end the script.
  std::string text;
  for (const char c : dump(Json(dump(stored)))) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return html_with(std::string(kCodec) + "const stored = JSON.parse(" + text + ");" + std::string(kRestore));
}

}  // namespace bridle
