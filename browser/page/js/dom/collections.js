// Sets of words, and lists by key.

const words = (text) => new Set(text.split(' '));

function group(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export { words, group };
