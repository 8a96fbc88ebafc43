// The daily caps on the cost of language models, over all features.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { lockSpending, sumToday } from './store.ts';

/** In millionths of a US dollar per day (UTC); null: no cap. `trial`: for automations that nobody ever activated. */
export type Caps = { person: number | null; workspace: number | null; trial: number | null };

export type CapName = keyof Caps;

/** A question that was not asked because it could have exceeded a daily cap. */
export class LlmCapReached extends AppError {
  /** When the caps start again. */
  readonly resetsAt: Date;

  constructor(name: CapName, facts: { cap: number; spent: number; reserved: number; most: number; resetsAt: Date }) {
    const { cap, spent, reserved, most, resetsAt } = facts;
    const underway = reserved ? `, and ${formatUsd(reserved)} are reserved for current questions` : '';
    super(
      'plan_limit',
      `The daily cap of ${formatUsd(cap)} for the language models of ${whose[name]} would be exceeded: ${formatUsd(spent)} are used${underway}, and this question can cost ${formatUsd(most)}. ` +
        `Ask again after ${resetsAt.toISOString()}, or ask the operator of the server to set ${settingOf[name]}.`,
      { cap: 'cost_cap', daily_cap: name, resets_at: resetsAt.toISOString() },
    );
    this.name = 'LlmCapReached';
    this.resetsAt = resetsAt;
  }
}

const whose: Readonly<Record<CapName, string>> = {
  person: 'one person',
  workspace: 'this workspace',
  trial: 'a person’s automations that nobody ever activated',
};

const settingOf: Readonly<Record<CapName, string>> = {
  person: 'THALAMUS_LLM_DAILY_USD_PERSON',
  workspace: 'THALAMUS_LLM_DAILY_USD_WORKSPACE',
  trial: 'THALAMUS_LLM_DAILY_USD_TRIAL',
};

/** `personId`: the person who asks; null: the workspace's own work. */
type QuestionCost = { personId: string | null; isTrial: boolean; most: number };

/**
 * Throws `LlmCapReached` for a question whose highest cost does not fit into a cap. The lock is kept to the end of the
 * transaction, which reserves that cost: of two concurrent questions, in any process, the second one sees the first. A
 * person's caps count what their identity asks in all its workspaces.
 */
export async function checkCaps(db: Db, caps: Caps, { personId, isTrial, most }: QuestionCost): Promise<void> {
  const names = (['trial', 'person', 'workspace'] as const).filter(
    (name) => (name !== 'trial' || isTrial) && (name === 'workspace' || personId !== null),
  );
  if (most <= 0 || names.every((name) => caps[name] === null)) return;
  await lockSpending(db, personId);
  const today = await sumToday(db, personId);
  for (const name of names) {
    const cap = caps[name];
    const { spent, reserved } = today[name];
    if (cap !== null && spent + reserved + most > cap)
      throw new LlmCapReached(name, { cap, spent, reserved, most, resetsAt: today.resetsAt });
  }
}

/** Dollars, with at least two significant digits. */
function formatUsd(micro: number): string {
  const dollars = micro / 1_000_000;
  return `${dollars >= 0.01 || dollars === 0 ? dollars.toFixed(2) : dollars.toPrecision(2)} USD`;
}
