// Devices without a browser (RFC 8628): a person types the code that the device shows, and answers here.
import type { Caller } from '#kernel/caller';
import { writePresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import { gone, grantTo, requestOf, type Choice, type ConnectingDeps, type ConnectRequest } from './connecting.ts';
import { findRequest, putRequest } from './store/requests.ts';

type Device = { request_hash: string; payload: Record<string, unknown> };
type Given = { choice: Choice; requestId: string };

/** As long as a device asks. The row's own end stays unchanged. */
const livesSeconds = 600;

export function createDevices(deps: ConnectingDeps & { db: Kysely<unknown> }) {
  const { db, provider, now } = deps;

  async function find(userCode: string): Promise<Device | null> {
    const hash = hashSecret(userCode.toUpperCase().replaceAll(/[^A-Z]/g, ''));
    const row = await writePresented(db, [], (inner) => findRequest(inner, hash));
    return row && !row.used_at && !row.payload['grantId'] && !row.payload['error'] ? row : null;
  }

  function requestOfDevice({ payload }: Device): Promise<ConnectRequest | null> {
    return requestOf(provider, payload['params'] as Record<string, unknown>); // stored by oidc-provider
  }

  async function answer({ request_hash, payload }: Device, answered: Record<string, unknown>): Promise<null> {
    const request = { request_hash, user_code_hash: null, payload: { ...payload, ...answered } };
    await writePresented(db, [], (inner) => putRequest(inner, request, livesSeconds));
    return null;
  }

  return {
    async read(userCode: string): Promise<ConnectRequest | null> {
      const device = await find(userCode);
      return device && requestOfDevice(device);
    },
    async allow(userCode: string, caller: Caller, given: Given): Promise<null> {
      const device = await find(userCode);
      const request = device && (await requestOfDevice(device));
      if (!device || !request) throw gone();
      const granted = await grantTo(deps, caller, { request, ...given });
      const authTime = Math.floor(now().getTime() / 1000);
      return answer(device, { ...granted, resource: request.resource, authTime });
    },
    async decline(userCode: string): Promise<null> {
      const device = await find(userCode);
      if (!device) throw gone();
      return answer(device, { error: 'access_denied', errorDescription: 'The person declined.' });
    },
  };
}
