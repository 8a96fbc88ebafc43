import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { consoleRoutes } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-'));
const script = 'export const word = "again";\n'.repeat(500);
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'assets', 'index-1.js'), script);
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
afterAll(() => rmSync(folder, { recursive: true }));

test('the page of the console runs no script of its own text, and no page may frame it', async () => {
  const answer = await consoleRoutes(folder).request('/sign-in');
  expect(await answer.text()).toBe('<!doctype html>');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('script-src');
});

test('built files are sent compressed to browsers that take it, and whole to others', async () => {
  const app = consoleRoutes(folder);
  const packed = await app.request('/assets/index-1.js', { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect((await packed.arrayBuffer()).byteLength).toBeLessThan(script.length / 10);
  const whole = await app.request('/assets/index-1.js');
  expect(whole.headers.get('content-encoding')).toBeNull();
  expect(await whole.text()).toBe(script);
});
