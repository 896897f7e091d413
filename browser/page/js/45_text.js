// Writing page text into the yaml so that it can't pass for anything else: no raw newlines, no fence, no heading.

// A quoted string as JSON has it. Three backticks in a row would end the fence that the yaml stands in.
function quote(text) {
  let out = JSON.stringify(text);
  if (out.includes('``')) out = out.replaceAll('`', '\\u0060');
  return unsafeText.test(out) ? out.replace(unsafeAll, escapeUnit) : out;
}
const unsafeText = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;
const unsafeAll = new RegExp(unsafeText, 'g');
const escapeUnit = (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0');

// A yaml key: `role "name" [state]`. Only what yaml would misread needs the single quotes around it.
function yamlKey(key) {
  return /: |:$| #/.test(key) ? "'" + key.replaceAll("'", "''") + "'" : key;
}

// A yaml value: plain where that is unambiguous, else quoted.
function yamlValue(text) {
  const plain = plainStart.test(text) && !/: | #|:$|``|[\n\r\t]|\s$/.test(text) && !unsafeText.test(text) && !kYamlWords.test(text);
  return plain ? text : quote(text);
}
// Starts with a letter or another sign that means nothing to yaml.
const plainStart = /^[\p{L}$(/_©+.;…\p{Extended_Pictographic}]/u;
const kYamlWords = /^(y|n|yes|no|on|off|true|false|null|[-+.]?(inf|nan))$|^[-+.\d]/i;
