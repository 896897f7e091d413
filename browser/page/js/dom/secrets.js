// Secrets by their names: base/secret_names.def lists them and says what each list means. C++ reads the same list in
// the same way (base/text/secrets.cpp); tests/support/secret_cases.txt holds both to that.

import {
  PLAIN_AUTOCOMPLETE,
  SECRET_AUTOCOMPLETE,
  SECRET_BENIGN,
  SECRET_ENDINGS,
  SECRET_EXCEPTIONS,
  SECRET_HEADS,
  SECRET_PARTS,
  SECRET_QUALIFIERS,
  SECRET_URL_HEADS,
  SECRET_WHOLES,
} from '../../../../base/secret_names.def';
import { words } from './collections.js';

const kHiddenValue = '[value hidden]';

const kSecretParts = SECRET_PARTS.split(' ');
const kSecretEndings = SECRET_ENDINGS.split(' ');
const kSecretHeads = words(SECRET_HEADS);
const kSecretUrlHeads = words(SECRET_URL_HEADS);
const kSecretWholes = words(SECRET_WHOLES);
const kNameQualifiers = words(SECRET_QUALIFIERS);
const kBenignWords = words(SECRET_BENIGN);
const kSecretExceptions = words(SECRET_EXCEPTIONS);
const kSecretAutocomplete = words(SECRET_AUTOCOMPLETE);
const kPlainAutocomplete = words(PLAIN_AUTOCOMPLETE);

// Nearly all names have none of these in them, so that one look is enough.
const kNoLetters = /[^a-z0-9\u0080-\uffff]/g;
const kAnySecret = new RegExp(
  [SECRET_PARTS, SECRET_HEADS, SECRET_ENDINGS, SECRET_WHOLES, SECRET_URL_HEADS].join(' ').replaceAll(' ', '|'),
);

// "newPIN_2" is new, PIN and 2; "APIKey" is API and Key.
const wordsOfName = (name) =>
  name
    .replace(/([a-z\u0080-\uffff])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z\u0080-\uffff])/g, '$1 $2')
    .replace(/(\d+)/g, ' $1 ')
    .replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
    .split(/[^a-z0-9\u0080-\uffff]+/)
    .filter(Boolean);

const kWordsOfAHead = 3;

function endsWithListed(list, heads) {
  let tail = '';
  for (let i = list.length - 1; i >= 0 && list.length - i <= kWordsOfAHead; i--) {
    tail = list[i] + tail;
    if (heads.has(tail)) return true;
  }
  return false;
}

function isSecretName(name, inUrl = false) {
  if (name === '' || !kAnySecret.test(name.toLowerCase().replace(kNoLetters, ''))) return false;
  const list = wordsOfName(name);
  const all = list.join('');
  if (kSecretWholes.has(all)) return true;
  let last = list.at(-1);
  while (list.length > 1 && (last.length === 1 || /^\d/.test(last) || kNameQualifiers.has(last))) {
    list.pop();
    last = list.at(-1);
  }
  if (inUrl && endsWithListed(list, kSecretUrlHeads)) return true;
  if (kBenignWords.has(last) || kSecretExceptions.has(list.join(''))) return false;
  return (
    kSecretParts.some((part) => all.includes(part)) ||
    kSecretEndings.some((ending) => last.endsWith(ending)) ||
    endsWithListed(list, kSecretHeads)
  );
}

const isSecretAutocomplete = (value) =>
  value.split(/\s+/).some((token) => kSecretAutocomplete.has(token.toLowerCase()));
const isPlainAutocomplete = (value) => value.split(/\s+/).some((token) => kPlainAutocomplete.has(token.toLowerCase()));

// --- Values that were typed by a name

// The fields that hold the value of a secret of bridle's user, put in by its name: that value, and what is shown of it.
const namedValues = new WeakMap();
const nameValue = (el, value, shown) => namedValues.set(el, { value, shown });

// What stands for the secret that the element holds: its name as long as it is the value that was put in.
function shownForSecret(el, value) {
  const named = namedValues.get(el);
  return named?.value === value ? named.shown : kHiddenValue;
}

// --- URLs

const kNested = 4; // URLs in parameters of URLs; what lies deeper is hidden whole

// %XX decoded where that is UTF-8.
function decoded(text) {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.replace(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
    }
  });
}

function hideInValue(value, nested) {
  if (!/[=%@]/.test(value)) return value;
  const plain = decoded(value);
  if (!/[=%@]/.test(plain)) return value;
  if (plain === value && !kNaming.test(value)) return value; // an address, "100%"
  if (nested === 0) return kHiddenValue;
  const hidden = /[?#]|\/\//.test(plain) ? hideInNestedUrl(plain, nested - 1) : hideInPairs(plain, '&', nested - 1);
  return hidden === plain ? value : hidden;
}

// What may name something to hide: a URL or a query, or "ann:secret@host".
const kNaming = /[=?#]|\/\/|:[^@]*@/;

function hideInPairs(pairs, separator, nested) {
  return pairs
    .split(separator)
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1) return hideInValue(pair, nested);
      const value = pair.slice(equals + 1);
      const secret = value !== '' && isSecretName(decoded(pair.slice(0, equals).replaceAll('+', ' ')), true);
      return pair.slice(0, equals + 1) + (secret ? kHiddenValue : hideInValue(value, nested));
    })
    .join(separator);
}

// A fragment is a query, or a path of the page's own with one.
function hideInFragment(fragment, nested) {
  const question = fragment.indexOf('?') + 1;
  return fragment.slice(0, question) + hideInPairs(fragment.slice(question), '&', nested);
}

function hideInPath(path, nested) {
  if (!path.includes('=')) return path;
  return path
    .split('/')
    .map((part) => hideInPairs(part, ';', nested))
    .join('/');
}

function hideInNestedUrl(url, nested) {
  const [, path, query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url);
  const [, scheme = '', user = '', host = '', rest] = /^(?:(.*?:\/\/|\/\/)([^/\\]*@)?([^/\\]*))?(.*)$/s.exec(path);
  let out = scheme + (user.length > 1 ? kHiddenValue + '@' : user) + host + hideInPath(rest, nested);
  if (query !== undefined) out += '?' + hideInPairs(query, '&', nested);
  if (fragment !== undefined) out += '#' + hideInFragment(fragment, nested);
  return out;
}

// A URL, absolute or relative, with what stands before its host's '@', and the secrets of its path's parameters, its
// query and its fragment, hidden. A data: URL stays as it is.
function hideInUrl(url) {
  return /[=@%]/.test(url) && !/^data:/i.test(url) ? hideInNestedUrl(url, kNested) : url;
}

export { kHiddenValue, nameValue, shownForSecret, isSecretName, isSecretAutocomplete, isPlainAutocomplete, hideInUrl };
