// How far roles and names agree with Chromium's own accessibility tree, over the pages of corpus/.
//   node tests/page/agreement.mjs [page]    prints every difference
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser } from './cdp.mjs';

const corpus = join(dirname(fileURLToPath(import.meta.url)), 'corpus');

// Chromium's internal role names, where they aren't ARIA's. '-' stands for "a container that says nothing".
const kRoleNames = {
  none: '-',
  generic: '-',
  presentation: '-',
  LabelText: '-',
  Legend: '-',
  Figcaption: '-',
  Section: '-',
  Pre: '-',
  Abbr: '-',
  sectionheader: '-',
  sectionfooter: '-',
  SectionHeader: '-',
  SectionFooter: '-',
  HeaderAsNonLandmark: '-',
  FooterAsNonLandmark: '-',
  MenuListPopup: '-',
  Ruby: '-',
  RubyAnnotation: '-',
  LineBreak: '-',
  Details: 'group',
  DisclosureTriangle: 'button',
  DisclosureTriangleGrouped: 'button',
  image: 'img',
  Image: 'img',
  SvgRoot: 'img',
  MenuListOption: 'option',
  Iframe: 'iframe',
  IframePresentational: 'iframe',
  DescriptionList: 'list',
  DescriptionListTerm: 'term',
  DescriptionListDetail: 'definition',
  ProgressIndicator: 'progressbar',
  ColorWell: 'button',
  Date: 'textbox',
  DateTime: 'textbox',
  InputTime: 'textbox',
  LayoutTable: 'table',
  LayoutTableRow: 'row',
  LayoutTableCell: 'cell',
  RootWebArea: '-',
  Canvas: '-',
  Video: '-',
  Audio: '-',
  EmbeddedObject: '-',
  PluginObject: '-',
  MathMLMath: 'math',
  MathMLIdentifier: '-',
  splitter: 'separator',
  contentinfo: 'contentinfo',
  searchBox: 'searchbox',
};

const ours = (role) => (role === 'generic' || role === 'none' || role === undefined ? '-' : role);
const theirs = (role) => kRoleNames[role] ?? role;
const tidy = (name) =>
  name
    .replace(/[\u200b\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

async function numbers(page) {
  const { root } = await page.send('DOM.getDocument', { depth: -1, pierce: true });
  const byBackend = new Map();
  const visit = (node) => {
    const at = node.attributes?.indexOf('data-n') ?? -1;
    if (at !== -1) byBackend.set(node.backendNodeId, { n: node.attributes[at + 1], tag: node.localName });
    for (const child of [
      ...(node.children ?? []),
      ...(node.shadowRoots ?? []).filter((r) => r.shadowRootType !== 'user-agent'),
    ])
      visit(child);
  };
  visit(root);
  return byBackend;
}

export async function comparePage(page, html) {
  await page.load(html);
  await page.raw('__bridleNumber()');
  const mine = new Map((await page.raw('__bridleAudit()')).map(([n, role, name]) => [n, { role, name }]));
  const byBackend = await numbers(page);
  const { nodes } = await page.send('Accessibility.getFullAXTree');
  const tree = new Map();
  for (const node of nodes) {
    const known = byBackend.get(node.backendDOMNodeId);
    if (known && !node.ignored) tree.set(known.n, { role: node.role.value, name: node.name?.value ?? '' });
  }
  const differences = [];
  let count = 0;
  for (const { n, tag } of byBackend.values()) {
    const a = mine.get(n);
    const b = tree.get(n);
    const roleA = ours(a?.role);
    const roleB = theirs(b?.role ?? 'none');
    if (roleA === '-' && roleB === '-') continue;
    count++;
    if (roleA !== roleB)
      differences.push(`<${tag}> role ${roleA}${a ? ` "${a.name}"` : ''}, Chromium ${b?.role} "${b?.name ?? ''}"`);
    else if (tidy(a.name) !== tidy(b.name))
      differences.push(`<${tag}> ${roleA} named "${a.name}", Chromium "${b.name}"`);
  }
  return { count, differences };
}

export async function compareCorpus(browser, only = null) {
  const page = await browser.newPage('tests/page/audit.js');
  await page.send('Accessibility.enable');
  const pages = [];
  for (const file of readdirSync(corpus)
    .filter((f) => f.endsWith('.html'))
    .sort()) {
    if (only && file !== only + '.html') continue;
    pages.push({ file, ...(await comparePage(page, readFileSync(join(corpus, file), 'utf8'))) });
  }
  await browser.send('Target.closeTarget', { targetId: page.targetId });
  const count = pages.reduce((sum, p) => sum + p.count, 0);
  const wrong = pages.reduce((sum, p) => sum + p.differences.length, 0);
  return { pages, count, wrong, agreement: (count - wrong) / count };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = await Browser.launch();
  try {
    const { pages, count, wrong, agreement } = await compareCorpus(browser, process.argv[2]);
    for (const { file, differences } of pages) for (const text of differences) console.log(`${file}: ${text}`);
    console.log(`${pages.length} pages, ${count} nodes, ${wrong} differ: ${(agreement * 100).toFixed(2)} % agree`);
  } finally {
    await browser.close();
  }
}
