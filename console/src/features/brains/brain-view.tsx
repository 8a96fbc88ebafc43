import { Link, linkOptions } from '@tanstack/react-router';
import { BrainCircuit, Waypoints } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { BackLink } from '../../design/back-link.tsx';
import { getButtonClass } from '../../design/button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { ObjectPage } from '../../design/object-page.tsx';
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
    <ObjectPage
      title={brain.name}
      noun="brain"
      state={brain.is_personal ? <Tag>Private</Tag> : <Tag>Your role: {brain.access_level}</Tag>}
      lead={<Lead brain={brain} />}
      back={
        <BackLink to="/brains" className="md:hidden">
          All brains
        </BackLink>
      }
      action={
        <>
          <Link to="/memory" search={{ brain: brain.id }} className={getButtonClass()}>
            <BrainCircuit className="size-4" aria-hidden /> Memories
          </Link>
          <Link to="/memory/graph" search={{ brain: brain.id }} className={getButtonClass()}>
            <Waypoints className="size-4" aria-hidden /> Graph
          </Link>
        </>
      }
      tabs={tabs.map(({ name, label }) => ({
        label,
        link: linkOptions({ to: '/brains/$brainId', params: { brainId: brain.id }, search: { tab: name } }),
        isChosen: name === tab,
      }))}
    >
      <Suspense fallback={<Skeleton label="Loading" />}>
        <Tab name={tab} {...{ brain, address, onChange }} />
      </Suspense>
    </ObjectPage>
  );
}

function Lead({ brain: { description, memory_count, member_count, is_personal } }: { brain: Brain }) {
  const counts = [formatCount(memory_count, 'memory', 'memories'), !is_personal && formatCount(member_count, 'member')];
  return (
    <>
      {description || 'No description yet. Add one, so that memories are routed here automatically.'}
      <span className="mt-1.5 block text-[13px] text-faint">{counts.filter(Boolean).join(' · ')}</span>
    </>
  );
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
