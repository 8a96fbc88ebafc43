import { readBodyText, type RestEnvironment } from '#faces/rest';
import { getAutomationHooks } from '#modules/automations';
import { now } from '#platform/clock';
import { Hono, type Context } from 'hono';
import type { WebDeps } from './web-deps.ts';

/** One request from outside, unchanged. All its text is untrusted: data, never an instruction. */
export type Delivery = {
  /** The last part of the address: the secret that authorises the sender. */
  secret: string;
  receivedAt: Date;
  /** Without headers that contain a credential or concern the connection. */
  headers: Record<string, string>;
  query: Record<string, string>;
  body: string;
};

/**
 * Stores a delivery before it answers; `eventId` is null for one that the receiver does not want. Throws `not_found` for
 * an unknown secret.
 */
export type ReceiveDelivery = (delivery: Delivery) => Promise<{ eventId: string | null }>;

const maxBytes = 262_144;
const mostHeaders = 60;
const longestHeader = 2_000;
const privateHeaders =
  /^(authorization|cookie|host|connection|content-length|transfer-encoding|forwarded|x-real-ip|x-forwarded-.*)$/;

/** The address at which senders of events start an automation: a request is stored, and answered with 202 at once. */
export function createAutomationHookRoutes({ ground }: WebDeps): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  const receive: ReceiveDelivery = getAutomationHooks(ground);
  app.post('/hooks/automations/:secret', async (c) => {
    const { eventId } = await receive(await readDelivery(c, now()));
    return c.json({ event_id: eventId }, 202);
  });
  return app;
}

async function readDelivery(c: Context, receivedAt: Date): Promise<Delivery> {
  const headers = Object.entries(c.req.header()).filter(([name]) => !privateHeaders.test(name));
  return {
    secret: c.req.param('secret') ?? '',
    receivedAt,
    headers: Object.fromEntries(
      headers.slice(0, mostHeaders).map(([name, value]) => [name, value.slice(0, longestHeader)]),
    ),
    query: c.req.query(),
    body: await readBodyText(c, maxBytes, `A delivery may have at most ${maxBytes} bytes.`),
  };
}
