import { startHttpJsonEmulator } from '#emulators/http-json/index';
import { signIn } from '../../support/google.ts';
import type { Subject, Upstream } from './upstream.ts';

export async function startHttpJsonUpstream(): Promise<Upstream> {
  const api = await startHttpJsonEmulator();
  const token = api.key();
  const subjects: Subject[] = [
    {
      name: 'http_json send_request',
      handle: 'none',
      request: (reference) => ({
        source: 'http_json',
        action_name: 'send_request',
        input: { summary: `Order ${reference}`, method: 'POST', path: '/items', body: { reference } },
      }),
      visible: (reference) => api.items().filter((item) => item['reference'] === reference).length,
      requests: (reference) => [{ method: 'POST', path: '/items', body: new RegExp(reference) }],
    },
    {
      name: 'http_json send_delete',
      handle: 'none',
      request(reference) {
        const { id } = api.put({ id: reference });
        const input = { summary: `Take ${reference} back`, path: `/items/by-id/${id}` };
        return { source: 'http_json', action_name: 'send_delete', input };
      },
      visible: (reference) => (api.items().some(({ id }) => id === reference) ? 0 : 1),
      requests: (reference) => [{ method: 'DELETE', path: `/items/by-id/${reference}` }],
      edits: { query: { reason: 'ordered-twice' } },
    },
  ];
  return {
    settings: { THALAMUS_EGRESS_ALLOW: api.url },
    failures: api.failures,
    ledger: api.ledger,
    async link(server) {
      const browser = await signIn(server);
      const header = { name: 'x-api-key', value: '{token}' };
      await browser.ok('connect_with_token', { provider: 'http_json', url: `${api.url}/items/all`, token, header });
    },
    subjects,
    close: () => api.close(),
  };
}
