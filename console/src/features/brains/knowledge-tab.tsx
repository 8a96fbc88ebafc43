import { useQuery } from '@tanstack/react-query';
import { BookMarked, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { notifyUndoable } from '../../design/toasts.tsx';
import { KnowledgeDialog, type Draft } from './knowledge-dialog.tsx';
import { addKnowledge, buildKnowledgeQuery, removeKnowledge, type KnowledgeItem } from './knowledge-requests.ts';
import { isAtLeast, type Brain } from '../../entities/brains.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { useCall } from '../../design/use-call.ts';

/** The core knowledge of a brain, and the suggestions of agents. */
export function KnowledgeTab({ brain }: { brain: Brain }) {
  return (
    <div className="space-y-8">
      <SuggestionList brain={brain} about="knowledge" />
      <KnowledgeSection brain={brain} />
    </div>
  );
}

/** The core knowledge by section. Admins of the brain edit it. */
function KnowledgeSection({ brain }: { brain: Brain }) {
  const [hasHistory, setHasHistory] = useState(false);
  const [draft, setDraft] = useState<Draft | null>(null);
  const { data: sections, error, isPending, refetch } = useQuery(buildKnowledgeQuery(brain.id, hasHistory));
  const isAdmin = isAtLeast(brain.access_level, 'admin');
  const removing = useRemoving(brain.id);
  const addButton = isAdmin && (
    <Button
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setDraft({ section: '', content: '', visibility: 'inherited' })}
    >
      Add core knowledge
    </Button>
  );
  return (
    <Section
      title="Core knowledge"
      lead="Agents on this brain read it at the start of each session."
      action={
        <div className="flex flex-wrap gap-2">
          <Button look="quiet" aria-pressed={hasHistory} onClick={() => setHasHistory(!hasHistory)}>
            {hasHistory ? 'Hide history' : 'Show history'}
          </Button>
          {addButton}
        </div>
      }
    >
      {isPending && <Skeleton label="Loading core knowledge" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {sections?.length === 0 && (
        <Card>
          <EmptyState icon={<BookMarked />} title="No core knowledge yet">
            Add what every agent should know before it starts: your style, your goals, who is who.
          </EmptyState>
        </Card>
      )}
      <div className="space-y-4">
        {sections?.map(({ section, items }) => (
          <Card key={section}>
            <h3 className="border-b border-line px-4 py-3 text-sm font-semibold wrap-anywhere sm:px-5">
              {formatSectionName(section)}
            </h3>
            <ul className="divide-y divide-line">
              {items.map((item) => (
                <Item
                  key={item.id}
                  item={item}
                  mayChange={isAdmin && !item.is_inherited && item.is_active}
                  onReplace={() => setDraft({ section, content: item.content, visibility: item.visibility })}
                  onRemove={() => removing.call({ section, item })}
                />
              ))}
            </ul>
          </Card>
        ))}
      </div>
      <KnowledgeDialog brain={brain} draft={draft} onClose={() => setDraft(null)} />
    </Section>
  );
}

/** «writing_style» as a heading: «Writing style». */
function formatSectionName(section: string): string {
  const words = section.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type ItemProps = { item: KnowledgeItem; mayChange: boolean; onReplace: () => void; onRemove: () => void };

function Item({ item, mayChange, onReplace, onRemove }: ItemProps) {
  return (
    <li className="px-4 py-4 sm:px-5">
      <p
        className={joinClassNames(
          'text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere',
          !item.is_active && 'text-faint line-through decoration-edge',
        )}
      >
        {item.content}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint">
        {item.is_inherited && <Tag>From {item.brain_name}</Tag>}
        {!item.is_inherited && <span>{item.visibility === 'local' ? 'this brain only' : 'includes sub-brains'}</span>}
        <span>
          {item.version > 1 && `version ${item.version}, `}
          {item.added_by} · <Ago at={item.created_at} />
        </span>
        {item.deactivated_at && (
          <span>
            inactive since <Ago at={item.deactivated_at} />
            {item.deactivated_by && ` by ${item.deactivated_by}`}
          </span>
        )}
        {mayChange && (
          <span className="-my-1 ml-auto flex gap-1">
            <Button look="quiet" size="small" onClick={onReplace}>
              Edit
            </Button>
            <Button look="quiet" size="small" onClick={onRemove}>
              Remove
            </Button>
          </span>
        )}
      </div>
    </li>
  );
}

type RemovedKnowledge = { section: string; item: KnowledgeItem };

function useRemoving(brainId: string) {
  const addingBack = useCall(
    ({ section, item: { content, visibility } }: RemovedKnowledge) =>
      addKnowledge({ brain_id: brainId, section, content, visibility }),
    { refreshes: [['brains', 'knowledge']], failure: 'It was not restored' },
  );
  return useCall(({ item }: RemovedKnowledge) => removeKnowledge({ brain_id: brainId, item_id: item.id }), {
    refreshes: [['brains', 'knowledge']],
    onSuccess: (_answer, removed) =>
      notifyUndoable('Removed', 'It stays in the history.', () => addingBack.call(removed)),
    failure: 'It was not removed',
  });
}
