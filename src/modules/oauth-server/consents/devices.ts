// Devices without a browser (RFC 8628): a person types the code that the device shows, and answers here.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { writePresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import {
  createConnectGoneError,
  grantTo,
  readConnectRequest,
  type Answer,
  type ConnectingDeps,
  type ConnectRequest,
} from './connecting.ts';
import { answerRequest, findRequest } from '../store/requests.ts';

type Device = { request_hash: string; payload: Record<string, unknown> };

export function createDevices(deps: ConnectingDeps & { db: Kysely<unknown> }) {
  const { db, provider, now } = deps;

  async function find(userCode: string): Promise<Device | null> {
    const hash = hashSecret(userCode.toUpperCase().replaceAll(/[^A-Z]/g, ''));
    const row = await writePresented(db, [], (inner) => findRequest(inner, hash));
    return row && !row.used_at && !row.payload['grantId'] && !row.payload['error'] ? row : null;
  }

  function requestOfDevice({ payload }: Device): Promise<ConnectRequest | null> {
    return readConnectRequest(provider, payload['params'] as Record<string, unknown>); // stored by oidc-provider
  }

  async function answer(bound: Db, { request_hash: hash }: Device, given: Record<string, unknown>): Promise<void> {
    if (!(await answerRequest(bound, { hash, answer: given }))) throw createConnectGoneError();
  }

  return {
    async read(userCode: string): Promise<ConnectRequest | null> {
      const device = await find(userCode);
      return device && requestOfDevice(device);
    },
    async allow(userCode: string, caller: Caller, given: Answer): Promise<null> {
      const device = await find(userCode);
      const request = device && (await requestOfDevice(device));
      if (!device || !request) throw createConnectGoneError();
      const authTime = Math.floor(now().getTime() / 1000);
      await grantTo(deps, caller, { request, ...given }, (bound, granted) =>
        answer(bound, device, { ...granted, resource: request.resource, authTime }),
      );
      return null;
    },
    async decline(userCode: string): Promise<null> {
      const device = await find(userCode);
      if (!device) throw createConnectGoneError();
      const declined = { error: 'access_denied', errorDescription: 'The person declined.' };
      await writePresented(db, [], (inner) => answer(inner, device, declined));
      return null;
    },
  };
}
