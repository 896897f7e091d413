// What differs from run to run, replaced by a word: addresses, folders, times, what depends on the fonts.

// `places`: {site, files}, the site's origin and the folder of the files to upload.
export function normalised(text, { site, files }) {
  return text
    .replaceAll(site, 'http://site')
    .replaceAll(files, '/files')
    .replaceAll(/[^\s"]*\/output\/[^/\s"]+\//g, '/output/session/')
    .replaceAll(/(Nearest: [^\n]*) \(waited \d+ ms\)/g, '$1') // said at once where the page is quiet by then
    .replaceAll(/\b(in|waited) \d+ ms/g, '$1 N ms')
    .replaceAll(/\[scroll: [^\]]*\]/g, (mark) => mark.replaceAll(/\d+/g, 'N')) // as the fonts are
    .replaceAll(/; still loading: \d+ requests?\b/g, '') // as much as is on its way then [nav.verdict]
    .replaceAll(/(opened a new tab: t\d+) "[^"\n]*"/g, '$1'); // told where it comes in time [nav.popup]
}
