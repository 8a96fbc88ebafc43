import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifySuccess, notifyFailure, notifyUndoable } from '../../design/toasts.tsx';
import { useCall } from '../../design/use-call.ts';
import { confirmActions, discardActions, type Results, type SeenDraft, type Undo } from './requests.ts';
import { useUndoAll } from './use-undo.ts';
import { dropWaiting } from './waiting.ts';

export type BatchChoice = 'approve' | 'decline';

/** The most drafts per call. */
const mostAtOnce: Record<BatchChoice, number> = { approve: 50, decline: 100 };
const verbs: Record<BatchChoice, string> = { approve: 'sent', decline: 'declined' };

type Result = Results['results'][number] & { undo?: Undo };
/** `error`: why the rest was not decided. */
type BatchDecision = { results: Result[]; error: unknown };

/** Approves or declines all drafts of a batch, in order and in parts. `decided` is the progress. */
export function useBatchDecision(choice: BatchChoice, onClose: () => void) {
  const client = useQueryClient();
  const undoing = useUndoAll();
  const [decided, setDecided] = useState(0);
  const deciding = useCall((drafts: readonly SeenDraft[]) => decideAll(choice, drafts, setDecided), {
    refreshes: ['actions'],
    onSuccess: ({ results, error }, drafts) => {
      const done = results.filter(isDone);
      dropWaiting(
        client,
        done.map(({ draft_id }) => draft_id),
      );
      const summary = `${done.length} ${verbs[choice]}`;
      if (error) notifyFailure(`${summary}, no answer for ${drafts.length - results.length}`, error);
      else notifyBatchResults(summary, results, (ids) => undoing.call(ids));
      onClose();
    },
  });
  return { ...deciding, decided };
}

function isDone({ status }: Result): boolean {
  return status === 'confirmed' || status === 'discarded' || status === 'expired';
}

function notifyBatchResults(summary: string, results: readonly Result[], undo: (draftIds: string[]) => void): void {
  const done = results.filter(isDone);
  const unknown = results.filter(({ status }) => status === 'ambiguous').length;
  const failed = results.filter((each) => !isDone(each) && each.status !== 'ambiguous');
  const notDone = [
    failed.length > 0 && `${failed.length} failed: ${failed[0]?.error ?? ''}`,
    unknown > 0 && `${unknown} may have been sent. You find them first in the inbox.`,
  ];
  const undoable = done.filter((each) => each.undo);
  const says = [...new Set(undoable.map((each) => each.undo?.says))].join(', ');
  if (!undoable.length) return notifySuccess(summary, notDone.filter(Boolean).join(' ') || undefined);
  const howMany = undoable.length < done.length ? `${undoable.length} can be undone: ${says}` : says;
  const ids = undoable.map(({ draft_id }) => draft_id);
  notifyUndoable(summary, [...notDone, howMany].filter(Boolean).join(' · '), () => undo(ids));
}

/** Decisions before a failed part remain, and are returned. */
async function decideAll(
  choice: BatchChoice,
  drafts: readonly SeenDraft[],
  onDecided: (howMany: number) => void,
): Promise<BatchDecision> {
  const decide = choice === 'approve' ? confirmActions : discardActions;
  const results: Result[] = [];
  for (let from = 0; from < drafts.length; from += mostAtOnce[choice]) {
    try {
      results.push(...(await decide(drafts.slice(from, from + mostAtOnce[choice]))).results);
    } catch (error) {
      return { results, error };
    }
    onDecided(results.length);
  }
  return { results, error: null };
}
