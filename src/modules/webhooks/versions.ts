// A version of a connector: code and settings that are tested, activated and run as one.
import { createHash } from 'node:crypto';
import type { VersionRow } from './store/tables.ts';

type Content = Pick<
  VersionRow,
  | 'scheme'
  | 'provider'
  | 'signature_settings'
  | 'secret'
  | 'secret_variable'
  | 'runtime'
  | 'code'
  | 'brain_id'
  | 'allowed_brain_ids'
>;

/** What a pass of a fixture is bound to: any change of code or settings makes another. */
export function contentHash(version: Content): string {
  const { scheme, provider, signature_settings, secret, secret_variable, runtime, code, brain_id } = version;
  const settings = Object.entries(signature_settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const brains = version.allowed_brain_ids.toSorted();
  const content = [scheme, provider, settings, secret, secret_variable, runtime, code, brain_id, brains];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
