import type { ReadRuling } from '#modules/policy';
import type { Extraction } from '#platform/extraction';
import type { Link, ProviderClient } from '#providers/http';
import { createReaders as createUnruledReaders, type ReadAccount, type Reader } from '#providers/reading';

/** The part of a linked account that a reader passes to its source. */
export type OfAccount = ReadAccount & { account: string };

/** Creates the reader of a linked account, once the policy allows reading through it. */
export type ReaderOf = (link: Link, of: OfAccount, ruling: ReadRuling) => Reader;

/** Creates readers for linked accounts, each with the policy's ruling about its account. */
export function createReaders(client: ProviderClient, extraction: Extraction): ReaderOf {
  const createReader = createUnruledReaders(client, extraction);
  return (link, of, ruling) => {
    if (ruling.account !== of.account) throw new Error(`a ruling about ${ruling.account} is none about ${of.account}`);
    return createReader(link, of);
  };
}
