import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';

/** Answers a request that must not be served; undefined lets it pass. */
export type Guard = (request: Request) => Response | undefined;

/**
 * Keeps pages of other origins out, also when their name was made to point here (DNS rebinding). A server that listens
 * on loopback answers to its own names alone; behind other addresses it may have names it does not know.
 */
export function createGuard({ publicUrl, host }: { publicUrl: string; host: string }): Guard {
  const ownNames = [...localhostAllowedHostnames(), new URL(publicUrl).hostname];
  const isLoopback = host === '::1' || host.startsWith('127.') || host === 'localhost';
  return (request) =>
    (isLoopback ? hostHeaderValidationResponse(request, ownNames) : undefined) ??
    originValidationResponse(request, ownNames);
}
