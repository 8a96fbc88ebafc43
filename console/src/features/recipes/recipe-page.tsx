import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card, Tag } from '../../design/page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { QueryResult } from '../../design/query-state.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { useHasScope } from '../../entities/me.ts';
import { InstallDialog } from './install-dialog.tsx';
import { PreviewImage } from './preview-image.tsx';
import { PlanView } from './plan-view.tsx';
import { buildPlanQuery, buildRecipeQuery, type Recipe } from './requests.ts';
import { kindWords } from './words.ts';

/** One recipe: what it makes, reads, needs and costs, and how to install it. */
export function RecipePage({ slug }: { slug: string }) {
  const query = useQuery(buildRecipeQuery(slug));
  const { data } = query;
  if (!data)
    return (
      <ObjectPage title="Recipe" noun="recipe" query={query}>
        {null}
      </ObjectPage>
    );
  return <Loaded of={data} query={query} />;
}

function Loaded({ of: recipe, query }: { of: Recipe; query: QueryState }) {
  const [isInstalling, setIsInstalling] = useState(false);
  const mayInstall = useHasScope('recipes:install');
  const planning = useQuery(buildPlanQuery({ slug: recipe.slug }));
  const { name, kind, version, author, description, tags } = recipe;
  return (
    <ObjectPage
      title={name}
      state={<Tag>{kindWords[kind].label}</Tag>}
      lead={description}
      noun="recipe"
      query={query}
      action={
        mayInstall && (
          <Button look="primary" onClick={() => setIsInstalling(true)}>
            Install
          </Button>
        )
      }
    >
      <div className="space-y-8">
        <PreviewImage of={recipe} />
        {planning.data?.is_installed && (
          <Notice tone="plain">
            Your brain already has this recipe.{' '}
            <Link to="/installs" className="underline underline-offset-2">
              See what is installed
            </Link>
            .
          </Notice>
        )}
        <QueryResult query={planning} noun="the plan">
          {planning.data && <PlanView recipe={recipe} plan={planning.data} />}
        </QueryResult>
        <Section title="About">
          <Card className="p-5 text-sm">
            <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[8rem_1fr]">
              <Fact label="Version">{version}</Fact>
              <Fact label="Published by">
                <bdi>{author}</bdi>
              </Fact>
              {tags.length > 0 && <Fact label="Tags">{tags.join(', ')}</Fact>}
              <Fact label="Slug">
                <span className="font-mono text-[13px]">{recipe.slug}</span>
              </Fact>
            </dl>
          </Card>
        </Section>
      </div>
      <InstallDialog of={recipe} plan={planning.data} isOpen={isInstalling} onClose={() => setIsInstalling(false)} />
    </ObjectPage>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0 wrap-anywhere max-sm:mb-2">{children}</dd>
    </>
  );
}
