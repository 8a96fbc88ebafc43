// Reads the endpoints of an install once: calls each, maps its items to pages, and stores those that are new.
import { AppError } from '#kernel/errors';
import type { NewPage } from '#kernel/page';
import { decodeBodyText, type Egress, type Handle } from '#platform/egress';
import { readWeb, type FilledRequest } from '#providers/http';
import type { ReadingEndpoint, ReadingTemplate } from '../manifest/reading-template.ts';
import type { ReadingCounts } from '../store/readings.ts';
import { fillEndpoint, type EndpointValues } from './fill-endpoint.ts';
import { checkSecrets } from './lent-secrets.ts';
import { mapItems } from './map-items.ts';
import { selectItems } from './select-items.ts';

const pagesPerBatch = 200;
const mostErrors = 20;

/** What is read: a template with the values and secrets of its install. */
export type EndpointReading = {
  template: ReadingTemplate;
  values: Omit<EndpointValues, 'handles'>;
  /** By the names of secrets, each limited to the host to which it was lent. */
  secrets: ReadonlyMap<string, Handle>;
  /** What the pages are from. */
  source: string;
  at: Date;
  /** Its secrets are those of the installer. */
  isShipped: boolean;
};

export type ReadingDeps = {
  egress: Egress;
  /** Asks the rules about a filled address before it is read. Throws when it may not be read. */
  judge(url: URL): Promise<void>;
  /** Stores pages. Returns how many are new. Throws when the install may not store any more. */
  store(pages: readonly NewPage[]): Promise<number>;
  deadline: AbortSignal;
};

/** `errors`: of endpoints and of items; the rest was stored. */
export type ReadingOutcome = { counts: ReadingCounts; failure: unknown; errors: string[] };

/** Reads each endpoint. One that fails ends no other. Throws only what `store` throws. */
export async function readEndpoints(deps: ReadingDeps, reading: EndpointReading): Promise<ReadingOutcome> {
  const outcome: ReadingOutcome = {
    counts: { requests: 0, retries: 0, items: 0, pages: 0, bytes: 0 },
    failure: undefined,
    errors: [],
  };
  for (const endpoint of reading.template.endpoints) {
    let items: unknown[];
    try {
      items = await readItems(deps, reading, endpoint, outcome.counts);
    } catch (error) {
      outcome.failure ??= error;
      noteErrors(outcome, [`${endpoint.op}: ${describeReadingError(error)}`]);
      continue;
    }
    outcome.counts.items += items.length;
    await storeItems(deps, reading, items, outcome);
  }
  return outcome;
}

/** The error text for people. Unknown errors are bugs; the log has them. */
export function describeReadingError(error: unknown): string {
  if (error instanceof AppError) return error.message.slice(0, 1_000);
  return 'Something went wrong on the server during reading. Thalamus will try again.';
}

async function readItems(
  { egress, judge, deadline }: ReadingDeps,
  reading: EndpointReading,
  endpoint: ReadingEndpoint,
  counts: ReadingCounts,
): Promise<unknown[]> {
  const { secrets, values, template } = reading;
  checkSecrets(endpoint, secrets, reading.isShipped);
  const handles = Object.fromEntries([...secrets].map(([name, { handle }]) => [name, handle]));
  const request: FilledRequest = fillEndpoint(endpoint, { ...values, handles });
  counts.requests += 1;
  const response = await readWeb(egress, request, {
    handles: [...secrets.values()],
    mayReach: judge,
    deadline,
    onRetry() {
      counts.requests += 1;
      counts.retries += 1;
    },
  });
  counts.bytes += response.body.length;
  return selectItems(decodeBodyText(response), template.mapping.iterate);
}

/** In batches, so that a long answer is never all pages at once. The first of several items with one identity counts. */
async function storeItems(
  { store }: ReadingDeps,
  { template, values, source, at }: EndpointReading,
  items: readonly unknown[],
  outcome: ReadingOutcome,
): Promise<void> {
  for (let from = 0; from < items.length; from += pagesPerBatch) {
    const batch = items.slice(from, from + pagesPerBatch);
    const mapped = mapItems(template.mapping, batch, { source, at, values, from });
    noteErrors(outcome, mapped.errors);
    if (mapped.pages.length) outcome.counts.pages += await store(mapped.pages);
  }
}

function noteErrors({ errors }: ReadingOutcome, more: readonly string[]): void {
  errors.push(...more.slice(0, mostErrors - errors.length));
}
