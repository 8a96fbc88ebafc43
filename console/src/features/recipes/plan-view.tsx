import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button, getButtonClass } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import type { Plan, Recipe } from './requests.ts';
import { kindWords } from './words.ts';

/** What installing a recipe makes, reads, reaches and costs, and what is missing. */
export function PlanView({ recipe, plan }: { recipe: Recipe; plan: Plan }) {
  const { steps, reads, writes, hosts, grants, cost } = plan;
  return (
    <>
      <Missing recipe={recipe} plan={plan} />
      <Section title="What it does">
        <Card className="divide-y divide-line text-sm">
          <Lines label="Makes" lines={writes} />
          <Lines label="Reads" lines={reads} />
          <Lines label="Reaches" lines={hosts} isCode />
          <Lines
            label="Its automations may call"
            lines={[...new Set(grants.map(({ tool }) => tool))]}
            isCode
            hint="Once you activate them."
          />
          <Lines label="Costs" lines={[describeCost(cost)]} />
        </Card>
      </Section>
      {steps.length > 1 && (
        <Section title="Installed together" lead="In this order: all of it, or nothing.">
          <Card>
            <ol className="divide-y divide-line">
              {steps.map(({ slug, recipe_name, kind, action, version }) => (
                <li
                  key={slug}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 text-sm sm:px-5"
                >
                  <Link
                    to="/codex/$slug"
                    params={{ slug }}
                    className="min-w-0 font-medium underline-offset-2 hover:underline"
                  >
                    <bdi>{recipe_name}</bdi>
                  </Link>
                  <span className="flex items-center gap-2 text-soft">
                    {version}
                    <Tag>{kindWords[kind].label}</Tag>
                    {action === 'use' && <Tag tone="go">Installed</Tag>}
                    {action === 'recover' && <Tag tone="wait">Recovered</Tag>}
                  </span>
                </li>
              ))}
            </ol>
          </Card>
        </Section>
      )}
    </>
  );
}

function describeCost({ most_usd_a_month: most, runs_a_month: runs }: Plan['cost']): string {
  const often = runs === null ? '' : ` It runs about ${runs.toLocaleString()} times a month.`;
  if (most === 0) return `It calls no language model.${often}`;
  return `At most $${most.toLocaleString()} a month for language models.${often}`;
}

function Lines(props: { label: string; lines: readonly string[]; hint?: string; isCode?: boolean }) {
  const { label, lines, hint, isCode = false } = props;
  if (!lines.length) return null;
  return (
    <div className="grid gap-x-6 gap-y-1 px-4 py-4 sm:grid-cols-[10rem_1fr] sm:px-5">
      <h3 className="text-soft">{label}</h3>
      <div className="min-w-0">
        <ul className={isCode ? 'space-y-1 font-mono text-[13px] wrap-anywhere' : 'space-y-1 wrap-anywhere'}>
          {lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
        {hint && <p className="mt-1 text-[13px] text-faint">{hint}</p>}
      </div>
    </div>
  );
}

/** Secrets and accounts that the recipe needs and the person does not have yet. */
function Missing({ recipe, plan }: { recipe: Recipe; plan: Plan }) {
  const { secrets, accounts } = plan.missing;
  if (!secrets.length && !accounts.length) return null;
  return (
    <Section title="What it needs" lead={`${recipe.name} waits until it has these.`}>
      <Card className="divide-y divide-line">
        {accounts.map(({ provider, reason }) => (
          <Need key={provider} name={provider} detail={reason}>
            <Link
              to="/integrations/$source"
              params={{ source: provider }}
              search={{}}
              className={getButtonClass('plain', 'small')}
            >
              Connect account
            </Link>
          </Need>
        ))}
        {secrets.map((secret) => (
          <SecretNeed key={secret.name} secret={secret} hosts={plan.hosts} />
        ))}
      </Card>
    </Section>
  );
}

function Need({ name, detail, children }: { name: string; detail: string | null; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-mono text-sm font-medium wrap-anywhere">{name}</p>
        {detail && <p className="mt-0.5 text-sm text-soft">{detail}</p>}
      </div>
      {children}
    </div>
  );
}

type Secret = Plan['missing']['secrets'][number];

function SecretNeed({ secret, hosts }: { secret: Secret; hosts: string[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Need name={secret.name} detail={secret.description}>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Add secret
      </Button>
      <SecretDialog {...secret} hosts={hosts} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Need>
  );
}
