import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../design/states.tsx';
import { momentText } from '../../design/time.tsx';
import type { Action, LedgerEntry } from './requests.ts';

const stepWords: Record<string, string> = {
  drafted: 'Drafted',
  edited: 'Edited',
  decided: 'Approved',
  prepared: 'Prepared',
  sending: 'Handed over',
  confirmed: 'Carried out',
  failed: 'Failed',
  ambiguous: 'Answer lost',
  asked_provider: 'Asked what happened',
  discarded: 'Declined',
  expired: 'Expired',
};

/** Every step of an action, as it was written down when it happened. Each entry holds the hash of the one before. */
export function Ledger({ action: { ledger, ledger_is_whole: isWhole, status } }: { action: Action }) {
  if (!ledger.length) return null;
  return (
    <details className="px-1 text-sm" open={status !== 'pending'}>
      <summary className="w-fit rounded py-1 text-[13px] text-faint hover:text-ink">
        Ledger · {ledger.length} {ledger.length === 1 ? 'entry' : 'entries'}
      </summary>
      {!isWhole && (
        <Notice tone="stop" icon={<TriangleAlert />}>
          An entry of this ledger was changed or is missing. Do not trust what it says.
        </Notice>
      )}
      <ol className="mt-2 ml-1.5 space-y-3 border-l border-line pl-4.5">
        {ledger.map((entry) => (
          <Entry key={entry.hash} entry={entry} />
        ))}
      </ol>
    </details>
  );
}

function Entry({ entry: { at, step, detail, hash } }: { entry: LedgerEntry }) {
  const text = detailText(detail);
  return (
    <li className="relative before:absolute before:top-[7px] before:-left-[22px] before:size-[7px] before:rounded-full before:bg-edge">
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-medium">{stepWords[step] ?? step.replaceAll('_', ' ')}</span>
        <span className="text-[13px] text-faint">{momentText(at)}</span>
        <span className="font-mono text-xs text-faint" title={`Entry ${hash}`}>
          {hash.slice(0, 8)}
        </span>
      </p>
      {text && <p className="text-soft wrap-anywhere">{text}</p>}
    </li>
  );
}

/** What of an entry's detail is for people: who, what was edited, why. The rest is for those who check the hashes. */
function detailText({ by, fields, reason, error, message }: Record<string, unknown>): string {
  const edited = Array.isArray(fields) && fields.length ? fields.join(', ') : '';
  const why = [reason, message, error].find((each) => typeof each === 'string');
  return [typeof by === 'string' && `by ${by}`, edited, why].filter(Boolean).join(' · ');
}
