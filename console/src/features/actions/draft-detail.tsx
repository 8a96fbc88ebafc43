import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import { BackLink } from '../../design/back-link.tsx';
import { Tag } from '../../design/page.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { AgentValues, useAgentValues } from './agent-values.tsx';
import { Countdown } from './countdown.tsx';
import { DangerMark } from './danger-mark.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { isNotFound } from '../../api/api-error.ts';
import { ExtendDraft } from './extend-draft.tsx';
import { ForWhom } from './for-whom.tsx';
import { getDraftHeadline, describeDraftStatus } from './draft-words.ts';
import { KeptText } from './kept-text.tsx';
import { Ledger } from './ledger.tsx';
import { OutcomeNotice } from './outcome-notice.tsx';
import { PayloadForm } from './payload-form.tsx';
import { PayloadView } from './payload-view.tsx';
import { buildActionQuery, type Action, type Draft } from './requests.ts';
import { AskPerson } from './ask-person.tsx';
import { RouteLine } from './route-line.tsx';
import { closeTyped, findUnsavedTexts } from './unsaved-edits.ts';
import type { MoveOn } from './use-decision.ts';

type Props = {
  draftId: string;
  /** As in the list. */
  listed: Draft | undefined;
  moveOn: MoveOn;
};

/** A person who moves on sooner has not reviewed the draft. */
const passingMs = 150;

/** One draft: a preview with the two buttons, or its outcome. */
export function DraftDetail({ draftId, listed, moveOn }: Props) {
  const [listedFirst] = useState(listed); // it leaves the list when it is decided
  const hasStayed = useHasStayed();
  const {
    data: action,
    error,
    refetch,
  } = useQuery({ ...buildActionQuery(draftId), enabled: !listedFirst || hasStayed });
  // A draft that is no longer visible to the person is removed from the screen.
  if (error && isNotFound(error)) return <ErrorState error={error} />;
  // The list has enough to show a draft before its ledger is loaded.
  const known = listed ?? listedFirst;
  const shown = action ?? (known && { ...known, ledger: [], ledger_is_whole: true, can_redraft: false });
  if (shown) return <Shown action={shown} moveOn={moveOn} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Skeleton label="Loading the draft" />;
}

/** Whether the person stays on the draft. Stepping through the list loads no details. */
function useHasStayed(): boolean {
  const [hasStayed, setHasStayed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasStayed(true), passingMs);
    return () => clearTimeout(timer);
  }, []);
  return hasStayed;
}

function Shown({ action, moveOn }: { action: Action; moveOn: MoveOn }) {
  const isPending = action.status === 'pending';
  // The draft when the person started to edit. An open edit continues.
  const [editing, setEditing] = useState<Draft | null>(() => (isPending && findUnsavedTexts(action) ? action : null));
  useEffect(() => {
    if (!isPending) closeTyped(action.draft_id);
  }, [isPending, action.draft_id]);
  const agentValues = useAgentValues(action);
  const isCut = !action.preview.is_complete && !agentValues.needsThem;
  return (
    <article className="mx-auto flex min-h-[calc(100dvh-4rem)] max-w-3xl flex-col md:max-lg:min-h-dvh lg:min-h-full px-4 sm:px-8">
      <header className="pt-5 pb-5 sm:pt-8">
        <BackLink to="/inbox" className="lg:hidden">
          Inbox
        </BackLink>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 max-sm:basis-full">
            <RouteLine draft={action} status={action.status} />
          </div>
          <span className="flex items-center gap-2 text-[13px]">
            <DangerMark draft={action} />
            {action.delegated_by && <ForWhom name={action.delegated_by} />}
            <Tag tone={describeDraftStatus(action).tone}>{describeDraftStatus(action).label}</Tag>
            {isPending && <Countdown until={action.expires_at} />}
            {isPending && <ExtendDraft draft={action} />}
          </span>
        </div>
        <h2 className="sr-only">{getDraftHeadline(action)}</h2>
      </header>
      <div className="flex-1 space-y-4 pb-6">
        {isPending ? isCut && <CutNotice /> : <OutcomeNotice action={action} />}
        {!isPending && <KeptText action={action} />}
        {action.status === 'ambiguous' && <AskPerson action={action} />}
        {action.danger.length > 0 && <Notice tone="stop">{action.danger.map(({ says }) => says).join(' ')}</Notice>}
        <AgentValues {...agentValues} />
        {editing && isPending ? (
          <PayloadForm
            key={editing.content_hash}
            draft={editing}
            onDone={() => setEditing(null)}
            onStartAnew={() => setEditing(action)}
          />
        ) : (
          <PayloadView draft={action} />
        )}
        {action.policy && <WhyItWaits reason={action.policy.reason} />}
        <Ledger action={action} />
      </div>
      {isPending && !editing && (
        <DecisionBar
          draft={action}
          isShownWhole={action.preview.is_complete || agentValues.values !== null}
          moveOn={moveOn}
          onEdit={() => setEditing(action)}
        />
      )}
    </article>
  );
}

/** The policy rule that requires approval. */
function WhyItWaits({ reason }: { reason: string }) {
  return (
    <p className="px-1 text-[13px] text-faint">
      {reason}{' '}
      <Link to="/rules" className="whitespace-nowrap underline decoration-edge underline-offset-4 hover:text-ink">
        Rules
      </Link>
    </p>
  );
}

function CutNotice() {
  return (
    <Notice tone="wait" icon={<Eye />}>
      This draft is too long to show in full, so you cannot approve it. Decline it and ask the agent to split it.
    </Notice>
  );
}
