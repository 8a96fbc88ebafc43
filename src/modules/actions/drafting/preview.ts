// Drafting, step two: the policy's answer, and the text for people.
import type { Action, Preview, TargetSnapshot } from '#kernel/action';
import type { Context } from '#kernel/context';
import type { Payload } from '#kernel/parse-payload';
import { showUnseenInPreview } from '#kernel/visible';
import {
  askPolicy,
  buildSubject,
  createBlockedError,
  readActor,
  type ActionRegistry,
  type Ruling,
} from '#modules/policy';
import { hashDraft } from '../canonical.ts';
import { readReach, type DraftReach } from './reach.ts';
import type { Effect } from './resolve.ts';
import { formatSnapshotFields } from './target-snapshot.ts';

/** An effect as it is stored. `target`: the provider's data about its target; null: no look-up was needed. */
export type PreviewedEffect = {
  effect: Effect;
  target: TargetSnapshot | null;
  policy: Ruling;
  preview: Preview;
  payload_hash: string;
  reach: DraftReach;
};

/** Throws `forbidden` with the rule when the policy blocks it. */
export async function previewEffect(
  ctx: Context,
  registry: ActionRegistry,
  effect: Effect,
  target: TargetSnapshot | null,
): Promise<PreviewedEffect> {
  const { source, action: name, payload, connection } = effect;
  const action = registry.get(source, name, payload);
  const subject = await buildSubject(
    ctx.db,
    action,
    payload,
    { account: connection.account, ...readActor(ctx.caller) },
    target,
  );
  const policy = await askPolicy(ctx.db, subject);
  if (policy.effect === 'block') throw createBlockedError(policy);
  const payload_hash = hashDraft({ source, action: name, connectionId: connection.id, payload, policy, target });
  const reach = await readReach(ctx.db, action, { payload, account: connection.account, target });
  return { effect, target, policy, preview: buildDraftPreview(action, payload, target), payload_hash, reach };
}

/**
 * The payload, with the results of the look-up beside it: a result about a field replaces the field's text or becomes
 * its former value. Invisible characters are written out.
 */
export function buildDraftPreview(action: Action, payload: Payload, target: TargetSnapshot | null): Preview {
  const preview = action.preview(payload);
  const found = formatSnapshotFields(target);
  const named = new Map(target?.shown.map(({ label, text }) => [label, text]));
  const before = new Map(target?.standing?.map(({ label, text }) => [label, text]));
  const fields = preview.fields.map(({ label, text }) => {
    const was = before.get(label);
    return { label, text: named.get(label) || text, ...(was !== undefined && was !== text && { was }) };
  });
  const isThere = (label: string) => named.has(label) && fields.some((field) => field.label === label);
  return showUnseenInPreview({ ...preview, fields: [...fields, ...found.filter(({ label }) => !isThere(label))] });
}
