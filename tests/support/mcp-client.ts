import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Which protocol a test client speaks: the newest the server has, the one with a handshake, or the deprecated stream. */
export type Wire = '2026-07-28' | '2025-11-25' | '2024-11-05 (HTTP+SSE)';

/** Connects the SDK's own client to an address, with a key. Close it after use. */
export async function connectMcp(url: string, key: string, wire: Wire = '2026-07-28'): Promise<Client> {
  const mode = wire === '2026-07-28' ? 'auto' : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const isStream = wire === '2024-11-05 (HTTP+SSE)';
  const transport = isStream
    ? new SSEClientTransport(new URL(url), { requestInit })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport);
  return client;
}
