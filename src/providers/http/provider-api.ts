// A provider's API for writes: typed requests, and answers parsed by the write's own schema.
import { AppError } from '#kernel/errors';
import { bodyJson, type EgressResponse } from '#platform/egress';
import { z } from 'zod';
import { atApi, nextIn } from './ask-through.ts';
import { refusalsOf, type Api } from './api-schema.ts';
import { itemsOf, type Page } from './pages.ts';
import type { ProviderRequest, Reach } from './provider-client.ts';
import { isNotFound } from './provider-fault.ts';

type Scalar = string | number | boolean;

/** A request below the base URL of an API. What is undefined in it is left out. */
export type Request = {
  /** Absent: GET. */
  method?: ProviderRequest['method'];
  /** As `at` writes it, so that a value stays in its segment. */
  path: string;
  query?: Readonly<Record<string, Scalar | readonly string[] | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form, in place of a body. */
  form?: Readonly<Record<string, Scalar | undefined>>;
};

/** A list: how a page of it is asked for, what is in it, and what tells the next one, by its name or by its address. */
export type ListRequest<Answer extends z.ZodType, Item> = {
  answer: Answer;
  request(page: string | undefined): Request;
  items(answer: z.output<Answer>): readonly Item[];
  next?(answer: z.output<Answer>, page: string | undefined): string | number | null | undefined;
  /** `link`: what the `Link` header says (RFC 8288). */
  nextUrl?(answer: z.output<Answer>, link: string | null): string | null | undefined;
};

/** An API, used in the name of one account. */
export type ProviderApi = {
  /** Sends a reading request. */
  read<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer>>;
  /** The same of something that need not be there. */
  find<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer> | undefined>;
  /** Every item of a list, as far as anybody looks. */
  list<Answer extends z.ZodType, Item>(listing: ListRequest<Answer, Item>): AsyncGenerator<Item>;
  /** Sends a changing request. An answer of another form throws: then the provider is asked what happened. */
  write<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer>>;
  reach: Reach;
};

/** An answer with a status only. */
export const nothing = z.unknown().refine((answer) => answer !== null);

/** Said of what was sent, when the answer does not say what was made. */
const unclear =
  'The provider answered, and not as its documentation says, so that it is not known whether it was done.';

/** The most items of a list that are read. */
const mostLookedAt = 5_000;

/** An API in the name of the account that `reach` is for. */
export function apiFor(api: Api, reach: Reach): ProviderApi {
  const { client, link } = reach;
  const send = (request: ProviderRequest) => client.send(link, { ...request, ...refusalsOf(api) });

  async function read<Answer extends z.ZodType>(answer: Answer, request: Request): Promise<z.output<Answer>> {
    return parsed(answer, await send({ ...requestOf(api, request), isRead: true }), strange);
  }

  async function pageOf<Answer extends z.ZodType, Item>(
    { answer, request, items, next, nextUrl }: ListRequest<Answer, Item>,
    page: string | null,
  ): Promise<Page<Item>> {
    const asked = requestOf(api, request(nextUrl ? undefined : (page ?? undefined)));
    if (nextUrl && page !== null) Object.assign(asked, { url: atApi(page, api.baseUrl), query: {} });
    const response = await send({ ...asked, isRead: true });
    const data = parsed(answer, response, strange);
    const following = nextUrl ? nextUrl(data, nextIn(response.headers['link'])) : next?.(data, page ?? undefined);
    return { items: items(data), next: following ? String(following) : null };
  }

  return {
    reach,
    read,
    find: (answer, request) => unlessMissing(read(answer, request)),
    async *list(listing) {
      let seen = 0;
      for await (const item of itemsOf((page) => pageOf(listing, page))) {
        seen += 1;
        if (seen > mostLookedAt)
          throw new AppError('upstream_failed', `The provider lists more than ${mostLookedAt} to look through.`);
        yield item;
      }
    },
    write: async (answer, request) => parsed(answer, await send(requestOf(api, request)), unclear),
  };
}

/** The item; undefined when the provider says that it does not exist. */
export async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A request in its final form. */
function requestOf(api: Api, { method = 'GET', path, headers, form, ...rest }: Request): ProviderRequest {
  const content = form && { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    ...rest,
    method,
    url: `${api.baseUrl}${path}`,
    headers: { ...api.headers, ...headers, ...content },
    ...(form && { body: formOf(form) }),
  };
}

function formOf(form: NonNullable<Request['form']>): string {
  const given = Object.entries(form).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

const strange = 'The provider answered something other than its documentation says. Try again later.';

function parsed<Answer extends z.ZodType>(answer: Answer, response: EgressResponse, message: string): z.output<Answer> {
  const result = answer.safeParse(response.body.length === 0 ? undefined : bodyJson(response));
  if (result.success) return result.data;
  throw new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause: result.error });
}

/**
 * A path with its values escaped: none of them can leave its segment.
 * @example at`/repos/${owner}/${name}/issues`
 */
export function at(strings: TemplateStringsArray, ...parts: readonly Scalar[]): string {
  const path = strings.map((literal, place) => `${literal}${escaped(parts[place])}`).join('');
  const wrong = path
    .split('/')
    .slice(1)
    .find((segment) => /^\.{0,2}$/.test(segment));
  if (wrong === undefined) return path;
  const message = `“${wrong}” cannot stand for something at the provider. Pass its id or its name.`;
  throw Object.assign(new AppError('invalid_input', message), { delivery: 'not_sent' });
}

function escaped(part: Scalar | undefined): string {
  return part === undefined ? '' : encodeURIComponent(String(part).toWellFormed());
}
