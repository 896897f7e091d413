// How cmake/join_modules.awk joins the page's modules, and which mistakes it finds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../contract.mjs';
import { equal, has, same } from '../expect.mjs';

// Joins files, given as { path: text }, from main.js on. With `later`, the others that are not imported come beside it:
// then the files that are made are told, as { name: text }.
function joined(files, later = null) {
  const folder = mkdtempSync(join(tmpdir(), 'bridle-modules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const script = join(root, 'cmake/join_modules.awk');
    const made = join(folder, 'made');
    mkdirSync(made);
    const args = [...(later ? ['-v', `to=${made}`] : []), '-f', script, 'main.js', ...(later ?? [])];
    const { status, stdout, stderr } = spawnSync('awk', args, { cwd: folder, encoding: 'utf8' });
    equal(status === 0, stderr === '', stderr);
    const read = (name) => [name, readFileSync(join(made, name), 'utf8')];
    return { text: stdout, error: stderr, made: Object.fromEntries(readdirSync(made).sort().map(read)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export default {
  'modules are joined after those that they import, without comments and indentation': async () => {
    const { text, error } = joined({
      'main.js':
        "// Of the page.\nimport { b } from './in/b.js';\nimport {\n  a,\n  c,\n} from './a.js';\n\nfunction main() {\n  // why\n  return a + b + c; // kept\n}\nmain();\n",
      'a.js': 'const a = 1;\nconst c = 3;\n\nexport { a, c };\n',
      'in/b.js': "import { a } from '../a.js';\n\nlet b = a;\n\nexport {\n  b,\n};\n",
    });
    equal(error, '');
    same(text.split('\n'), [
      '(() => {',
      "'use strict';",
      "if (Object.hasOwn(globalThis, '__bridle')) return;",
      'const a = 1;',
      'const c = 3;',
      'let b = a;',
      'function main() {',
      'return a + b + c; // kept',
      '}',
      'main();',
      '})();',
      '',
    ]);
  },

  'modules that are loaded later import from the one that the others have become': async () => {
    const files = {
      'main.js': "import { a } from './a.js';\nfunction main() {\n  import('./later.js');\n}\nexport { main };\n",
      'a.js': 'const a = 1;\nexport { a };\n',
      'later.js':
        "// Why.\nimport { a } from './a.js';\nimport {\n  main,\n} from './main.js';\nimport { c } from './c.js';\n\nmain(a, c);\n",
      'c.js': "import { a } from './a.js';\nconst c = a;\nexport { c };\n",
    };
    const { made, error } = joined(files, ['a.js', 'c.js', 'later.js', 'main.js']);
    equal(error, '');
    same(made, {
      'c.js': "import { a } from './main.js';\nconst c = a;\nexport { c };\n",
      'later.js':
        "import { a } from './main.js';\nimport { main,} from './main.js';\nimport { c } from './c.js';\nmain(a, c);\n",
      'main.js': "const a = 1;\nfunction main() {\nimport('./later.js');\n}\nexport { a, main };\n",
    });
  },

  'mistakes of modules that are loaded later are told': async () => {
    const main = "import { a } from './a.js';\nimport('./later.js');\n";
    const a = 'const a = 1;\nexport { a };\n';
    for (const [files, later, part] of [
      [{ 'main.js': main, 'a.js': a }, ['a.js'], 'main.js: loads later.js later'],
      [
        { 'main.js': `${main}import('./a.js');\n`, 'a.js': a, 'later.js': '' },
        ['a.js', 'later.js'],
        'loads a.js later',
      ],
      [
        { 'main.js': main, 'a.js': a, 'later.js': "import { b } from './a.js';\n" },
        ['later.js'],
        'later.js: imports b, which a.js does not export',
      ],
      [
        { 'main.js': main, 'a.js': 'const a = 1;\nconst b = 1;\nexport { a, b };\n', 'later.js': '' },
        ['later.js'],
        'a.js: exports b, which nobody imports',
      ],
    ])
      has(joined(files, later).error, part);
  },

  'a list that C++ includes too becomes constants': async () => {
    const { text, error } = joined({
      'main.js': "import { A, B } from './in/list.def';\nconst c = A + B;\n",
      'in/list.def': '// What it is.\n\nA("one two")\nB("three")\nA("four")\n',
    });
    equal(error, '');
    has(text, "const A = 'one two four';\nconst B = 'three';\nconst c = A + B;\n");
  },

  'mistakes of modules are told with file and name': async () => {
    const a = 'const a = 1;\nexport { a };\n';
    const use = "import { a } from './a.js';\n";
    for (const [files, part] of [
      [{ 'main.js': "import { b } from './a.js';\n", 'a.js': a }, 'main.js: imports b, which a.js does not export'],
      [{ 'main.js': "import { a } from './none.js';\n" }, 'main.js: there is no file none.js'],
      [{ 'main.js': use, 'a.js': 'export { a };\n' }, 'a.js: exports a, which it does not declare'],
      [
        { 'main.js': use, 'a.js': 'const a = 1;\nconst b = 2;\nexport { a, b };\n' },
        'a.js: exports b, which nobody imports',
      ],
      [
        { 'main.js': use + 'function twice() {}\n', 'a.js': a + 'const twice = 1;\n' },
        'main.js: declares twice, which a.js declares too',
      ],
      [
        {
          'main.js': "import './a.js';\n",
          'a.js': "import { b } from './b.js';\n",
          'b.js': "import './a.js';\nconst b = 1;\nexport { b };\n",
        },
        'b.js: imports a.js, which imports it: a circle',
      ],
      [{ 'main.js': "import a from './a.js';\n", 'a.js': a }, 'instead of import a from'],
      [{ 'main.js': "import * as a from './a.js';\n", 'a.js': a }, 'instead of import * as a'],
      [{ 'main.js': "import { a as b } from './a.js';\n", 'a.js': a }, 'may not be renamed'],
      [{ 'main.js': use, 'a.js': 'export const a = 1;\n' }, 'a.js: write export { names };'],
      [{ 'main.js': use, 'a.js': 'const a = 1;\nexport default a;\n' }, 'a.js: write export { names };'],
      [{ 'main.js': use.replace('.js', '.def'), 'a.def': 'a("b")\n' }, 'a.def: write NAME("words") instead of a("b")'],
      [
        { 'main.js': use.replace('.js', '.def'), 'a.def': 'A("b")\n' },
        'main.js: imports a, which a.def does not export',
      ],
      [{ 'main.js': 'const { a } = {};\n' }, 'a top-level declaration needs a name'],
      [{ 'main.js': "import { a }\n  from './a.js'\n", 'a.js': a }, 'this has no end'],
    ])
      has(joined(files).error, part);
  },

  'folders of browser/page/js import in the order that its README names': async () => {
    const allowed = { dom: [], aria: ['dom'], tree: ['dom', 'aria'], target: ['dom', 'aria', 'tree'] };
    allowed.snapshot = ['dom', 'aria', 'tree', 'target'];
    allowed.wait = allowed.snapshot.filter((folder) => folder !== 'snapshot');
    allowed.input = [...allowed.wait, 'wait'];
    allowed.audit = allowed.wait;
    const scripts = join(root, 'browser/page/js');
    same(readdirSync(scripts).sort(), [...Object.keys(allowed), 'README.md', 'main.js'].sort());
    const wrong = [];
    for (const [folder, others] of Object.entries(allowed))
      for (const file of readdirSync(join(scripts, folder)))
        for (const [, path] of readFileSync(join(scripts, folder, file), 'utf8').matchAll(/ from '([^']*)';/g)) {
          if (path === '../../../../base/secret_names.def') continue; // shared with C++
          const from = join(folder, path).split('/')[0];
          if (from !== folder && !others.includes(from)) wrong.push(`${folder}/${file} imports ${path}`);
        }
    same(wrong, []);
  },
};
