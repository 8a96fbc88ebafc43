import { expect, test } from 'vitest';
import { clients } from './clients.ts';

const url = 'https://thalamus.example/mcp';

function installLink(id: string): URL {
  return new URL(clients.find((client) => client.id === id)?.url.installLink?.(url) ?? '');
}

test('the link of Cursor names the server and carries its config', () => {
  const link = installLink('cursor');
  expect(link.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
  expect(link.searchParams.get('name')).toBe('thalamus');
  expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toEqual({ url });
});

test('the link of VS Code carries the server as JSON', () => {
  const link = installLink('vs-code');
  expect(`${link.protocol}${link.pathname}`).toBe('vscode:mcp/install');
  expect(JSON.parse(decodeURIComponent(link.search.slice(1)))).toEqual({ name: 'thalamus', type: 'http', url });
});

test('no config for a connection by URL contains a key, and every config with a key contains it', () => {
  for (const { name, url: byUrl, key } of clients) {
    expect(byUrl.config?.write(url, 'cm_secret') ?? '', name).not.toContain('cm_secret');
    if (key) expect(key.config?.write(url, 'cm_secret'), name).toContain('cm_secret');
  }
});
