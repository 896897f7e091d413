import { kLeanBrowser } from '../support/served.mjs';
import { Browser } from './cdp.mjs';
const browser = await Browser.launch(kLeanBrowser);
const page = await browser.newPage();
const { default: run } = await import(process.argv[2]);
try {
  await run(page, (t) => console.log(t));
} finally {
  await browser.close();
}
process.exit(0);
