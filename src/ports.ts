// Builds, on the open platform, what `execute` and the faces need from the modules.
import { createHash } from 'node:crypto';
import type { Ports } from '#kernel/ports';
import type { Resource } from '#kernel/resource';
import {
  createLockCaller,
  createRateLimit,
  keepAnswer,
  releaseAnswer,
  reserveAnswer,
  type Credentials,
} from '#modules/accounts';
import { recordCall } from '#modules/audit';
import { readBrainAccess } from '#modules/brains';
import { connectorTokens } from '#modules/ingest';
import { createAccessTokens, createResources } from '#modules/oauth-server';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { createNamedTurns } from '#platform/turns';

/** Credentials that modules other than accounts own. */
export function createOtherCredentials({ config }: Ground): Credentials {
  return { oauth: createAccessTokens(createResources(config.publicUrl)), webhook: connectorTokens };
}

/** The functions that the kernel needs from the modules, built on the open platform. */
export function createPorts(ground: Ground, resources: readonly Resource[]): Ports {
  const { config, transactions, telemetry, emitEvent } = ground;
  return {
    transactions,
    now,
    newId,
    limit: createRateLimit({ limiter: 'calls', transactions, callsPerMinute: config.rateLimit, now }),
    resources: new Map(resources.map((resource) => [resource.kind, resource])),
    brainAccess: readBrainAccess,
    lockCaller: createLockCaller({ others: createOtherCredentials(ground), now }),
    reserveAnswer,
    keepAnswer,
    releaseAnswer,
    emit: (ctx, event) =>
      emitEvent(ctx.db, event, { id: ctx.newId(), workspaceId: ctx.caller.workspaceId, at: ctx.now }),
    audit: recordCall,
    inTurn: createNamedTurns(),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    observe: (operation, caller, work) => telemetry.observe(operation.name, caller.kind, work),
  };
}
