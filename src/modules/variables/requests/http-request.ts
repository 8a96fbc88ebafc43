// Any request that may change something outside, as an action: it goes through the gate like every other effect.
import { defineAction } from '#kernel/action';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { findBracedNames } from '#kernel/pasted-secret';
import type { DraftConnection } from '#kernel/module';
import { parseBodyJson, decodeBodyText, EgressError, fillAddress, listHandles, parseAddress } from '#platform/egress';
import type { EgressResponse, Handle } from '#platform/egress';
import { z } from 'zod';
import { boundVariable } from '../bound-variable.ts';
import { hasAgentText, previewFields, findOutdatedReason } from '../resolving/bound-variables.ts';
import { listTargets } from './judge-request.ts';
import { openVariables } from '../resolving/resolve-handles.ts';
import { exchange, findTokenAt, type ExchangeDeps } from '../tokens/exchange.ts';
import { toStandInAddress, toAskedAddress, findStandInUrl } from '../tokens/stand-in.ts';

const longestResult = 16_000;

/** In the form in which it is sent, for people and rules. Addresses that egress cannot read are refused at sending. */
const address = z
  .url()
  .max(8_000)
  .overwrite((url) => {
    try {
      return parseAddress(url).href;
    } catch (error) {
      if (error instanceof EgressError) return url;
      throw error;
    }
  });

const variables = z.array(boundVariable).max(50);

const payload = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: address,
  headers: z.record(z.string().max(200), z.string().max(16_000)),
  body: z.string().max(100_000).optional(),
  /** The variables behind the handles in it, from the chain of the drafting caller: by id and version. */
  variables,
  /**
   * Tokens that the code of a run had: each is requested again at sending, because the run and its tokens have ended by
   * then.
   */
  tokens: z
    .array(
      z.strictObject({
        handle: z.string().max(40),
        hosts: z.array(z.string().max(260)).max(200),
        path: z.array(z.string().max(200)).max(20),
        request: z.strictObject({
          url: z.url().max(8_000),
          headers: z.record(z.string().max(200), z.string().max(16_000)),
          body: z.string().max(20_000),
          variables,
        }),
      }),
    )
    .max(20)
    .optional(),
});
type Payload = z.output<typeof payload>;
type Token = NonNullable<Payload['tokens']>[number];

type Reach = { send(request: Payload): Promise<EgressResponse> };

/**
 * Creates the function that sends a draft of this action to its address, through egress, with values in place of
 * handles.
 */
export function createHttpReach(doors: ExchangeDeps) {
  const { egress, vault, transactions, baseUrls } = doors;
  return ({ workspace_id: workspaceId }: DraftConnection, signal: AbortSignal): Reach => {
    const open = (named: Payload['variables']) =>
      transactions.run(workspaceId, 'read', (db) => openVariables(vault, db, named));

    /** A token like the one that the code had. When there is none, nothing was sent yet. */
    async function obtain({ handle, hosts, path, request }: Token): Promise<Handle> {
      const exchanged = await exchange(doors, workspaceId, request, await open(request.variables), signal);
      const value = findTokenAt(exchanged, path);
      if (value !== undefined) return { handle, value, hosts, placements: ['header'] };
      const message = `${new URL(request.url).host} returned no token (${exchanged.status}). Nothing was sent.`;
      throw Object.assign(new AppError('upstream_failed', message), { delivery: 'not_sent' });
    }

    return {
      async send({ method, url, headers, body, variables: named, tokens = [] }) {
        const handles = await open(named);
        for (const token of tokens) handles.push(await obtain(token).catch(throwAsNotSent));
        const standIn = findStandInUrl(url, handles, baseUrls);
        return egress.request({
          method,
          url: toStandInAddress(url, standIn),
          isWeb: true,
          ...(standIn && { allow: [standIn] }),
          headers,
          handles,
          signal,
          ...(body !== undefined && { body }),
          redirects: 'refuse',
        });
      },
    };
  };
}

