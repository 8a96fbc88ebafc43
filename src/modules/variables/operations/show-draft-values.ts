import { isAtConsole } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { showUnseen } from '#kernel/visible';
import { draftId, findDraft } from '#modules/actions';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import type { BoundVariable } from '../bound-variable.ts';
import { findOutdatedReason } from '../resolving/bound-variables.ts';
import { httpRequest, getStoredVariables } from '../requests/http-request.ts';
import { openVariables } from '../resolving/resolve-handles.ts';

/**
 * The page that approves a draft shows the values that agents wrote. They are decrypted only for this answer, and not
 * stored.
 */
export function showDraftValues(vault: Vault) {
  return defineOperation({
    name: 'show_draft_values',
    summary: 'Show the values that an agent wrote into a waiting draft, to the person who approves it at the console.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'actions:confirm', isForPeople: true },
    rest: [],
    input: z.strictObject({ draft_id: draftId }),
    output: z.object({
      draft_id: z.uuid(),
      content_hash: z.string().describe('Of the draft that these values belong to.'),
      values: z.array(
        z.object({
          handle: z.string(),
          name: z.string(),
          set_by: z.string(),
          fingerprint: z.string(),
          value: z.string().describe('As it is sent. Invisible characters are written out.'),
        }),
      ),
    }),
    errors: ['not_found', 'forbidden', 'conflict'],
    examples: [{ title: 'Before you approve it', input: { draft_id: createExampleId('draft') } }],
    async run({ db, caller, face }, { draft_id }) {
      if (!isAtConsole(caller) || face !== 'console')
        throw new AppError(
          'forbidden',
          'Only a person who signed in to the console can see these values, on the page of the draft.',
        );
      const draft = await findDraft(db, draft_id);
      if (draft.status !== 'pending')
        throw new AppError('conflict', `This draft no longer waits: it is ${draft.status}.`);
      const isRequest = draft.source === httpRequest.source && draft.action === httpRequest.name;
      const written = isRequest
        ? getStoredVariables(draft.payload).filter(({ set_by_kind }) => set_by_kind === 'agent')
        : [];
      const outdated = await findOutdatedReason(db, written);
      if (outdated) throw new AppError('conflict', outdated);
      const opened = await openVariables(vault, db, written);
      return {
        draft_id,
        content_hash: draft.payload_hash,
        values: opened.map(({ handle, value }) => ({
          ...presentWrittenVariable(written, handle),
          handle,
          value: showUnseen(value),
        })),
      };
    },
  });
}

function presentWrittenVariable(written: readonly BoundVariable[], of: string) {
  const { name = '', set_by = '', fingerprint = '' } = written.find(({ handle }) => handle === of) ?? {};
  return { name, set_by, fingerprint };
}
