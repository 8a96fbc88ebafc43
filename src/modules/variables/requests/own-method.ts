// A request is checked by its method, so it may not ask its server to use another one.
import { AppError } from '#kernel/errors';
import { isMethodOverride, listFieldNames } from '#platform/egress';
import { isFormType } from '#platform/forms';

type Request = { url: string; headers?: Record<string, string> | undefined; body?: string | undefined };

/**
 * Throws `invalid_input` for a parameter of the address or a field of the body that overrides the method of the
 * request. Egress refuses such headers.
 */
export function checkOwnMethod({ url, headers = {}, body = '' }: Request): void {
  const names = [...listFieldNames(new URL(url).search.slice(1)), ...listBodyNames(headers, body)];
  const other = names.find(isMethodOverride);
  if (other === undefined) return;
  const message = `${other.slice(0, 40)} asks for another method than the request has. Send the request with that method.`;
  throw new AppError('invalid_input', message);
}

/** Some servers read a body without a type as a form, and others as JSON. */
function listBodyNames(headers: Record<string, string>, body: string): string[] {
  const type =
    Object.entries(headers)
      .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
      .toLowerCase() ?? '';
  if (type.trim() === '') return [...listFieldNames(body), ...listJsonNames(body)];
  if (isFormType(type)) return listFieldNames(body);
  if (type.trimStart().startsWith('multipart/')) return listPartNames(body);
  return type.includes('json') ? listJsonNames(body) : [];
}

const partName = /name[*\d\s]*=["'\s]*([^"';\r\n]{0,60})/gi;

/** The names of parts, in quotes or without. */
function listPartNames(body: string): string[] {
  return [...body.replaceAll('\\', '').matchAll(partName)].map(([, name = '']) => name);
}

function listJsonNames(body: string): string[] {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
