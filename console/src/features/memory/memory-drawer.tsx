import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Archive } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Tag } from '../../design/page.tsx';
import { momentText } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { archiveMemory, type Hit, type Memory } from './requests.ts';
import { TypeLabel } from './type-label.tsx';
import { whyText } from './why.ts';

/** All there is to know of one memory, and the way to retire it. */
export function MemoryDrawer({ memory, onClose }: { memory: Memory | Hit | null; onClose: () => void }) {
  return (
    <Dialog isOpen={memory !== null} onClose={onClose} title="Memory" place="side">
      {memory && <Details memory={memory} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ memory, onClose }: { memory: Memory | Hit; onClose: () => void }) {
  return (
    <div className="flex min-h-full flex-col">
      <p className="text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere">{memory.content}</p>
      {memory.topics.length > 0 && (
        <p className="mt-4 flex flex-wrap gap-1.5">
          {memory.topics.map((topic) => (
            <Tag key={topic}>{topic}</Tag>
          ))}
        </p>
      )}
      <dl className="mt-6 grid grid-cols-[7rem_1fr] gap-y-2.5 text-sm">
        <Fact name="Type">
          <TypeLabel type={memory.type} />
        </Fact>
        <Fact name="Weight">
          <span className="capitalize">{memory.salience}</span>
        </Fact>
        <Fact name="Brain">{memory.brain_name}</Fact>
        {memory.author && <Fact name="Said by">{memory.author}</Fact>}
        <Fact name="Stored by">{memory.stored_by}</Fact>
        {memory.source && <Fact name="Source">{memory.source}</Fact>}
        <Fact name="Happened">{momentText(memory.occurred_at)}</Fact>
        {'why' in memory && <Fact name="Found by">{whyText(memory.why)}</Fact>}
      </dl>
      {memory.triggers.length > 0 && (
        <section className="mt-6">
          <h3 className="mb-2 text-[13px] font-medium text-faint">Comes up by itself when</h3>
          <ul className="space-y-2">
            {memory.triggers.map(({ condition, reason }) => (
              <li key={condition} className="rounded-xl bg-sunken px-3.5 py-2.5 text-sm">
                <p className="font-medium">{condition}</p>
                <p className="mt-0.5 text-soft">{reason}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ArchiveForm id={memory.id} onDone={onClose} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

function ArchiveForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const archiving = useMutation({
    mutationFn: archiveMemory,
    onSuccess: () => {
      tell('Archived', 'It is kept, and no longer comes up.');
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['memory'] });
    },
    onError: (error) => tellFailure('Not archived', error),
  });
  if (!isAsking)
    return (
      <div className="mt-auto pt-8">
        <Button icon={<Archive className="size-4" />} onClick={() => setIsAsking(true)}>
          Archive
        </Button>
      </div>
    );
  return (
    <form
      className="mt-auto space-y-3 pt-8"
      onSubmit={(event) => {
        event.preventDefault();
        archiving.mutate({ id, ...(reason.trim() && { reason: reason.trim() }) });
      }}
    >
      <TextField
        autoFocus
        label="Why does it no longer hold?"
        placeholder="We switched to UCB"
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" look="stop" isBusy={archiving.isPending}>
          Archive it
        </Button>
        <Button look="quiet" onClick={() => setIsAsking(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
