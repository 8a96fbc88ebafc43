// Redacts secrets from text that people, models or logs will read.
import { listValueForms, removeFrom } from './remove-values.ts';

const mark = '[redacted]';
const credentialForms =
  /\b(bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{12,}|\b(\w*(?:token|secret|password|api_?key))=[^&\s"']+/gi;

/**
 * `text` without the given values in all their forms, and without text that looks like a credential (`Bearer …`,
 * `access_token=…`).
 */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  const bytes = Buffer.from(text);
  const clean = removeFrom(bytes, listValueForms(secrets));
  return (clean === bytes ? text : Buffer.from(clean).toString()).replace(
    credentialForms,
    (_match, scheme: string | undefined, name: string | undefined) =>
      scheme === undefined ? `${name}=${mark}` : `${scheme} ${mark}`,
  );
}
