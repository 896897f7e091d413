export default {
  printWidth: 120,
  singleQuote: true,
  quoteProps: 'as-needed',
  trailingComma: 'all',
  arrowParens: 'always',
};
