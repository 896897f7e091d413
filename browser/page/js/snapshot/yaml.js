// Writing page text into the yaml so that it can't pass for anything else: no raw newlines, no fence, no heading.

import { quote, unsafeText } from '../dom/text.js';

// A yaml key: `role "name" [state]`. Only what yaml would misread needs the single quotes around it.
function yamlKey(key) {
  return /: |:$| #/.test(key) ? "'" + key.replaceAll("'", "''") + "'" : key;
}

// A yaml value: plain where that is unambiguous, else quoted.
function yamlValue(text) {
  const plain =
    plainStart.test(text) && !/: | #|:$|``|[\n\r\t]|\s$/.test(text) && !unsafeText.test(text) && !kYamlWords.test(text);
  return plain ? text : quote(text);
}

// Starts with a letter or another sign that means nothing to yaml.
const plainStart = /^[\p{L}$(/_©+.;…\p{Extended_Pictographic}]/u;
const kYamlWords = /^(y|n|yes|no|on|off|true|false|null|[-+.]?(inf|nan))$|^[-+.\d]/i;

export { yamlKey, yamlValue };
