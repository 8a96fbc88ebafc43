import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { ListRow } from '../../design/list-row.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { buildDraftsQuery, type Workflow } from './requests.ts';

/** The drafts of the workflow's automations that wait for an approval. */
export function WaitingDrafts({ of: workflow }: { of: Workflow }) {
  const { data: drafts = [], error, refetch } = useQuery(buildDraftsQuery(workflow));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!drafts.length) return null;
  return (
    <Section title="Drafts" lead="They wait for your approval in the inbox.">
      <Card>
        <ul className="divide-y divide-line">
          {drafts.map(({ draft_id: draftId, preview, drafted_by, created_at }) => (
            <ListRow
              key={draftId}
              name={preview.title}
              detail={drafted_by}
              link={linkOptions({ to: '/inbox/$draftId', params: { draftId } })}
            >
              <Ago at={created_at} />
            </ListRow>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
