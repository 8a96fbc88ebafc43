// A provider's API for writes: typed requests, and answers parsed by the write's own schema.
import { AppError } from '#kernel/errors';
import { parseBodyJson, type EgressResponse } from '#platform/egress';
import { z } from 'zod';
import { resolveAtApi, parseNextLink } from './ask-through.ts';
import { pickRefusals, type Api } from './api-schema.ts';
import { listItems, type Page } from './pages.ts';
import type { ProviderRequest, Reach } from './provider-client.ts';
import { isNotFound } from './provider-error.ts';

type Scalar = string | number | boolean;

/** A request below the base URL of an API. Undefined parts are left out. */
export type Request = {
  /** Default: GET. */
  method?: ProviderRequest['method'];
  /** Built by `writePath`, so that a value stays in its segment. */
  path: string;
  query?: Readonly<Record<string, Scalar | readonly string[] | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form, instead of a body. */
  form?: Readonly<Record<string, Scalar | undefined>>;
};

/** A list: the request for a page, its items, and the position or the address of the next page. */
export type ListRequest<Answer extends z.ZodType, Item> = {
  answer: Answer;
  request(page: string | undefined): Request;
  items(answer: z.output<Answer>): readonly Item[];
  next?(answer: z.output<Answer>, page: string | undefined): string | number | null | undefined;
  /** `link`: from the `Link` header (RFC 8288). */
  nextUrl?(answer: z.output<Answer>, link: string | null): string | null | undefined;
};

/** An API, used in the name of one account. */
export type ProviderApi = {
  /** Sends a reading request. */
  read<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer>>;
  /** Like `read`, for something that may not exist. */
  find<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer> | undefined>;
  /** Every item of a list. Throws when there are more than the limit. */
  list<Answer extends z.ZodType, Item>(listing: ListRequest<Answer, Item>): AsyncGenerator<Item>;
  /** Sends a changing request. Throws when the answer has another form: then a look-up finds the outcome. */
  write<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer>>;
  reach: Reach;
};

/** A request whose answer is only a status. */
export const nothing = z.unknown().refine((answer) => answer !== null);

/** The error when the answer does not have the documented form: the outcome is unknown. */
const unclear = "The provider's answer differs from its documentation, so the outcome is unknown.";

/** The most items of a list that are read. */
const mostReadItems = 5_000;

/** An API in the name of the account that `reach` gives access to. */
export function createProviderApi(api: Api, reach: Reach): ProviderApi {
  const { client, link } = reach;
  const send = (request: ProviderRequest) => client.send(link, { ...request, ...pickRefusals(api) });

  async function read<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer>> {
    return parseAnswer(answer, await send({ ...buildRequest(api, request), isRead: true }), strange);
  }

  async function readPage<Answer extends z.ZodType, Item>(
    { answer, request, items, next, nextUrl }: ListRequest<Answer, Item>,
    page: string | null,
  ): Promise<Page<Item>> {
    const asked = buildRequest(api, request(nextUrl ? undefined : (page ?? undefined)));
    if (nextUrl && page !== null) Object.assign(asked, { url: resolveAtApi(page, api.baseUrl), query: {} });
    const response = await send({ ...asked, isRead: true });
    const data = parseAnswer(answer, response, strange);
    const following = nextUrl
      ? nextUrl(data, parseNextLink(response.headers['link']))
      : next?.(data, page ?? undefined);
    return { items: items(data), next: following ? String(following) : null };
  }

  return {
    reach,
    read,
    find: (answer, request) => allowMissing(read(answer, request)),
    async *list(listing) {
      let seen = 0;
      for await (const item of listItems((page) => readPage(listing, page))) {
        seen += 1;
        if (seen > mostReadItems)
          throw new AppError(
            'upstream_failed',
            `The provider lists more than ${mostReadItems} items, which is too many to search.`,
          );
        yield item;
      }
    },
    write: async (answer, request) => parseAnswer(answer, await send(buildRequest(api, request)), unclear),
  };
}

/** The item; undefined when the provider says that it does not exist. */
export async function allowMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A request in its final form. */
function buildRequest(api: Api, { method = 'GET', path, headers, form, ...rest }: Request): ProviderRequest {
  const content = form && { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    ...rest,
    method,
    url: `${api.baseUrl}${path}`,
    headers: { ...api.headers, ...headers, ...content },
    ...(form && { body: encodeForm(form) }),
  };
}

function encodeForm(form: NonNullable<Request['form']>): string {
  const given = Object.entries(form).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

const strange = "The provider's answer differs from its documentation. Try again later.";

function parseAnswer<Answer extends z.ZodType>(
  answer: Answer,
  response: EgressResponse,
  message: string,
): z.output<Answer> {
  const result = answer.safeParse(response.body.length === 0 ? undefined : parseBodyJson(response));
  if (result.success) return result.data;
  throw new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause: result.error });
}

/**
 * A path with its values escaped: a value cannot leave its segment.
 * @example at`/repos/${owner}/${name}/issues`
 */
export function writePath(strings: TemplateStringsArray, ...parts: readonly Scalar[]): string {
  const path = strings.map((literal, place) => `${literal}${escapeSegment(parts[place])}`).join('');
  const wrong = path
    .split('/')
    .slice(1)
    .find((segment) => /^\.{0,2}$/.test(segment));
  if (wrong === undefined) return path;
  const message = `“${wrong}” cannot identify anything at the provider. Pass an id or a name.`;
  throw Object.assign(new AppError('invalid_input', message), { delivery: 'not_sent' });
}

function escapeSegment(part: Scalar | undefined): string {
  return part === undefined ? '' : encodeURIComponent(String(part).toWellFormed());
}
