#include "browser/page/world/plain_value.h"

namespace bridle {

// What the browser itself makes of an object by value are its own enumerable properties: nothing of a date, a
// rectangle, an element, and an error for all of it where there is a BigInt in it. Which class an object is of, the
// functions that were taken from that class say: they throw for any other object.
std::string_view plain_value_source() {
  static constexpr std::string_view kSource = R"js((page) => {
  const { Array, Object, Reflect, Symbol } = page;
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
  const { stringify } = page.JSON;
  const { isArray } = Array;
  const { isInteger } = page.Number;
  const { iterator, toStringTag } = Symbol;
  const ofObject = Object.prototype;
  const arrayValues = Array.prototype[iterator];
  const typedValues = getPrototypeOf(page.Uint8Array.prototype)[iterator];
  const DEEPEST = 500;
  const failed = { __proto__: null };
  // The function of a class, as one that tells by `failed` that an object isn't of the class.
  const of = (name, taken) => {
    const proto = page[name] ? page[name].prototype : null;
    const method = proto ? taken(proto) : undefined;
    return (value, ...args) => {
      if (!method) return failed;
      try { return apply(method, value, args); } catch { return failed; }
    };
  };
  const method = (name, key) => of(name, (proto) => proto[key]);
  const getter = (name, key) => of(name, (proto) => getOwnPropertyDescriptor(proto, key)?.get);
  const nodeName = getter('Node', 'nodeName');
  const attribute = method('Element', 'getAttribute');
  const textOf = getter('Node', 'textContent');
  const methods = (names, key) => names.map((name) => method(name, key));
  const texts = [method('Date', 'toJSON'), ...methods(['URL', 'URLSearchParams'], 'toString')];
  const domMessage = getter('DOMException', 'message');
  const regExpSource = getter('RegExp', 'source');
  const regExpFlags = getter('RegExp', 'flags');
  // The class that an object is of stands before the one that it extends.
  const rows = methods([
    'DOMRectReadOnly', 'DOMPointReadOnly', 'DOMMatrixReadOnly', 'DOMQuad',
    'PerformanceNavigationTiming', 'PerformanceResourceTiming', 'PerformanceEntry', 'PerformanceTiming',
  ], 'toJSON');
  const entries = methods(['Map', 'Headers', 'FormData'], 'forEach');
  const members = method('Set', 'forEach');
  const { toString: symbolText } = Symbol.prototype;
  const { toString: bigText } = page.BigInt.prototype;
  const { toLowerCase, toWellFormed, slice, trim } = page.String.prototype;
  const { toString: kindOf } = ofObject;
  const { toString: errorText } = page.Error.prototype;

  const wellFormed = (text) => apply(toWellFormed, text, []);
  const put = (to, key, value) => {
    defineProperty(to, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  };
  const nameOf = (node) => {
    const name = nodeName(node);
    if (name === failed || attribute(node, 'id') === failed) return name; // '#text', '#document'
    let text = '<' + apply(toLowerCase, name, []);
    const names = ['id', 'class', 'name', 'type'];
    for (let i = 0; i < 4; i++) {
      const value = attribute(node, names[i]);
      if (typeof value === 'string' && value !== '') text += ' ' + names[i] + '="' + apply(slice, value, [0, 80]) + '"';
    }
    const words = apply(trim, textOf(node), []);
    return text + (words === '' ? '>' : '> ' + apply(slice, words, [0, 60]) + (words.length > 60 ? '…' : ''));
  };

  return (top) => {
    const above = [];
    const isAbove = (value) => {
      for (let i = 0; i < above.length; i++) if (above[i] === value) return true;
      return false;
    };
    const list = (value, length) => {
      const out = [];
      for (let i = 0; i < length; i++) put(out, i, within(read(value, i), true));
      setPrototypeOf(out, null); // which may have a toJSON from the page
      return out;
    };
    const read = (value, key) => {
      try { return value[key]; } catch { return undefined; }
    };
    const hasNames = (value) => {
      const keys = ownKeys(value);
      for (let i = 0; i < keys.length; i++)
        if (typeof keys[i] === 'string' && !(keys[i] >= 0) && getOwnPropertyDescriptor(value, keys[i])?.enumerable)
          return true;
      return false;
    };
    // Own properties, and of a browser's own object what its class tells by attributes that are plain values.
    const record = (value, proto) => {
      const out = { __proto__: null };
      const keys = ownKeys(value);
      let isEmpty = true;
      for (let i = 0; i < keys.length; i++) {
        if (typeof keys[i] !== 'string' || !getOwnPropertyDescriptor(value, keys[i])?.enumerable) continue;
        isEmpty = false;
        const plain = within(read(value, keys[i]), false);
        if (plain !== undefined) put(out, wellFormed(keys[i]), plain);
      }
      if (!isEmpty || proto === null || proto === ofObject || typeof read(value, toStringTag) !== 'string') return out;
      for (const key in value) {
        const told = read(value, key);
        if (told !== null && told !== undefined && Object(told) !== told) put(out, key, within(told, false));
      }
      return out;
    };
    const object = (value) => {
      const proto = getPrototypeOf(value);
      if (isArray(value)) return list(value, value.length);
      if (proto === ofObject) return record(value, proto);
      if (read(value, 'window') === value) return '[object Window]';
      if (proto === null) return record(value, proto);
      const node = nameOf(value);
      if (node !== failed) return node;
      for (let i = 0; i < texts.length; i++) {
        const text = texts[i](value);
        if (text !== failed) return text;
      }
      const source = regExpSource(value);
      if (typeof source === 'string') return '/' + source + '/' + regExpFlags(value);
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i](value);
        if (row !== failed) return within(row, false);
      }
      if (apply(kindOf, value, []) === '[object Error]' || domMessage(value) !== failed)
        return '' + apply(errorText, value, []);
      for (let i = 0; i < entries.length; i++) {
        const pairs = [];
        const add = (entry, key) => put(pairs, pairs.length, [key, entry]);
        if (entries[i](value, add) !== failed) return list(pairs, pairs.length);
      }
      const set = [];
      if (members(value, (member) => put(set, set.length, member)) !== failed) return list(set, set.length);
      const values = read(value, iterator);
      const length = values === arrayValues || values === typedValues ? read(value, 'length') : undefined;
      return isInteger(length) && !hasNames(value) ? list(value, length) : record(value, proto);
    };
    // `inList`: what has no JSON form has a place nevertheless.
    const within = (value, inList) => {
      switch (typeof value) {
        case 'bigint': return apply(bigText, value, []) + 'n';
        case 'symbol': return wellFormed(apply(symbolText, value, []));
        case 'number': return value - value === 0 ? value : '' + value;
        case 'undefined': return inList ? null : undefined;
        case 'function': return inList ? '[function]' : undefined;
        case 'object': break;
        case 'string': return wellFormed(value);
        default: return value;
      }
      if (value === null) return null;
      if (above.length === DEEPEST || isAbove(value)) throw 'it refers to itself';
      put(above, above.length, value);
      const plain = object(value);
      above.length--;
      return typeof plain === 'string' ? wellFormed(plain) : plain;
    };
    return stringify(within(top, false), null, 2);
  };
})js";
  return kSource;
}

}  // namespace bridle
