import { Link } from '@tanstack/react-router';
import { BrainCircuit, Waypoints } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { BackLink } from '../../design/back-link.tsx';
import { getButtonClass } from '../../design/button.tsx';
import { Tag } from '../../design/page.tsx';
import { Skeleton } from '../../design/states.tsx';
import { KnowledgeTab } from './knowledge-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { Overview } from './overview.tsx';
import type { Brain } from '../../entities/brains.ts';
import { SettingsTab } from './settings-tab.tsx';
import { SkillsTab } from './skills-tab.tsx';
import { listBrainTabs, type BrainAddress, type TabName } from './tab-names.ts';

const TrainingTab = lazy(() => import('./training-tab.tsx').then((loaded) => ({ default: loaded.TrainingTab })));
const AnalyticsTab = lazy(() => import('./analytics-tab.tsx').then((loaded) => ({ default: loaded.AnalyticsTab })));

type Props = { brain: Brain; address: BrainAddress; onChange: (change: BrainAddress) => void };

/** One brain: its purpose and its tabs. */
export function BrainView({ brain, address, onChange }: Props) {
  const tabs = listBrainTabs(brain);
  const tab = tabs.find(({ name }) => name === address.tab)?.name ?? 'overview';
  return (
    <article className="mx-auto max-w-4xl px-4 pt-6 pb-24 sm:px-8 md:pt-10">
      <Head brain={brain} />
      <nav
        aria-label="About this brain"
        className="mt-6 mb-6 -ml-3 flex gap-1 overflow-x-auto border-b border-line pb-2"
      >
        {tabs.map(({ name, label }) => (
          <Link
            key={name}
            to="/brains/$brainId"
            params={{ brainId: brain.id }}
            search={{ tab: name }}
            ref={name === tab ? scrollLinkToView : undefined}
            aria-current={name === tab ? 'page' : undefined}
            className="flex h-8 shrink-0 items-center rounded-lg px-3 text-sm text-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Skeleton label="Loading" />}>
        <Tab name={tab} {...{ brain, address, onChange }} />
      </Suspense>
    </article>
  );
}

function Head({ brain }: { brain: Brain }) {
  return (
    <>
      <BackLink to="/brains" className="md:hidden">
        All brains
      </BackLink>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold tracking-tight wrap-anywhere sm:text-[26px]">
            {brain.name}
          </h1>
          <p className="mt-1.5 max-w-xl text-[15px] leading-relaxed text-pretty text-soft">
            {brain.description || 'No description yet. Add one, so that memories are routed here automatically.'}
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint">
            {brain.is_personal ? <Tag>Private</Tag> : <Tag>Your role: {brain.access_level}</Tag>}
            <span>
              {brain.memory_count} {brain.memory_count === 1 ? 'memory' : 'memories'}
            </span>
            {!brain.is_personal && (
              <span>
                {brain.member_count} {brain.member_count === 1 ? 'member' : 'members'}
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Link to="/memory" search={{ brain: brain.id }} className={getButtonClass()}>
            <BrainCircuit className="size-4" aria-hidden /> Memories
          </Link>
          <Link to="/memory/graph" search={{ brain: brain.id }} className={getButtonClass()}>
            <Waypoints className="size-4" aria-hidden /> Graph
          </Link>
        </div>
      </header>
    </>
  );
}

/** On a phone the tabs scroll sideways, and the chosen one has to be seen. */
function scrollLinkToView(link: HTMLAnchorElement | null): void {
  const bar = link?.closest('nav');
  if (link && bar) bar.scrollLeft = link.offsetLeft - bar.offsetLeft - 24;
}

function Tab({ name, brain, address, onChange }: Props & { name: TabName }) {
  if (name === 'members') return <MembersTab brain={brain} />;
  if (name === 'knowledge') return <KnowledgeTab brain={brain} />;
  if (name === 'skills') return <SkillsTab brain={brain} />;
  if (name === 'analytics') return <AnalyticsTab brain={brain} onOpen={(memory) => onChange({ memory })} />;
  if (name === 'training') return <TrainingTab brain={brain} />;
  if (name === 'settings') return <SettingsTab brain={brain} />;
  return <Overview brain={brain} address={address} onChange={onChange} />;
}
