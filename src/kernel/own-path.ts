import { z } from 'zod';

/** Any origin works: only paths that change it are refused. */
const origin = 'https://thalamus.invalid';
/** URL parsing drops some of these silently: `/<TAB>/evil.example` is the host evil.example. */
const misleading = /[\p{Cc}\p{Cf}\\]/u;

/** Whether a browser that is sent to this path stays on this server. */
export function isOwnPath(path: string): boolean {
  if (!path.startsWith('/') || misleading.test(path)) return false;
  return URL.parse(path, origin)?.origin === origin;
}

/** A place of this server to go back to. */
export const ownPath = z.string().max(500).refine(isOwnPath, 'must be a path of this server, such as /integrations');
