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

// Whether a text is another one with something put into it, where of each no more than `most` characters are known.
function hasMore(text, more, most) {
  let same = 0;
  while (same < text.length && text[same] === more[same]) same++;
  const rest = text.slice(same);
  if (more.length < most) return more.length >= text.length && more.endsWith(rest);
  let at = same;
  while (!rest.startsWith(more.slice(at))) at++;
  return more.length - at >= kTailLeast;
}
const kTailLeast = 20; // characters that tell that a text which is cut goes on as the other

export { hasMore, asWritten, hasSign, isSaidTwice, oneSpace, cut, unsafeText, quote };
