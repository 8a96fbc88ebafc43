// A request is judged by its method, so it may not ask its server to take another one.
import { AppError } from '#kernel/errors';
import { isMethodOverride } from '#platform/egress';
import { isFormType, parseForm } from '#platform/forms';

type Request = { url: string; headers?: Record<string, string> | undefined; body?: string | undefined };

/** More fields than any request has. */
const mostFields = 10_000;

/**
 * Throws `invalid_input` for a parameter of the address or a field of the body by which servers take another method than that of the
 * request. Egress refuses such headers.
 */
export function checkOwnMethod({ url, headers = {}, body = '' }: Request): void {
  const other = [...new URL(url).searchParams.keys(), ...fieldNames(headers, body)].find(isMethodOverride);
  if (other === undefined) return;
  const message = `${other.slice(0, 40)} asks for another method than the request has. Send the request with that method.`;
  throw new AppError('invalid_input', message);
}

function fieldNames(headers: Record<string, string>, body: string): string[] {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (isFormType(type)) return parseForm(body, mostFields).map(([name]) => name);
  if (type.toLowerCase().startsWith('multipart/')) return body.split('name=').map(nameOfPart);
  return type.toLowerCase().includes('json') ? namesInJson(body) : [];
}

/** The name with which a text begins, in quotes or without. */
function nameOfPart(text: string): string {
  const plain = text.slice(0, 60).replaceAll('"', '\n').trimStart();
  const ends = ['\r', '\n', ';'].map((end) => plain.indexOf(end)).filter((at) => at !== -1);
  return plain.slice(0, ends.length ? Math.min(...ends) : undefined);
}

function namesInJson(body: string): string[] {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
