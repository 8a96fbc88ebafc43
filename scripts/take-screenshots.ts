// Takes the pictures in docs/images from a real server with a small, made-up mailbox and brain.
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { linkGoogle } from '../tests/support/google.ts';
import { reachServer } from '../tests/support/server.ts';
import { startThalamus, type Thalamus } from '../tests/e2e/thalamus.ts';
import { findChromium } from './chromium.ts';

const folder = join(import.meta.dirname, '../docs/images');
const account = 'ada@example.com';
const desktop = { width: 1360, height: 850 };
const phone = { width: 390, height: 844 };
const pictures = [
  { name: 'inbox', path: '/inbox', viewport: desktop, colorScheme: 'light' },
  { name: 'inbox-phone', path: '/inbox', viewport: phone, colorScheme: 'light' },
  { name: 'home-dark', path: '/', viewport: desktop, colorScheme: 'dark' },
  { name: 'memory', path: '/memory?q=why Postgres for small graphs', viewport: desktop, colorScheme: 'light' },
  { name: 'integrations', path: '/integrations', viewport: desktop, colorScheme: 'light' },
  { name: 'connect', path: '/agents/connect', viewport: desktop, colorScheme: 'light' },
] as const;

const memories = [
  { content: 'We chose Postgres over Neo4j because graph sizes per brain are small', type: 'decision' },
  { content: 'The staging database is restored from production every night at 03:00 UTC, with personal data removed' },
  { content: 'Never mail a customer after 18:00 their time', salience: 'critical' },
  { content: 'Marek prefers agendas with at most three points' },
  { content: 'Noticed that search latency doubles when the batch size is above 200' },
];
const mails = [
  {
    to: ['noah@northwind.example'],
    subject: "Thursday's review: agenda and the two open points",
    body: 'Hi Noah,\n\nthanks for the notes. For Thursday I suggest we take forty minutes and start with the two open points:\n\n1. Who signs off the migration window\n2. Whether the Friday freeze still holds\n\nI will bring the numbers on both.\n\nBest,\nAda',
  },
  { to: ['lea@acme.example'], subject: 'Invoice 2041', body: 'Hi Lea,\n\nhere is the invoice for October.\n\nAda' },
];

const thalamus = await startThalamus({ DATABASE_URL: '' });
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await fill(thalamus);
  for (const picture of pictures) await take(browser, thalamus, picture);
} finally {
  await browser.close();
  await thalamus.close();
}

async function fill({ google, url, ownerKey, call }: Thalamus): Promise<void> {
  google.addAccount({ email: account, name: 'Ada' });
  await linkGoogle(reachServer(url, ownerKey), google, { email: account });
  const { key } = await call(ownerKey, 'create_key', { label: 'Claude on my laptop' });
  for (const memory of memories) await call(String(key), 'add_memory', memory);
  const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const event = {
    summary: 'Migration review',
    start: `${start}T13:00:00Z`,
    end: `${start}T13:40:00Z`,
    attendees: ['noah@northwind.example'],
  };
  await call(String(key), 'act_on_integration', { source: 'calendar', action_name: 'create_event', input: event });
  for (const input of mails.toReversed())
    await call(String(key), 'act_on_integration', { source: 'gmail', action_name: 'send_email', input });
}

async function take(
  browser: Browser,
  { url, ownerKey, call }: Thalamus,
  picture: (typeof pictures)[number],
): Promise<void> {
  const { name, path, viewport, colorScheme } = picture;
  const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: viewport === phone ? 2 : 1 });
  const link = await call(ownerKey, 'create_sign_in_link');
  await page.goto(String(link['url']));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}${path}`);
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
  process.stdout.write(`docs/images/${name}.png\n`);
}
