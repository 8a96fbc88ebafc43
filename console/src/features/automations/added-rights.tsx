import type { Automation } from './requests.ts';
import { formatCost, grantText, triggerText } from './words.ts';

type RequestedRights = NonNullable<Automation['waiting_change']>['asks_for_more'];

/** The rights that a change adds, in words. */
export function AddedRights({ of: more }: { of: RequestedRights }) {
  const lines = formatAddedRights(more);
  if (!lines.length) return <p>It asks for nothing that it could not do before.</p>;
  return (
    <>
      <p className="font-medium">It asks for more than it had before:</p>
      <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function formatAddedRights(more: RequestedRights): string[] {
  return [
    ...more.tool_grants.map((grant) => `Call ${grantText(grant)}`),
    ...more.hosts.map((host) => `Reach ${host}`),
    ...more.triggers.map((trigger) => `Start: ${triggerText(trigger)}`),
    ...more.limits.map(({ name, from, to }) => limitText[name](from, to)),
    ...(more.confirms_by_itself ? ['Approve safe actions by itself'] : []),
  ];
}

const limitText = {
  cost_cap_daily_usd: (from: number, to: number) => `Cost ${formatCost(to)} a day, before ${formatCost(from)}`,
  max_wall_seconds: (from: number, to: number) => `Run for ${to} seconds, before ${from}`,
  max_llm_tokens: (from: number, to: number) =>
    `Use ${to.toLocaleString()} tokens a run, before ${from.toLocaleString()}`,
};
