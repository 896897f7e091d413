// For the agreement test only: joined in before the script's last file, it sees what the script keeps to itself.
// Every element the walk makes a node of, with its role and name before anything is folded away.
globalThis.__bridleAudit = () => {
  const seen = [];
  const original = newNode;
  newNode = (el, tag, role, name, from) => { if (el !== document) seen.push([attr(el, 'data-n'), role, name]); return original(el, tag, role, name, from); };
  try { withPass(() => buildTree(document)); } finally { newNode = original; }
  return seen;
};
// Numbers all elements, so that CDP's nodes and ours can be told to be the same.
globalThis.__bridleNumber = () => {
  let n = 0;
  const visit = (el) => {
    el.setAttribute('data-n', String(n++));
    const root = shadowRootOf(el);
    if (root) for (const child of root.children) visit(child);
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) if (isElement(child)) visit(child);
  };
  visit(documentElementOf(document));
  return n;
};
