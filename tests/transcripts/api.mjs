// What the pages of site/ ask their server for. Each answer takes the time that it would take elsewhere.

const kPassword = 'open sesame';
const kCities = [
  'Berlin',
  'Bern',
  'Lisbon',
  'Oslo',
  'Paris',
  'Rome',
  ...Array.from({ length: 54 }, (_, i) => `City ${i}`),
].map((name, i) => ({
  name,
  country: ['Germany', 'Switzerland', 'Portugal', 'Norway', 'France', 'Italy'][i] ?? `Country ${i % 9}`,
}));
const kBooks = [
  { id: 1, title: 'Emma', author: 'Jane Austen', state: 'Free' },
  { id: 2, title: 'Ulysses', author: 'James Joyce', state: 'Lent until May' },
  { id: 3, title: 'Middlemarch', author: 'George Eliot', state: 'Free' },
];
const kPanels = [
  '',
  '<table><tr><th>Time</th><th>°C</th></tr><tr><td>10:00</td><td>21.5</td></tr><tr><td>11:00</td><td>22.0</td></tr></table>',
  '<ul><li>09:12 started</li><li>09:40 restarted</li></ul>',
];

const later = (ms, work) => setTimeout(work, ms);
function json(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const queryOf = (request) => new URL(request.url, 'http://localhost').searchParams;

// The first list of cities comes when a session says so: the page is loaded before its list is, however fast.
let answerFirst = () => {};
export const bringCities = () => answerFirst();

export const routes = {
  '/favicon.ico': (_, response) => response.writeHead(204).end(),
  async '/api/login'(request, response) {
    const fields = new URLSearchParams((await bodyOf(request)).toString());
    later(120, () => json(response, {}, fields.get('password') === kPassword ? 200 : 401));
  },
  '/api/cities'(request, response) {
    const query = queryOf(request);
    const words = query.get('q').toLowerCase();
    const found = kCities.filter(({ name, country }) => `${name} ${country}`.toLowerCase().includes(words));
    const answer = () => json(response, { total: found.length, items: found.slice(0, Number(query.get('n'))) });
    if (query.has('first')) answerFirst = answer;
    else later(60, answer);
  },
  '/api/panel': (request, response) => later(250, () => response.end(kPanels[queryOf(request).get('i')])),
  '/api/library'(request, response) {
    if (queryOf(request).get('what') === 'loans') later(150, () => json(response, {}, 503));
    else later(300, () => json(response, kBooks));
  },
  '/api/save': (_, response) => later(150, () => response.end()),
  async '/api/upload'(request, response) {
    const { length } = await bodyOf(request);
    later(100, () => json(response, { size: length }));
  },
  '/download/report.csv': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' })
      .end('Berth,State\n12,free\n14,taken\n15,free\n'),
};
