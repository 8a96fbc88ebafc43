// The fields of a form from one of our pages.
import { readBodyText } from '#faces/rest';
import { isFormType, parseForm } from '#platform/forms';
import type { Context } from 'hono';

/** By name: its text, or the list of its texts when it is repeated. */
export type PageForm = Readonly<Record<string, string | readonly string[]>>;

/** Reads the form of a request; no fields for another type. Throws `payload_too_large`. */
export async function readPageForm(c: Context, mostBytes = 1_000_000, message?: string): Promise<PageForm> {
  const form = Object.create(null) as Record<string, string | string[]>;
  if (!isFormType(c.req.header('content-type'))) return form;
  for (const [name, values] of Map.groupBy(parseForm(await readBodyText(c, mostBytes, message)), ([each]) => each)) {
    const [first = '', ...others] = values.map(([, value]) => value);
    form[name] = others.length ? [first, ...others] : first;
  }
  return form;
}
