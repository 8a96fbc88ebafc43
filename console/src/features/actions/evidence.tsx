import type { ReactNode } from 'react';
import { formatExactMoment } from '../../design/time.tsx';
import { formatTarget, getDraftHeadline } from './draft-words.ts';
import { classifyPayload } from './payload.ts';
import type { Action, Draft } from './requests.ts';

/** The evidence about a draft with an unknown outcome, and where a person can check. */
export function Evidence({ action }: { action: Action }) {
  const { ledger, error } = action;
  const sending = ledger.findLast(({ step }) => step === 'sending');
  const asked = ledger.findLast(({ step }) => step === 'asked_provider' || step === 'ambiguous');
  const handle = handleText(sending?.detail['handle']);
  return (
    <dl aria-label="Evidence" className="space-y-1.5 text-[13px]">
      <Fact label="Reason">{error}</Fact>
      <Fact label="Sent to provider">{sending && <Moment at={sending.at} />}</Fact>
      <Fact label="Last check">{asked && <Moment at={asked.at} />}</Fact>
      <Fact label="Tracking id">{handle && <code className="font-mono text-xs">{handle}</code>}</Fact>
      <Fact label="Where to look">{describeEvidencePlace(action)}</Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className="sm:grid sm:grid-cols-[9rem_1fr] sm:gap-3">
      <dt className="text-faint">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatExactMoment(at)}</time>;
}

/**
 * The provider's key for looking it up, such as `gmail draft id r-1, thread id 2`. Lists are left out: they contain
 * former items.
 */
function handleText(handle: unknown, of = ''): string {
  if (typeof handle !== 'object' || handle === null) return '';
  return Object.entries(handle)
    .map(([name, value]: [string, unknown]) => {
      const label = `${of}${name.replaceAll('_', ' ')}`;
      if (typeof value === 'string' || typeof value === 'number') return `${label} ${value}`;
      return Array.isArray(value) ? '' : handleText(value, `${label} `);
    })
    .filter(Boolean)
    .join(', ');
}

function describeEvidencePlace(draft: Draft): string {
  const { account, source } = draft;
  const named = `for “${getDraftHeadline(draft)}”`;
  const places = {
    email: `The sent mails of ${account}, ${named} to ${formatTarget(draft)}.`,
    event: `The calendar of ${account}, ${named}.`,
    file: `The files of ${account}, ${named}.`,
    other: `${source}, as ${account} sees it, ${named}.`,
  };
  return places[classifyPayload(draft.payload)];
}
