// Services that say more than they should, or call two accounts the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Browser } from '../../../tests/support/google.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { startSmallService, type SmallService } from '../../../tests/support/small-service.ts';

const key = 'key_Lantern7Harbour42Saffron';

let service: SmallService;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  service = await startSmallService(({ path, headers }) => {
    const project = new URL(path, 'http://x').searchParams.get('project');
    if (project) return { body: [{ id: 1, title: `First of ${project}` }] };
    const sent = String(headers['authorization']);
    const coded = Buffer.from(sent).toString('base64');
    return { body: [{ id: 1, title: 'Echo', body: `You sent ${sent}, which is ${coded}.` }] };
  });
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: service.url });
  browser = await signIn(server);
});
afterAll(async () => {
  await server.close();
  await service.close();
});

async function link(path: string, token = ''): Promise<string> {
  const linked = await browser.ok('connect_with_token', { provider: 'http_json', url: service.url + path, token });
  return String(linked['connection_id']);
}

test('a key that a service tells back is in no page', async () => {
  const account = await link('/echo', key);
  const { page_slugs } = await server.ok('fetch_from_integration', { source: 'http_json', account, input: {} });
  const page = await server.ok('get_page', { slug: (page_slugs as string[])[0] });
  expect(page['body']).toMatch(/^You sent Bearer \[redacted\], which is /);
  const coded = [0, 1, 2].map((at) =>
    Buffer.from(`${' '.repeat(at)}${key}`)
      .toString('base64')
      .slice(4, 30),
  );
  for (const form of [key, ...coded]) expect(JSON.stringify(page)).not.toContain(form);
});
