// Secrets for code in the sandbox: handles instead of names, and functions that use a value without revealing it.
import { createHmac } from 'node:crypto';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { findBracedNames } from '#kernel/pasted-secret';
import { listHandles } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { mapEffectiveHandles, type NameBinding } from './effective-variables.ts';
import { resolveHandles } from './resolve-handles.ts';
import { isSecretName } from '../access/secret-owner.ts';
import { isSigningKey, keyPlacement } from '../signing-key.ts';
import { findVariables, findVariablesById } from '../store/variables.ts';
import { buildValueColumn } from '../variables.ts';

const placeholder = /\{\{\s*([a-z0-9_]{1,64})\s*\}\}/g;

/**
 * A script with the handle of each secret of its owner in place of `{{name}}`; other names stay unchanged. With
 * `bound`, names have the meaning they had at activation.
 */
export async function withSecretHandles(
  db: Db,
  personId: string,
  source: string,
  bound: readonly NameBinding[] | null,
): Promise<string> {
  const names = [...source.matchAll(placeholder)].map(([, name = '']) => name);
  if (!names.length) return source;
  const rows = bound
    ? (
        await findVariablesById(
          db,
          bound.map((each) => each.variable_id),
        )
      ).filter(({ scope }) => scope === 'person')
    : await findVariables(db, [{ scope: 'person', scopeId: personId }], { names });
  const handles = new Map(rows.map(({ name, handle }) => [name, handle]));
  return source.replaceAll(placeholder, (text, name: string) => handles.get(name) ?? text);
}

/** A note for the owner of a script about names in double braces without a secret. Null: there are none. */
export async function findNamesNotice(db: Db, personId: string, source: string): Promise<string | null> {
  const names = findBracedNames(source);
  if (!names.length) return null;
  const rows = await findVariables(db, [{ scope: 'person', scopeId: personId }], { names });
  const known = new Set(rows.map(({ name }) => name).filter(isSecretName));
  const unknown = names.filter((name) => !known.has(name)).slice(0, 10);
  if (!unknown.length) return null;
  const listed = unknown.map((name) => `{{${name}}}`).join(', ');
  return `The source has ${listed}, and no secret of its owner has that name: it stays as it is, and a request with it in an address or a header is refused. Store it by automation_secret_set, in lower case. A variable is env.NAME.`;
}

/** The arguments of `hmacSha256Hex`, in its order: the message, then the key. */
export const hmacAsked = z.object({ key: z.string().max(8_192), text: z.string().max(1_000_000) });

/** HMAC-SHA256 in hex for code that has no variables, such as a translator. Throws `forbidden` for a handle as key. */
export function computePlainHmac(key: string, text: string): string {
  if (listHandles(key).length)
    throw new AppError(
      'forbidden',
      'This code has no variables, so a handle cannot be a key. The server checks signatures before the code runs.',
    );
  return computeHmac(key, text);
}

function computeHmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/**
 * HMAC-SHA256 in hex. A key that is a handle is resolved through the caller's own chain; its value is not returned.
 * Throws `forbidden` for a variable without the placement `hmac`, because a short value can be guessed from the result.
 */
export async function computeHandleHmac(vault: Vault, ctx: Context, key: string, text: string): Promise<string> {
  const [handle] = listHandles(key);
  if (handle === undefined || handle !== key) return computeHmac(key, text);
  const { handles, answered } = await resolveHandles(vault, ctx, [key]);
  const [found] = handles;
  if (!found) throw new AppError('not_found', 'None of your variables has this handle.');
  if (!found.placements.includes(keyPlacement) || !isSigningKey(found.value))
    throw new AppError(
      'forbidden',
      `${answered[0]?.name} is not a signing key: code signs only with a variable that has the placement hmac. A person sets that, for a value of at least 16 bytes that are not all digits.`,
    );
  return computeHmac(found.value, text);
}

/** A value, and its variable. */
export type FoundValue = { variableId: string; value: string };

/**
 * The variable of the caller's own chain with a handle or name, for a check that reveals its value to nobody; null:
 * there is none.
 */
export async function findHandle(
  vault: Vault,
  ctx: Context,
  by: { handle: string } | { name: string },
): Promise<FoundValue | null> {
  const handle = 'handle' in by ? by.handle : (await mapEffectiveHandles(ctx))[by.name];
  if (handle === undefined) return null;
  const { handles, answered } = await resolveHandles(vault, ctx, [handle]);
  const [found, variable] = [handles[0], answered[0]];
  return found && variable ? { variableId: variable.variable_id, value: found.value } : null;
}

/** Whether a variable exists. */
export async function hasVariable(db: Db, id: string): Promise<boolean> {
  return (await findVariablesById(db, [id])).length > 0;
}

/** A variable with its value, for work of the server itself that reveals it to nobody; null: it no longer exists. */
export async function findVariableValue(vault: Vault, db: Db, id: string) {
  const [row] = await findVariablesById(db, [id]);
  if (!row) return null;
  const { name, scope, scope_id: scopeId, set_by_label: setByLabel, set_by_kind: setByKind } = row;
  return {
    name,
    setByKind,
    scope,
    scopeId,
    setByLabel,
    value: await vault.open(db, buildValueColumn(row.workspace_id, row.id), row.value),
  };
}
