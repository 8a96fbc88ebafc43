import { Button } from '../../design/button.tsx';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { useCall } from '../../design/use-call.ts';
import { deleteLink, refreshRecipe, testLink, type BoardLink, type DatasetRecipe } from './requests.ts';

type Props = { links: readonly BoardLink[]; mayWrite: boolean };

/** What a board points at in services. */
export function BoardLinks({ links, mayWrite }: Props) {
  return (
    <Section title="Links" lead="Services that fill datasets of this board. Their rows cannot be edited here.">
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} mayWrite={mayWrite} />
        ))}
      </ul>
    </Section>
  );
}

function LinkRow({ link, mayWrite }: { link: BoardLink; mayWrite: boolean }) {
  const {
    id,
    display_name: name,
    kind,
    integration_provider: provider,
    ended_at: endedAt,
    needs_account: needsAccount,
  } = link;
  const testing = useCall(() => testLink(id), {
    success: ({ ok, message }) => (ok ? ['The link works', message] : ['The link does not work', message]),
    failure: 'The link was not tested',
  });
  const access = provider === null ? 'Read without an account' : 'Read through a linked account';
  const ended = endedAt === null ? null : 'Ended: a person left. Make the link again.';
  const imported = needsAccount ? 'Imported without its account. Make the link again.' : null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="min-w-0 flex-1 basis-52">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="mt-0.5 block text-sm text-soft">
          {kind} · {ended ?? imported ?? access}
        </span>
      </span>
      {mayWrite && (
        <span className="flex gap-2">
          <Button size="small" isBusy={testing.isBusy} aria-label={`Test ${name}`} onClick={() => testing.call()}>
            Test
          </Button>
          <ConfirmButton
            label="Delete"
            about={`link ${name}`}
            title="Delete this link?"
            description="The board reads this service no more. Rows that were read stay."
            act="Delete link"
            run={() => deleteLink(id)}
            refreshes={['boards']}
            success="Link deleted"
          />
        </span>
      )}
      {link.recipes.map((recipe) => (
        <RecipeLine key={recipe.id} recipe={recipe} mayWrite={mayWrite} />
      ))}
    </li>
  );
}

/** One dataset that a link fills: how old its rows are, and whether the last refresh failed. */
function RecipeLine({ recipe, mayWrite }: { recipe: DatasetRecipe; mayWrite: boolean }) {
  const { id, dataset_name: name, refreshed_at: refreshedAt, rows, failure, status } = recipe;
  const refreshing = useCall(() => refreshRecipe(id), {
    refreshes: ['boards'],
    success: ({ changed }) => (changed ? `${formatCount(changed, 'row')} changed` : 'Nothing has changed'),
    failure: 'The dataset was not refreshed',
  });
  return (
    <div className="flex basis-full flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-2 text-sm">
      <span className="min-w-0 flex-1 basis-52">
        <span className="block text-soft">
          <bdi className="font-medium text-ink">{name}</bdi> · {formatCount(rows, 'row')},{' '}
          {refreshedAt === null ? (
            'not read yet'
          ) : (
            <>
              read <Ago at={refreshedAt} />
            </>
          )}
        </span>
        {failure !== null && (
          <span className="block text-stop">
            {status === 'stopped' ? 'Stopped' : 'The last refresh failed'}: {failure}
          </span>
        )}
      </span>
      {mayWrite && (
        <Button
          size="small"
          isBusy={refreshing.isBusy || status === 'running'}
          aria-label={`Refresh ${name}`}
          onClick={() => refreshing.call()}
        >
          Refresh
        </Button>
      )}
    </div>
  );
}
