// Text as a reader sees it, and as it may be quoted.

// Zero-width spaces, word joiners, soft hyphens and the marks around what has a direction of its own are layout hints, and private-use characters are signs of an icon font: no text. Lone surrogates would break the JSON on the wire.
function oneSpace(text) {
  if (!plainAscii.test(text))
    return readable(text)
      .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .trim();
  const trimmed = text.trim(); // as nearly all are, and each name and text comes by
  return trimmed.includes('  ') ? trimmed.replace(/ +/g, ' ') : trimmed;
}
const readable = (text) =>
  plainAscii.test(text)
    ? text
    : text
        .replace(/[\u200b\u200e\u200f\u2060\u2066-\u2069\u00ad\ue000-\uf8ff\u{f0000}-\u{10fffd}]/gu, '')
        .toWellFormed();

// The same of text that is set as it is written: its lines and what they begin with stay.
const asWritten = (text) =>
  readable(text)
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/^(?:[^\S\n]*\n)+|\s+$/g, '');
// Whether it has a sign of an icon font.
const hasSign = (text) => /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]/u.test(text);
const plainAscii = /^[\x20-\x7e]*$/;

// Whether a text has the words of another one twice.
function isSaidTwice(text, said) {
  const all = ` ${text.toLowerCase().replaceAll(' ', '  ')} `;
  return said !== '' && all.split(` ${said.toLowerCase().replaceAll(' ', '  ')} `).length > 2;
}

function cut(text, max) {
  return text.length <= max ? text : text.slice(0, max).toWellFormed() + '…';
}
const unsafeText = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;
const unsafeAll = new RegExp(unsafeText, 'g');
const escapeUnit = (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0');

// A quoted string as JSON has it. Three backticks in a row would end the fence that the yaml stands in.
function quote(text) {
  let out = JSON.stringify(text);
  if (out.includes('``')) out = out.replaceAll('`', '\\u0060');
  return unsafeText.test(out) ? out.replace(unsafeAll, escapeUnit) : out;
}

// Whether a text is another one with a word put into it, where of each no more than `most` characters are known.
function hasMore(text, more, most) {
  let same = 0;
  while (same < text.length && text[same] === more[same]) same++;
  const rest = text.slice(same);
  let at = more.length - rest.length;
  if (more.length >= most) {
    at = same;
    while (!rest.startsWith(more.slice(at))) at++;
    if (more.length - at < kTailLeast) return false;
  } else if (at < same || !more.endsWith(rest)) return false;
  return kWordOfLetters.test(more.slice(same, at));
}
const kTailLeast = 20; // characters that tell that a text which is cut goes on as the other
const kWordOfLetters = /\p{L}{3}/u; // another number, or a letter, makes another thing

const kPairsMost = 10_000;
const isSameBut = (before, now, most) => hasMore(before, now, most) || hasMore(now, before, most);

// Of the keys of two maps those that are the same but for a word, where that can be but one: new text -> text before.
function textsWithMore(before, now, most) {
  const left = [...before.keys()].filter((text) => text !== '' && !now.has(text));
  const fresh = [...now.keys()].filter((text) => text !== '' && !before.has(text));
  if (left.length * fresh.length > kPairsMost) return new Map();
  const pairs = fresh.map((text) => [text, left.filter((other) => isSameBut(other, text, most))]);
  const times = (other) => pairs.filter(([, others]) => others.includes(other)).length;
  return new Map(
    pairs.filter(([, others]) => others.length === 1 && times(others[0]) === 1).map(([text, [other]]) => [text, other]),
  );
}

export { isSameBut, textsWithMore, asWritten, hasSign, isSaidTwice, oneSpace, cut, unsafeText, quote };
