import { AppError } from '#kernel/errors';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { MiddlewareHandler } from 'hono';

/** These routes reveal nothing, and health probes use any host name. */
const openPaths = new Set(['/healthz', '/readyz']);

/** The names of this server: those of this machine, and that of its public URL. */
export function listOwnHostNames(publicUrl: string): string[] {
  return [...localhostAllowedHostnames(), new URL(publicUrl).hostname];
}

/**
 * Refuses requests whose host name was made to point here (DNS rebinding). A server that listens on loopback answers
 * only to its own names; on other addresses it may have names that it does not know.
 */
export function checkHost({ publicUrl, host }: { publicUrl: string; host: string }): MiddlewareHandler {
  const isLoopback = host === '::1' || host.startsWith('127.') || host === 'localhost';
  const names = listOwnHostNames(publicUrl);
  return async (c, next) => {
    if (isLoopback && !openPaths.has(c.req.path) && !validateHostHeader(c.req.header('host'), names).ok) {
      throw new AppError(
        'forbidden',
        `This server does not answer to the host name of this request. Use ${publicUrl}, or set THALAMUS_PUBLIC_URL.`,
      );
    }
    await next();
  };
}
