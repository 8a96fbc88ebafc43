import type { z } from 'zod';

/** The pages, cookies and callbacks of the server are at fixed paths, so it needs a host name or a port of its own. */
export function requireUrlWithoutPath<Schema extends z.ZodType<string>>(url: Schema): Schema {
  return url.refine((text) => {
    const { pathname, search, hash } = new URL(text);
    return pathname === '/' && !search && !hash;
  }, 'must have no path: give Thalamus a host name or a port of its own');
}
