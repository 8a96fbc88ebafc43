import { useNavigate } from '@tanstack/react-router';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { answerWords } from './draft-words.ts';
import { Evidence } from './evidence.tsx';
import { KeyNotice, useIsSignedInByKey } from './key-notice.tsx';
import { answerAction, type Action, type PersonsAnswer } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

const choices: readonly PersonsAnswer[] = ['it_happened', 'it_did_not', 'send_again'];

/** Asks whether the draft arrived, when the provider cannot say, and shows the evidence. */
export function AskPerson({ action }: { action: Action }) {
  const navigate = useNavigate();
  const isOfKey = useIsSignedInByKey();
  const answering = useCall(answerAction, {
    refreshes: ['actions'],
    success: ({ again }) => ['Noted', again ? 'A new draft waits for your approval.' : undefined],
    onSuccess: ({ again }) => {
      if (again) void navigate({ to: '/inbox/$draftId', params: { draftId: again.draft_id } });
    },
  });
  return (
    <Card className="space-y-3 px-5 py-4">
      <p className="text-sm leading-relaxed text-soft">
        The provider is asked for a day and may still answer. When you checked at {action.account} and know, say so:
      </p>
      <Evidence action={action} />
      {isOfKey && <KeyNotice />}
      {answering.error && <Notice tone="stop">{formatErrorMessage(answering.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        {choices.map((answer) => (
          <Button
            key={answer}
            disabled={isOfKey || answering.isBusy}
            isBusy={answering.isBusy && answering.input?.answer === answer}
            onClick={() => answering.call({ draft_id: action.draft_id, answer })}
          >
            {answerWords[answer]}
          </Button>
        ))}
      </div>
    </Card>
  );
}
