import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { isAtLeast, type Brain } from '../../entities/brains.ts';
import { decideSuggestion, isAboutKnowledge, suggestionsQuery, type Suggestion } from './suggestion-requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { brain: Brain; about: 'knowledge' | 'skills' };

/** Suggestions of agents about a brain, to accept or decline. Renders nothing without suggestions. */
export function SuggestionList({ brain, about }: Props) {
  const { data = [] } = useQuery(suggestionsQuery);
  const here = data.filter(
    (each) =>
      isAboutKnowledge(each) === (about === 'knowledge') && (each.brain_id === brain.id || each.brain_id === null),
  );
  if (!here.length) return null;
  return (
    <Section title="Suggestions" lead="Your agents suggest these changes. They apply after you accept them.">
      <Card>
        <ul className="divide-y divide-line">
          {here.map((suggestion) => (
            <SuggestionRow
              key={suggestion.suggestion_id}
              suggestion={suggestion}
              mayDecide={suggestion.brain_id === null || isAtLeast(brain.access_level, 'admin')}
            />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function SuggestionRow({ suggestion, mayDecide }: { suggestion: Suggestion; mayDecide: boolean }) {
  const deciding = useDeciding(suggestion);
  const { proposed, now, is_outdated, suggested_by, created_at, kind } = suggestion;
  const title = formatSuggestionTitle(suggestion);
  return (
    <li className="space-y-3 px-4 py-4 sm:px-5">
      <h3 className="text-sm font-semibold wrap-anywhere">{title}</h3>
      {now && kind !== 'place_skill' && <Words label="Now" text={now} isStruck />}
      {proposed.content && <Words label="Suggested" text={proposed.content} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-[13px] text-faint">
        <span>
          {suggested_by.agent}, an agent of {suggested_by.person} · <Ago at={created_at} />
        </span>
        {proposed.visibility && (
          <span>{proposed.visibility === 'local' ? 'this brain only' : 'includes sub-brains'}</span>
        )}
        {is_outdated && <Tag tone="wait">Out of date. Ask the agent to suggest it again.</Tag>}
        {mayDecide && (
          <span className="ml-auto flex gap-2">
            <Button
              look="quiet"
              size="small"
              disabled={deciding.isBusy}
              aria-label={`Decline: ${title}`}
              onClick={() => deciding.call('decline')}
            >
              Decline
            </Button>
            <Button
              size="small"
              disabled={deciding.isBusy || is_outdated}
              aria-label={`Accept: ${title}`}
              onClick={() => deciding.call('accept')}
            >
              Accept
            </Button>
          </span>
        )}
      </div>
    </li>
  );
}

function Words({ label, text, isStruck = false }: { label: string; text: string; isStruck?: boolean }) {
  return (
    <div>
      <p className="text-[13px] text-faint">{label}</p>
      <p
        className={`mt-1 max-h-80 overflow-y-auto text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere ${isStruck ? 'text-soft' : ''}`}
      >
        {text}
      </p>
    </div>
  );
}

/** One line that says what would change. */
function formatSuggestionTitle({ kind, proposed, skill_name, brain_name }: Suggestion): string {
  const section = proposed.section?.replaceAll('_', ' ') ?? '';
  if (kind === 'add_core_knowledge') return `Core knowledge about ${section}`;
  if (kind === 'remove_core_knowledge') return `Remove the core knowledge about ${section}`;
  if (kind === 'save_skill')
    return skill_name
      ? `New version of the skill ${skill_name}${formatRename(proposed.name, skill_name)}`
      : `New skill ${proposed.name ?? ''}`;
  const words: Partial<Record<string, string>> = { unassign: 'Remove', enable: 'Turn on', disable: 'Turn off' };
  const word = proposed.is_enabled === false ? 'Turn off' : (words[proposed.action ?? 'assign'] ?? 'Add');
  return `${word} the skill ${skill_name ?? ''} ${brain_name ? `on ${brain_name}` : 'for one agent'}`;
}

function formatRename(name: string | undefined, former: string): string {
  return name === undefined || name === former ? '' : `, renamed to ${name}`;
}

function useDeciding({ suggestion_id }: Suggestion) {
  return useCall((decision: 'accept' | 'decline') => decideSuggestion(suggestion_id, decision), {
    refreshes: ['brains'],
    success: (_answer, decision) => (decision === 'accept' ? 'Accepted' : 'Declined'),
    failure: 'Not saved',
  });
}
