// The parts of a request where a secret's value may be used, and the hosts to which it may be sent.
import { isPublicSuffix } from './domains.ts';
import { isHost } from './exceptions.ts';

export const placementKinds = ['header', 'query', 'path', 'form', 'json'] as const;
export type PlacementKind = (typeof placementKinds)[number];

/** The default placements of a secret. */
export const defaultPlacements: readonly string[] = ['header'];

const form = new RegExp(`^(?:path|(?:${placementKinds.join('|')})(?::[^\\s:][^\\s]{0,120})?)$`);

/**
 * Whether a text is a placement: a kind, or a kind with the name of one header, parameter, form field or JSON field.
 */
export function isPlacement(text: string): boolean {
  return form.test(text) && !text.startsWith('path:');
}

/** Whether the placements allow a value in this place. A JSON field is named by its path, `auth.token`. */
export function canStandInPlace(placements: readonly string[], kind: PlacementKind, name = ''): boolean {
  const named = `${kind}:${name}`;
  return placements.some((placement) =>
    kind === 'header'
      ? placement === kind || placement.toLowerCase() === named.toLowerCase()
      : placement === kind || placement === named,
  );
}

/**
 * Whether a text is a host rule: `api.example.com`, `*.example.com`, or either with a port. `*.co.uk` and `*.github.io`
 * are not allowed: anybody can register a name there.
 */
export function isHostRule(text: string): boolean {
  const url = `https://${text.replace(/^\*\./, '')}`;
  if (/[/?#@\\%\s]/.test(text) || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return isHost(hostname) && !isPublicSuffix(hostname) && (!text.startsWith('*.') || hostname.includes('.'));
}

/** The hosts that both lists of rules allow, each as the narrower rule. */
export function intersectHostRules(one: readonly string[], other: readonly string[]): string[] {
  const narrowed = (rules: readonly string[], by: readonly string[]) =>
    rules.filter((rule) => by.some((wider) => rule === wider || isUnder(rule, wider)));
  return [...new Set([...narrowed(one, other), ...narrowed(other, one)])];
}

/** Whether all hosts of a rule are below the name of a wildcard rule, at the same port. */
function isUnder(rule: string, wider: string): boolean {
  if (!wider.startsWith('*.')) return false;
  const [narrow, wide] = [rule.replace(/^\*\./, ''), wider.slice(2)].map((each) => new URL(`https://${each}`));
  return narrow?.port === wide?.port && narrow!.hostname.endsWith(`.${wide!.hostname}`);
}

/**
 * Whether the host rules allow sending a value to this URL. A rule without a port means the default port of the scheme.
 */
export function isHostAllowed(rules: readonly string[], url: URL): boolean {
  return rules.some((rule) => {
    const isWild = rule.startsWith('*.');
    const wanted = new URL(`${url.protocol}//${isWild ? rule.slice(2) : rule}`);
    if (wanted.port !== url.port) return false;
    // A stored rule that this check would refuse allows no host.
    if (isWild) return url.hostname.endsWith(`.${wanted.hostname}`) && !isPublicSuffix(wanted.hostname);
    return url.hostname === wanted.hostname;
  });
}
