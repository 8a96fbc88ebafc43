// Defines reading: GET or HEAD without a body, or a POST to the address that a person declared, and no host that is known
// to write on GET. `overrides.ts` refuses every request that overrides its method.
import { anyPath, listPathReadings } from './canonical-url.ts';
import { Failure } from './egress-error.ts';

/**
 * `path`: the start of the path; absent: every path. A host that begins with a dot includes all its subdomains.
 * `source`: a page which says that GET writes there; null: no page was found, and the service is refused as a
 * precaution.
 */
type WritesOnGet = { host: string; path?: string; what: string; source: string | null };

/** Services that change something on a GET request. */
export const writesOnGet: readonly WritesOnGet[] = [
  // Each workspace also serves it under its own name.
  { host: '.slack.com', path: '/api/', what: 'Slack Web API', source: 'https://docs.slack.dev/apis/web-api' },
  { host: 'hooks.slack.com', what: 'Slack webhooks', source: null },
  { host: 'api.telegram.org', what: 'Telegram Bot API', source: 'https://core.telegram.org/bots/api#making-requests' },
  {
    host: 'gatewayapi.telegram.org',
    what: 'Telegram Gateway API',
    source: 'https://core.telegram.org/gateway/api#making-requests',
  },
  {
    host: 'maker.ifttt.com',
    what: 'IFTTT webhooks',
    source: 'https://os.mbed.com/components/If-This-Then-That-IFTTT/',
  },
  { host: 'hooks.zapier.com', what: 'Zapier webhooks', source: 'https://zapier.com/help/webhooks/' },
  { host: '.make.com', what: 'Make webhooks', source: null },
  {
    host: '.m.pipedream.net',
    what: 'Pipedream webhooks',
    source: 'https://pipedream.com/docs/workflows/building-workflows/triggers',
  },
  {
    host: '.app.n8n.cloud',
    path: '/webhook',
    what: 'n8n webhooks',
    source: 'https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.webhook/common-issues/',
  },
  {
    host: 'script.google.com', // `/macros/s/…`, `/a/macros/<domain>/s/…`, `/a/<domain>/macros/s/…`
    what: 'Apps Script web apps',
    source: 'https://developers.google.com/apps-script/guides/web',
  },
  { host: 'graph.facebook.com', what: 'Graph API of Meta', source: null },
  { host: 'api.vk.com', path: '/method/', what: 'VK API', source: null },
  { host: 'ntfy.sh', what: 'ntfy', source: 'https://docs.ntfy.sh/publish/#webhooks-publish-via-get' },
  { host: 'api.day.app', what: 'Bark', source: null },
  { host: 'api.callmebot.com', what: 'CallMeBot', source: null },
  {
    host: 'api.thingspeak.com',
    path: '/update',
    what: 'ThingSpeak',
    source: 'https://www.mathworks.com/help/thingspeak/writedata.html',
  },
  {
    host: 'api.thingspeak.com',
    path: '/apps/',
    what: 'ThingHTTP',
    source: 'https://www.mathworks.com/help/thingspeak/thinghttp-app.html',
  },
  {
    host: 'api.thingspeak.com',
    path: '/talkbacks/',
    what: 'TalkBack',
    source: 'https://www.mathworks.com/help/thingspeak/talkback-app.html',
  },
  { host: 'www.duckdns.org', path: '/update', what: 'DuckDNS', source: 'https://www.duckdns.org/spec.jsp' },
];

const reads = new Set(['GET', 'HEAD']);

/** The service at this filled and canonical address that is known to write on GET; undefined: none is. */
export function findGetWriter(url: URL): string | undefined {
  return writesOnGet.find((each) => isAt(each, url))?.what;
}

/**
 * Throws a Failure unless the request only reads, as far as is known. `readByPost` is the one address where a POST
 * reads, as a person declared.
 */
export function checkReadsOnly({ method, url }: { method: string; url: URL }, readByPost?: string): void {
  const isDeclared = method === 'POST' && url.href === readByPost;
  if (!reads.has(method) && !isDeclared) throw mayWrite(`${method} may change something there`);
  const service = findGetWriter(url);
  if (service) throw mayWrite(`${service} changes data on GET requests`);
}

function isAt({ host, path = '/' }: WritesOnGet, { hostname, pathname }: URL): boolean {
  const isHost = host.startsWith('.') ? hostname === host.slice(1) || hostname.endsWith(host) : hostname === host;
  if (!isHost) return false;
  return listPathReadings(pathname).some((reading) => reading === anyPath || reading.toLowerCase().startsWith(path));
}

function mayWrite(why: string): Failure {
  return new Failure('blocked', `${why}. Nothing was sent. Use act_on_integration to change something.`);
}