/** Fills in the address of a draft for rules, with the present variables. */
export function createFill({ vault, baseUrls }: ExchangeDeps) {
  return async (db: Db, payload: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { url, variables: named } = payload as Payload; // parsed by the schema of the action, when it was drafted
    const inAddress = named.filter(({ handle }) => listHandles(url).includes(handle));
    if (!inAddress.length) return payload;
    const handles = await openVariables(vault, db, named);
    const standIn = findStandInUrl(url, handles, baseUrls);
    try {
      const filled = toAskedAddress(fillAddress(toStandInAddress(url, standIn), handles), url, standIn);
      return { ...payload, url: filled.href };
    } catch (error) {
      // It could not be sent either. Rules then check every possible text in place of the value.
      if (error instanceof EgressError) return payload;
      throw error;
    }
  };
}

/** Whatever the outcome of the token request, the request itself was not sent. */
function throwAsNotSent(error: unknown): never {
  throw Object.assign(error instanceof Error ? error : new Error(String(error)), { delivery: 'not_sent' });
}

/**
 * The effect of a request to an unknown address is unknown, so a person decides about each; there is no way to check
 * the outcome.
 */
export const httpRequest = defineAction<typeof payload, Reach>({
  name: 'http_request',
  source: 'http',
  summary: 'Send a request to a public https address.',
  risk: 'destructive',
  handle: 'none',
  requiresConfirmation: true,
  payload,
  example: { method: 'POST', url: 'https://api.example.com/notes', headers: {}, body: '{"text":"Hi"}', variables: [] },
  editable: ['body'],

  preview: ({ method, url, headers, body, variables: named, tokens = [] }) => ({
    title: `${method} ${new URL(url).host}${new URL(url).pathname}`.slice(0, 200),
    fields: [
      { label: 'Method', text: method },
      { label: 'Address', text: url },
      ...Object.entries(headers).map(([name, value]) => ({ label: `Header ${name}`, text: value })),
      ...(body === undefined ? [] : [{ label: 'Body', text: body }]),
      ...findBracedNames(body ?? '')
        .slice(0, 10)
        .map((name) => ({
          label: 'Not filled in',
          text: `{{${name}}} in the body has no value: it is sent unchanged.`,
        })),
      ...tokens.map(({ handle, path, request }) => ({
        label: 'Token',
        text: `${handle} is the ${path.join('.')} that ${request.url} returns at sending.`,
      })),
      ...previewFields(withTokens(named, tokens)),
    ],
    isComplete: !hasAgentText(withTokens(named, tokens)),
    isCompletedAtConsole: hasAgentText(withTokens(named, tokens)),
  }),

  target({ method, url }) {
    const [what = '', ...others] = listTargets(method, parseAddress(url));
    // While its values are not filled in, any text may stand for them.
    const otherNames = listHandles(what).length
      ? listHandles(what).reduce((text, handle) => text.replace(handle, '*'), what)
      : undefined;
    return { recipients: [], what, readings: [what, ...others], ...(otherNames !== undefined && { otherNames }) };
  },

  outdated: (db, { variables: named, tokens = [] }) => findOutdatedReason(db, withTokens(named, tokens)),

  prepare: async () => ({}),

  async send(reach, request) {
    const response = await reach.send(request);
    const { status } = response;
    if (status < 400) return { status, ...presentResponse(response) };
    const message = `${new URL(request.url).host} answered ${status}. ${decodeBodyText(response).slice(0, 500)}`;
    // A status below 500 means that it was refused; above, the outcome is unknown.
    throw Object.assign(new AppError('upstream_failed', message), {
      delivery: status < 500 ? 'not_sent' : 'maybe_sent',
    });
  },

  lookup: async () => ({
    state: 'ambiguous',
    reason:
      'The answer was lost, and this address offers no way to check the outcome. Check there, and answer whether it happened.',
  }),
});

/** All variables of a request: its own, and those with which its tokens are obtained. */
function withTokens(named: Payload['variables'], tokens: readonly Token[]): Payload['variables'] {
  const all = [...named, ...tokens.flatMap(({ request }) => request.variables)];
  return all.filter(({ handle }, at) => all.findIndex((each) => each.handle === handle) === at);
}

/** All variables of a stored request. */
export function getStoredVariables(stored: Record<string, unknown>): Payload['variables'] {
  const { variables: named, tokens = [] } = stored as Payload; // it was parsed by this schema when it was drafted
  return withTokens(named, tokens);
}

function presentResponse(response: EgressResponse): Record<string, unknown> {
  const text = decodeBodyText(response);
  if (text.length > longestResult) return { body: `${text.slice(0, longestResult)}… cut` };
  try {
    return { json: parseBodyJson(response) };
  } catch {
    return { body: text };
  }
}
