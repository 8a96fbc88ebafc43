// A client of Google for the emulator's own tests.
import { createTokenClient as anyClientWithToken } from '../kit/api-client.ts';
import type { Answer, ApiRequest } from '../kit/api-client.ts';
import type { GoogleEmulator } from './index.ts';

/** The error part of an answer. */
export type GoogleErrorBody = {
  code: number;
  message: string;
  status?: string;
  errors: { domain: string; reason: string; message: string }[];
};

/** Sends one request with a bearer token. */
export type ApiClient = (
  method: string,
  path: string,
  ask?: ApiRequest,
) => Promise<Answer & { body: { error?: GoogleErrorBody } }>;

/** A client with this token, or none. */
export function createGoogleClient(baseUrl: string, token?: string): ApiClient {
  return anyClientWithToken(baseUrl, token);
}

/** A client with a token of its own. */
export function createApiClient(google: GoogleEmulator, email: string, scopes: string[]): ApiClient {
  return createGoogleClient(google.url, google.issueTokens(email, scopes).accessToken);
}
