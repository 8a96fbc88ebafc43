import type { z } from 'zod';

/** The server's pages, cookies and callbacks have fixed paths, so it needs its own host name or port. */
export function requireUrlWithoutPath<Schema extends z.ZodType<string>>(url: Schema): Schema {
  return url.refine((text) => {
    const { pathname, search, hash } = new URL(text);
    return pathname === '/' && !search && !hash;
  }, 'must have no path: use a separate host name or port for Thalamus');
}
