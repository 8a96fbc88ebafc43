import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Tag } from '../../design/page.tsx';
import { useHasScope } from '../../entities/me.ts';
import { KindSign } from './kind-sign.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { buildRecipesQuery, type RecipeKind, type RecipeSummary } from './requests.ts';
import { kinds, kindWords } from './words.ts';

export type CodexSearch = { kind?: RecipeKind | undefined; q?: string | undefined };

/** Everything that can be installed, by kind and search. */
export function CodexPage({ kind, q }: CodexSearch) {
  const navigate = useNavigate();
  const [isPublishing, setIsPublishing] = useState(false);
  const mayPublish = useHasScope('recipes:publish');
  const query = useQuery({ ...buildRecipesQuery({ kind, search: q }), placeholderData: keepPreviousData });
  const show = (search: CodexSearch) => void navigate({ to: '/codex', search, replace: true });
  return (
    <ListPage
      title="Codex"
      lead="Boards, automations, workflows and integrations to install. See what each reads and needs first."
      action={mayPublish && <Button onClick={() => setIsPublishing(true)}>Publish recipe</Button>}
      noun="recipes"
      isGallery
      query={query}
      getKey={({ id }) => id}
      renderRow={(recipe) => <RecipeCard of={recipe} />}
      search={{ label: 'Search recipes', value: q ?? '', onChange: (text) => show({ kind, q: text || undefined }) }}
      filters={
        <SelectField
          label="Kind"
          isLabelHidden
          className="sm:w-44"
          value={kind ?? ''}
          onChange={({ target }) => show({ q, kind: kinds.find((each) => each === target.value) })}
        >
          <option value="">All kinds</option>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {kindWords[each].plural}
            </option>
          ))}
        </SelectField>
      }
      isNarrowed={q !== undefined || kind !== undefined}
      empty={{
        icon: <LibraryBig />,
        title: 'No recipes yet',
        children: 'Recipes of this server and of your workspace appear here. Publish one to share it.',
      }}
    >
      <PublishDialog isOpen={isPublishing} onClose={() => setIsPublishing(false)} />
    </ListPage>
  );
}

function RecipeCard({ of: recipe }: { of: RecipeSummary }) {
  const { slug, name, kind, description_excerpt: excerpt, author, tags } = recipe;
  return (
    <li className="relative flex flex-col rounded-2xl border border-line bg-surface p-5 shadow-card transition-colors hover:bg-hover">
      <div className="flex items-start gap-3.5">
        <KindSign kind={kind} />
        <div className="min-w-0 flex-1">
          <h2 className="text-[15px] font-semibold wrap-anywhere">
            <Link to="/codex/$slug" params={{ slug }} className="rounded after:absolute after:inset-0">
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <p className="mt-1 line-clamp-3 text-sm leading-relaxed wrap-anywhere text-soft">{excerpt}</p>
        </div>
      </div>
      <p className="mt-4 flex flex-1 flex-wrap items-end gap-1.5 text-[13px] text-faint">
        <Tag>{kindWords[kind].label}</Tag>
        {tags.slice(0, 2).map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        <span className="ml-auto">
          <bdi>{author}</bdi>
        </span>
      </p>
    </li>
  );
}
