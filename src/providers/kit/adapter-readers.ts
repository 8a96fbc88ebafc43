// How adapters ask services: through a linked account, or as anybody. Redirects are refused, so that what was judged is what is asked.
import type { Credential, ProviderDirectory } from '#kernel/provider-access';
import { decodeBodyText, type Egress } from '#platform/egress';
import type { Extraction } from '#platform/extraction';
import { buildConditionalHeaders, createProviderClient, readVersion, type Link } from '#providers/http';
import { createReaders, type ReadAccount, type Reader } from '#providers/reading';
import type { AdapterReader } from './adapter.ts';

/** Reads in the name of a linked account. */
export function openAccountReader(createReader: (link: Link) => Reader, link: Omit<Link, 'redirects'>): AdapterReader {
  return createReader({ ...link, redirects: 'refuse' });
}

type PublicDeps = { egress: Egress; clients: ProviderDirectory; extraction: Extraction };

/** What is read as anybody. */
export type PublicLink = {
  workspaceId: string;
  provider: string;
  /** What the link points at. */
  address: string;
  /** Asked about the address of each request before it leaves. Throws when it may not be read. */
  judge(url: string): Promise<unknown>;
};

const anonymous: Credential = { value: '', headers: {}, query: {}, place: 'header' };

/** Reads what everybody may read: without any credential. */
export function openPublicReader(
  { egress, clients, extraction }: PublicDeps,
  { workspaceId, provider, address, judge }: PublicLink,
): AdapterReader {
  const tokens = { accessToken: async () => '', credential: async () => anonymous };
  const client = createProviderClient({ egress, tokens, clients });
  const link: Link = { workspaceId, connectionId: address, provider, redirects: 'refuse' };
  const account: ReadAccount = { known_as: address, settings: { url: address } };
  const reader = createReaders(client, extraction)(link, account);
  return {
    address,
    async ask(request, more) {
      await judge(request.url);
      return reader.ask(request, more);
    },
    async own(known, { maxBytes }) {
      const url = address.replace(/^webcal:/i, 'https:');
      await judge(url);
      const headers = { accept: '*/*', ...buildConditionalHeaders(known) };
      const response = await client.send(link, { method: 'GET', url, headers, maxBytes });
      if (response.status === 304) return null;
      return { text: decodeBodyText(response), version: readVersion('', response) };
    },
  };
}
