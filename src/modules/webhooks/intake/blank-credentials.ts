// Redacts credentials in headers and parameters before they are stored. Signatures are redacted when agents read them.

import { toStorableText } from '#platform/database';

const blanked = '[blanked]';
const mostFields = 100;
const longest = 4_000;

/** A signature is stored: a person’s own program may check it. */
const credential =
  /auth(?!ors?(?![a-z]))|cookie|token|secret|passw|(api|access)[-_]?key|credential|(^|[-_])(key|sig|code|pwd)$/;
/** `x-event-key` is the event type of Bitbucket. */
const harmless = /signature|idempotency|^x-event-key$/;
/** Added by proxies. */
const ofTheWay = /^(host|connection|transfer-encoding|forwarded|x-real-ip|x-forwarded-.*)$/;

/** Headers to store; `slug`: the end of the address, which may be its secret and which proxies repeat. */
export function blankHeaders(headers: Readonly<Record<string, string>>, slug: string): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !ofTheWay.test(name));
  return blankFields(shown.map(([name, value]) => [name, value.replaceAll(slug, blanked)]));
}

/** Parameters of the address. */
export function blankQuery(query: Readonly<Record<string, string>>): Record<string, string> {
  return blankFields(Object.entries(query));
}

function blankFields(fields: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(
    fields.slice(0, mostFields).map(([name, value]) => {
      const key = toStorableText(name, 200);
      const isSecret = credential.test(name.toLowerCase()) && !harmless.test(name.toLowerCase());
      return [key, isSecret ? blanked : toStorableText(value, longest)];
    }),
  );
}
