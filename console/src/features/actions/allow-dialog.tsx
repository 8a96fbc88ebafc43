import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import type { Policy } from './policy-requests.ts';
import { describeRule } from './rule-words.ts';
import { listNewAllowances, listNewlyUnasked, computeUnaskedShare } from './without-approval.ts';

type Props = {
  before: Policy;
  /** The new policy. Null: the dialog is closed. */
  after: Policy | null;
  isBusy: boolean;
  onAllow: () => void;
  onClose: () => void;
};

const mostNamed = 8;

/** Asks before agents may act without approval, and explains the effect. */
export function AllowDialog({ before, after, isBusy, onAllow, onClose }: Props) {
  const isAll = after !== null && computeUnaskedShare(after) === 'all';
  return (
    <ConfirmDialog
      isOpen={after !== null}
      onClose={onClose}
      title={isAll ? 'Allow all actions without approval?' : 'Allow actions without approval?'}
      description={
        isAll
          ? 'Mails, events, files and messages of your agents are sent at once. Nothing waits in your inbox. You see each action afterwards in the history.'
          : 'Actions that these rules allow are sent at once. You see each one afterwards in the history.'
      }
      act="Allow without approval"
      isBusy={isBusy}
      onConfirm={onAllow}
    >
      {after && <Affected before={before} after={after} />}
    </ConfirmDialog>
  );
}

function Affected({ before, after }: { before: Policy; after: Policy }) {
  const actions = listNewlyUnasked(before, after);
  const destructive = actions.filter(({ risk }) => risk === 'destructive').length;
  const more = actions.length - mostNamed;
  return (
    <div className="space-y-3 text-sm">
      {listNewAllowances(before, after).map((rule) => (
        <p key={JSON.stringify(rule)} className="font-medium">
          {describeRule(rule)}
        </p>
      ))}
      <ul aria-label="Without approval" className="list-disc space-y-0.5 pl-5 text-soft empty:hidden">
        {actions.slice(0, mostNamed).map(({ source, action, when }) => (
          <li key={`${source} ${action}`}>
            <span className="text-ink">{action.replaceAll('_', ' ')}</span> at {source}
            {when === 'sometimes' && ', if the rule matches'}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
      {destructive > 0 && (
        <p className="text-stop">
          {destructive === 1 ? 'One of them deletes' : `${destructive} of them delete`} something or{' '}
          {destructive === 1 ? 'changes' : 'change'} who has access.
        </p>
      )}
    </div>
  );
}
