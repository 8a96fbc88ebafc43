import { CallError, createClient, type CallOptions, type Input, type OperationName, type Output } from '#sdk';
import { ServerError } from './failure.ts';
import { writeProfile, type Profile } from './profile.ts';
import { reach } from './reach.ts';

/** Calls one operation. Throws `ServerError` with the server's message when it refuses. */
export function callOperation<Name extends OperationName>(
  profile: Profile,
  operation: Name,
  input: Input<Name>,
  options: CallOptions = {},
): Promise<Output<Name>> {
  return callByName(profile, operation, input, options) as Promise<Output<Name>>; // the server checked it
}

/**
 * Like `callOperation`, for an operation name that the user typed: the server reports errors in the name and its input.
 */
export async function callByName(
  profile: Profile,
  operation: string,
  input: object,
  options: CallOptions = {},
): Promise<unknown> {
  const { url } = profile;
  const key = await readCurrentKey(profile);
  const { call } = createClient({ url, key, headers: { 'user-agent': 'thalamus-cli' }, fetch: reach });
  try {
    return await call<OperationName>(operation as OperationName, input, options); // the server knows whether the operation exists
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw new ServerError(error.code, error.message, error.details);
  }
}

/** Most calls renew nothing, and need no OAuth client. */
async function readCurrentKey(profile: Profile): Promise<string> {
  if (!profile.renewal) return profile.key;
  const { getCurrentKey } = await import('./oauth.ts');
  return getCurrentKey(profile, writeProfile);
}
