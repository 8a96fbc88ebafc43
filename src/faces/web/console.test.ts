import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { consolePages } from './console-pages.ts';
import { createConsoleRoutes } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-'));
const script = 'export const word = "again";\n'.repeat(500);
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'assets', 'index-1.js'), script);
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
afterAll(() => rmSync(folder, { recursive: true }));

test('the page of the console runs no script of its own text, and no page may frame it', async () => {
  const answer = await createConsoleRoutes(folder).request('/sign-in');
  expect(await answer.text()).toBe('<!doctype html>');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('script-src');
});

test('built files are sent compressed to browsers that accept it, and uncompressed to others', async () => {
  const app = createConsoleRoutes(folder);
  const packed = await app.request('/assets/index-1.js', { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect((await packed.arrayBuffer()).byteLength).toBeLessThan(script.length / 10);
  const whole = await app.request('/assets/index-1.js');
  expect(whole.headers.get('content-encoding')).toBeNull();
  expect(await whole.text()).toBe(script);
});

test('every page of the console, including moved ones, has a path that the server knows, and no other has', () => {
  const source = join(import.meta.dirname, '../../../console/src');
  const texts = globSync('{features,routing}/**/*.{ts,tsx}', { cwd: source }).map((file) =>
    readFileSync(join(source, file), 'utf8'),
  );
  const routes = texts.flatMap((text) =>
    [...text.matchAll(/(?:\bpath: |createPageRoute\()'\/([\w-]*)/g)].map(([, first]) => first),
  );
  const moved = texts.flatMap((text) => [
    ...(/const moved[^{]*\{([^}]*)\}/.exec(text)?.[1]?.matchAll(/'\/([\w-]+)[^']*': '/g) ?? []),
  ]);
  expect(new Set(consolePages)).toEqual(new Set([...routes, ...moved.map(([, first]) => first)]));
});

test('a missing file is not a page of the console', async () => {
  const app = createConsoleRoutes(folder);
  for (const accept of ['*/*', 'image/avif,image/webp,*/*;q=0.8', 'text/html']) {
    for (const path of ['/favicon.ico', '/sitemap.xml', '/.env', '/wp-login.php', '/.well-known/security.txt'])
      expect((await app.request(path, { headers: { accept } })).status, `${accept} ${path}`).toBe(404);
  }
  const opened = await app.request('/no-such-page', { headers: { accept: 'text/html,*/*' } });
  expect([opened.status, await opened.text()]).toEqual([404, '<!doctype html>']);
  const asked = await app.request('/no-such-page', { headers: { accept: '*/*' } });
  expect([asked.status, await asked.text()]).not.toContain('<!doctype html>');
  expect((await app.request('/integrations/gmail')).status).toBe(200);
});
