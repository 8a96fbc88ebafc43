// An external vault as the store of secrets: HashiCorp Vault's KV engine, version 2, through egress.
import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors';
import { parseBodyJson, EgressError, type Egress, type EgressRequest } from '#platform/egress';
import { z } from 'zod';
import type { VaultColumn, Vault } from './vault.ts';

/** The address of the external vault, and this server's credential. */
export type ExternalVaultConfig = { url: string; token: string; mount: string; path: string; namespace: string | null };

/** Shorter than a caller's timeout, because a transaction may be open meanwhile. */
const timeoutMs = 5_000;
const reference = /^vault:([0-9a-f]{40})\.(\d{1,9})$/;

const written = z.object({ data: z.object({ version: z.number().int().positive() }) });
const kept = z.object({ data: z.object({ data: z.object({ value: z.string(), place: z.string() }) }) });

/**
 * A vault whose sealed text is `vault:<id>` and contains nothing of the secret. The id names the path and version
 * there: a copy in another row opens nothing, and when a transaction is rolled back the former version stays valid.
 * Texts that `local` sealed are still opened by it.
 */
export function createExternalVault(
  egress: Egress,
  { url, token, mount, path, namespace }: ExternalVaultConfig,
  local: Vault,
): Vault {
  const buildAddress = (kind: 'data' | 'metadata' | 'destroy', id: string) =>
    `${url}/v1/${mount}/${kind}/${path}/${id}`;

  async function ask(request: Pick<EgressRequest, 'method' | 'url' | 'body'>, secrets: readonly string[] = []) {
    const headers = {
      'x-vault-token': token,
      ...(namespace && { 'x-vault-namespace': namespace }),
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    };
    const options = { timeoutMs, redirects: 'refuse', allow: [url], secrets: [token, ...secrets] } as const;
    try {
      return await egress.request({ ...request, headers, ...options });
    } catch (error) {
      if (error instanceof EgressError) throw createVaultUnavailableError('does not answer', error);
      throw error;
    }
  }

  return {
    async seal(_db, place, secret) {
      const id = computeSecretId(place);
      const body = JSON.stringify({ data: { value: secret, place: buildContext(place) } });
      const response = await ask({ method: 'POST', url: buildAddress('data', id), body }, [secret]);
      if (response.status !== 200) throw createVaultUnavailableError(`answered ${response.status}`);
      return `vault:${id}.${written.parse(parseBodyJson(response)).data.version}`;
    },
    async open(db, place, sealed) {
      if (sealed.startsWith('local:')) return local.open(db, place, sealed);
      const [, id, version] = reference.exec(sealed) ?? [];
      if (!id) throw new Error('this is not a sealed secret');
      if (id !== computeSecretId(place)) throw new Error('a sealed secret is not in the place it was sealed for');
      const response = await ask({ method: 'GET', url: `${buildAddress('data', id)}?version=${version}` });
      if (response.status === 404)
        throw createVaultUnavailableError('no longer has a secret that was stored there. Set it again');
      if (response.status !== 200) throw createVaultUnavailableError(`answered ${response.status}`);
      const { value, place: there } = kept.parse(parseBodyJson(response)).data.data;
      if (there !== buildContext(place)) throw new Error('the external vault has the secret of another place');
      return value;
    },
    async forget(place, sealed, extent) {
      const [, id, version] = reference.exec(sealed) ?? [];
      if (!id) return local.forget(place, sealed, extent);
      if (id !== computeSecretId(place)) return;
      const response = extent.isWhole
        ? await ask({ method: 'DELETE', url: buildAddress('metadata', id) })
        : await ask({
            method: 'PUT',
            url: buildAddress('destroy', id),
            body: JSON.stringify({ versions: [Number(version)] }),
          });
      if (response.status !== 204 && response.status !== 404)
        throw createVaultUnavailableError(`answered ${response.status}`);
    },
    rewrap: local.rewrap,
  };
}

function buildContext({ workspaceId, table, row, column }: VaultColumn): string {
  return `${workspaceId}/${table}/${row}/${column}`;
}

function computeSecretId(place: VaultColumn): string {
  return createHash('sha256').update(buildContext(place)).digest('hex').slice(0, 40);
}

function createVaultUnavailableError(what: string, cause?: unknown): AppError {
  return new AppError('unavailable', `The external vault ${what}. Tell the operator of this server.`, {}, { cause });
}
