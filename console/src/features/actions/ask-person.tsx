import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { tell } from '../../design/toasts.tsx';
import { answerAction, type Draft, type PersonsAnswer } from './requests.ts';

const choices: { answer: PersonsAnswer; label: string }[] = [
  { answer: 'it_happened', label: 'It happened' },
  { answer: 'it_did_not', label: 'It did not' },
  { answer: 'send_again', label: 'Draft it again' },
];

/** Asks what the provider could not tell: whether it arrived. */
export function AskPerson({ draft }: { draft: Draft }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const answering = useMutation({
    mutationFn: answerAction,
    onSuccess: ({ again }) => {
      tell('Noted', again ? 'It waits for your yes as a new draft.' : undefined);
      if (again) void navigate({ to: '/inbox/$draftId', params: { draftId: again.draft_id } });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['actions'] }),
  });
  return (
    <Card className="space-y-3 px-5 py-4">
      <p className="text-sm leading-relaxed text-soft">
        The provider is being asked and may still answer by itself. When you looked at {draft.account} and know, say so:
      </p>
      {answering.isError && <Notice tone="stop">{messageOf(answering.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        {choices.map(({ answer, label }) => (
          <Button
            key={answer}
            disabled={answering.isPending}
            isBusy={answering.isPending && answering.variables.answer === answer}
            onClick={() => answering.mutate({ draft_id: draft.draft_id, answer })}
          >
            {label}
          </Button>
        ))}
      </div>
    </Card>
  );
}
