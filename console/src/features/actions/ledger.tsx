import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { answerWords } from './draft-words.ts';
import { EditDiff } from './edit-diff.tsx';
import type { Action, LedgerEntry, Payload } from './requests.ts';

const stepWords: Record<string, string> = {
  drafted: 'Drafted',
  edited: 'Edited',
  extended: 'Extended',
  decided: 'Approved',
  prepared: 'Prepared',
  sending: 'Sent to provider',
  confirmed: 'Done',
  failed: 'Failed',
  ambiguous: 'No answer from provider',
  asked_provider: 'Checked with provider',
  answered: 'Answered',
  discarded: 'Declined',
  expired: 'Expired',
  stale: 'Out of date',
  undoing: 'Undoing',
  undone: 'Undone',
  undo_failed: 'Undo failed',
};

/** All steps of an action. Each ledger entry contains the hash of the one before. */
export function Ledger({ action }: { action: Action }) {
  const { ledger, ledger_is_whole: isWhole, status, payload } = action;
  if (!ledger.length) return null;
  return (
    <details className="px-1 text-sm" open={status !== 'pending'}>
      <summary className="w-fit rounded py-1 text-[13px] text-faint hover:text-ink">Activity ({ledger.length})</summary>
      {!isWhole && (
        <Notice tone="stop" icon={<TriangleAlert />}>
          An entry was changed or is missing. Do not trust this record.
        </Notice>
      )}
      <ol className="mt-2 ml-1.5 space-y-3 border-l border-line pl-4.5">
        {ledger.map((entry) => (
          <Entry key={entry.hash} entry={entry} payload={payload} />
        ))}
      </ol>
    </details>
  );
}

function Entry({ entry: { at, step, detail, hash }, payload }: { entry: LedgerEntry; payload: Payload }) {
  const text = formatLedgerDetail(detail);
  return (
    <li className="relative before:absolute before:top-[7px] before:-left-[22px] before:size-[7px] before:rounded-full before:bg-edge">
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-medium">{stepWords[step] ?? step.replaceAll('_', ' ')}</span>
        <span className="text-[13px] text-faint">{formatExactMoment(at)}</span>
        <span className="font-mono text-xs text-faint" title={`Entry ${hash}`}>
          {hash.slice(0, 8)}
        </span>
      </p>
      {text && <p className="text-soft wrap-anywhere">{text}</p>}
      {isWords(detail['was']) && (
        <EditDiff
          title="Edits"
          before={detail['was']}
          after={isWords(detail['became']) ? detail['became'] : payload} // older entries have no more details
          fields={Object.keys(detail['was'])}
        />
      )}
    </li>
  );
}

/** The words before an edit, by fields. */
function isWords(was: unknown): was is Payload {
  return typeof was === 'object' && was !== null;
}

/** The parts of an entry for people: who, edits, comments and reasons. The rest is for checking hashes. */
function formatLedgerDetail({
  by,
  named_by: namedBy,
  answer,
  fields,
  was,
  reason,
  error,
  message,
  until,
}: Record<string, unknown>): string {
  const words: Record<string, string> = answerWords;
  const said = typeof answer === 'string' && `“${words[answer] ?? answer}”`;
  // An edit's fields are shown below with their former words.
  const edited = Array.isArray(fields) && !isWords(was) ? fields.join(', ') : '';
  const why = [reason, message, error].find((each) => typeof each === 'string');
  const whose = [typeof by === 'string' && `by ${by}`, typeof namedBy === 'string' && `on behalf of ${namedBy}`];
  const extended = typeof until === 'string' && `until ${formatExactMoment(until)}`;
  return [...whose, said, edited, extended, why].filter(Boolean).join(' · ');
}
