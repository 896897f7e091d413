// Rules for the page's scripts (browser/page/js) and for the tests' own modules (tests/**/*.mjs). What concerns the
// looks is prettier's.
const pageGlobals =
  'Animation CSSAnimation cancelAnimationFrame cancelIdleCallback clearTimeout CSS CSSStyleSheet CSSContainerRule CSSFontFaceRule CSSImportRule CSSKeyframeRule CSSKeyframesRule CSSMediaRule CSSScopeRule CSSStyleRule CSSSupportsRule devicePixelRatio document DocumentTimeline Document ' +
  'DocumentFragment Element Event EventTarget getComputedStyle getSelection HTMLElement HTMLEmbedElement HTMLInputElement HTMLObjectElement ' +
  'HTMLButtonElement HTMLLabelElement HTMLOptionElement HTMLSelectElement HTMLSlotElement HTMLTextAreaElement HTMLImageElement HTMLMediaElement innerHeight innerWidth ' +
  'atob Blob btoa createImageBitmap DOMMatrix InputEvent location matchMedia MessageChannel MutationObserver Node NodeFilter OffscreenCanvas performance Range requestAnimationFrame requestIdleCallback scrollX scrollY ' +
  'HTMLUnknownElement setTimeout ShadowRoot SVGElement TreeWalker URL visualViewport window';
const nodeGlobals =
  'AbortController AbortSignal Buffer clearInterval clearTimeout console fetch Headers performance process queueMicrotask ' +
  'ReadableStream Request Response setImmediate setInterval setTimeout TextDecoder TextEncoder URL URLSearchParams';
const panelGlobals =
  'AbortController AbortSignal addEventListener Blob console createImageBitmap crypto devicePixelRatio dispatchEvent document Event fetch innerHeight ' +
  'location matchMedia navigator performance removeEventListener reportError ResizeObserver sessionStorage setInterval clearInterval setTimeout clearTimeout ' +
  'TextDecoder URLSearchParams';
const readonly = (names) => Object.fromEntries(names.split(' ').map((name) => [name, 'readonly']));

const rules = {
  'array-callback-return': 'error',
  'constructor-super': 'error',
  'default-case-last': 'error',
  eqeqeq: 'error',
  'for-direction': 'error',
  'getter-return': 'error',
  'no-async-promise-executor': 'error',
  'no-case-declarations': 'error',
  'no-class-assign': 'error',
  'no-compare-neg-zero': 'error',
  'no-cond-assign': 'error',
  'no-const-assign': 'error',
  'no-constant-binary-expression': 'error',
  'no-debugger': 'error',
  'no-delete-var': 'error',
  'no-dupe-args': 'error',
  'no-dupe-class-members': 'error',
  'no-dupe-else-if': 'error',
  'no-dupe-keys': 'error',
  'no-duplicate-case': 'error',
  'no-duplicate-imports': 'error',
  'no-empty': 'error',
  'no-empty-character-class': 'error',
  'no-eval': 'error',
  'no-ex-assign': 'error',
  'no-fallthrough': 'error',
  'no-func-assign': 'error',
  'no-global-assign': 'error',
  'no-implied-eval': 'error',
  'no-import-assign': 'error',
  'no-invalid-regexp': 'error',
  'no-irregular-whitespace': 'error',
  'no-loss-of-precision': 'error',
  'no-misleading-character-class': 'error',
  'no-multi-str': 'error',
  'no-new-wrappers': 'error',
  'no-obj-calls': 'error',
  'no-prototype-builtins': 'error',
  'no-redeclare': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-setter-return': 'error',
  'no-shadow': ['error', { builtinGlobals: false, hoist: 'all' }],
  'no-sparse-arrays': 'error',
  'no-this-before-super': 'error',
  'no-throw-literal': 'error',
  'no-undef': 'error',
  'no-unexpected-multiline': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-unreachable': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-negation': 'error',
  'no-unsafe-optional-chaining': 'error',
  'no-unused-labels': 'error',
  'no-unused-private-class-members': 'error',
  'no-unused-vars': ['error', { args: 'after-used', caughtErrors: 'all' }],
  'no-useless-catch': 'error',
  'no-useless-escape': 'error',
  'no-var': 'error',
  'no-with': 'error',
  'no-sequences': ['error', { allowInParentheses: false }],
  'object-shorthand': 'error',
  'one-var': ['error', 'never'],
  'prefer-const': ['error', { destructuring: 'all' }],
  'require-yield': 'error',
  'use-isnan': 'error',
  'valid-typeof': 'error',
};

// What cmake/join_modules.awk needs to see the modules' names and to leave out comments and indentation.
const joinable = [
  {
    selector: 'Program > VariableDeclaration[declarations.length>1]',
    message: 'One declaration for each top-level name.',
  },
  {
    selector: 'Program > VariableDeclaration > VariableDeclarator[id.type!="Identifier"]',
    message: 'No destructuring at the top level.',
  },
  {
    selector: 'TemplateElement[value.raw=/\\n/]',
    message: 'No template literal over several lines: its indentation would be lost.',
  },
];

export default [
  { ignores: ['**/node_modules/**', 'build/**', 'build-*/**'] },
  {
    files: ['browser/page/js/**/*.js', 'tests/page/audit.js', 'tests/page/regions.js'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: readonly(pageGlobals) },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...rules, 'no-restricted-syntax': ['error', ...joinable], 'max-lines': ['error', 400] },
  },
  {
    files: ['server/panel/page/*.js'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: readonly(panelGlobals) },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...rules, 'no-restricted-syntax': ['error', ...joinable] },
  },
  {
    files: ['tests/**/*.mjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: readonly(nodeGlobals) },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules,
  },
  {
    // Functions in them run in the panel's page.
    files: ['tests/panel/**/*.mjs'],
    languageOptions: {
      globals: readonly(
        'ClipboardEvent DataTransfer document getComputedStyle innerWidth navigator requestAnimationFrame window',
      ),
    },
  },
];
