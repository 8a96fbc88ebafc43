import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { LlmProvider } from './question.ts';

/** How one model is reached. `keySetting` and `modelSetting` are the settings that an operator can change. */
export type ModelSettings = {
  provider: LlmProvider;
  model: string;
  baseUrl: string;
  apiKey: string | null;
  keySetting: string;
  modelSetting: string;
};

/** `fast` answers short turns, if it is set. */
export type LlmSettings = { main: ModelSettings; fast: ModelSettings | null };

/**
 * Names that no public name server answers. A name without dots belongs to the local network, such as a container's.
 */
const privateName = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$|^[^.]+$/;

/**
 * Whether an address leads to this machine or a private network, where models cost nothing. Names are not looked up.
 */
export function isPrivateAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host)) return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.parse(host).range());
  return privateName.test(host);
}
