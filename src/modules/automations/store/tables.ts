import type { Language } from '#platform/sandbox';
import type { Lease } from '#platform/lease';
import type { DeclaredRead } from '#kernel/declared-reads';
import type { Grant } from '#kernel/grants';
import type { Caller, RunMode } from '#kernel/caller';
import type { CallerKindName } from '#kernel/caller-kinds';
import type { NameBinding } from '#modules/variables';
import type { Kysely } from 'kysely';
import type { Trigger, TriggerKind } from '../triggers.ts';

export type AutomationState = 'active' | 'paused' | 'killed';
export type WritePolicy = 'always_draft' | 'auto_confirm_safe';
export type RunStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'killed';

/** The rights of the caller who started a run. The run has no more than these. */
export type Starter = Pick<Caller, 'reach' | 'homeBrainId' | 'label' | 'ownRules'> & {
  scopes: string[];
  /** Absent: it was not recorded. */
  kind?: CallerKindName;
  /** Whether it was a person, or their own script. */
  isPerson?: boolean;
};

export type AutomationRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  brain_id: string | null;
  /** The workflow that owns it; null: it stands alone. */
  workflow_id: string | null;
  name: string;
  description: string;
  intent: string;
  state: AutomationState;
  active_version_id: string;
  /** The version that its variable names are bound for; null: no person has activated it since names are bound. */
  bound_version_id: string | null;
  triggers: Trigger[];
  tool_grants: Grant[];
  write_policy: WritePolicy;
  cost_cap_daily_usd: number;
  max_wall_seconds: number;
  max_llm_tokens: number;
  model: string;
  overlap: 'skip' | 'queue' | 'parallel';
  max_retries: number;
  /** Plain values that replace their names in double braces in the source. */
  settings: Record<string, string>;
  writes_to_boards: string[];
  dedupe_key_field: string | null;
  dedupe_target_field: string | null;
  coexistence_note: string | null;
  next_run_at: Date | null;
  webhook_hash: string | null;
  /** The key of the caller that created the address; null: a person created it, or there is none. */
  webhook_made_by_key: string | null;
  /** Why the address ended automatically. */
  webhook_ended_reason: string | null;
  /** When a person last activated it. Null: nobody ever did. */
  activated_at: Date | null;
  activated_by_label: string | null;
  /** The key behind that activation; null: a person. */
  activated_by_key: string | null;
  /** Why it was paused automatically. */
  paused_reason: string | null;
  /** What was activated then. Null: never, or before this was recorded. */
  activated: ActivatedState | null;
  created_by_label: string;
  created_at: Date;
  updated_at: Date;
};

/** The version and the settings that a person activated. */
export type ActivatedState = {
  version_id: string;
  settings: Settings;
  /** Absent: none, or before these were recorded. */
  reads?: AcceptedReads | undefined;
};

/**
 * The endpoints that a person accepted as read by POST in the console. They apply to one version with the values that
 * are filled into it: another source may ask something else there.
 */
export type AcceptedReads = { version_id: string; values: Record<string, string>; lines: DeclaredRead[] };

export type VersionRow = {
  id: string;
  workspace_id: string;
  automation_id: string;
  version: number;
  source: string;
  language: Language;
  created_by_label: string;
  created_at: Date;
};

export type RunRow = Lease & {
  id: string;
  workspace_id: string;
  automation_id: string;
  version_id: string;
  person_id: string;
  trigger_kind: TriggerKind;
  payload: unknown;
  slot: string;
  mode: RunMode;
  grants: Grant[];
  starter: Starter | null;
  /** The automations whose runs led to this one, the first one first, without its own. */
  chain: string[];
  status: RunStatus;
  is_serial: boolean;
  /** Started by hand while its automation was not active. */
  is_trial: boolean;
  /** How many runs of the same starter by hand waited or ran before it. */
  turn: number;
  attempt: number;
  due_at: Date;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  has_called: boolean;
  stop_requested: string | null;
  stdout: string;
  stderr: string;
  result: unknown;
  error: { name: string; message: string } | null;
  kill_reason: string | null;
  exit_code: number | null;
  duration_ms: number | null;
  cost_micro_usd: string | number;
  llm_tokens: string | number;
  reserved_micro_usd: string | number;
  reserved_tokens: string | number;
  llm_calls: number;
  recording: RecordedCall[] | null;
  replay_of: string | null;
};

/** One call of code to its host, with the answer. */
export type RecordedCall = {
  method: string;
  params: unknown;
  answer?: unknown;
  error?: { message: string; code?: string };
};

/** All settings of an automation that a change can set, except its state and source. */
export const settingNames = [
  'name',
  'description',
  'intent',
  'tool_grants',
  'triggers',
  'cost_cap_daily_usd',
  'max_wall_seconds',
  'max_llm_tokens',
  'model',
  'write_policy',
  'overlap',
  'max_retries',
  'settings',
] as const satisfies (keyof AutomationRow)[];

export type Settings = Pick<AutomationRow, (typeof settingNames)[number]> & { hosts: string[] };

/** A proposed change: settings by name. */
export type WantedFields = Partial<Settings>;

export type ChangeRow = {
  id: string;
  workspace_id: string;
  automation_id: string;
  version_id: string | null;
  fields: WantedFields;
  status: 'pending' | 'accepted' | 'declined' | 'replaced';
  created_by_label: string;
  created_at: Date;
  decided_by_label: string | null;
  decided_at: Date | null;
};

export type FixtureRow = {
  id: string;
  workspace_id: string;
  automation_id: string;
  name: string;
  trigger_kind: TriggerKind;
  payload: unknown;
  recorded_at: Date;
  calls: RecordedCall[];
  created_by_label: string;
  created_at: Date;
};

export type Tables = {
  automations: AutomationRow;
  automation_versions: VersionRow;
  automation_http_fetch_hosts: { automation_id: string; workspace_id: string; host: string; is_by_person: boolean };
  automation_variables: { automation_id: string; workspace_id: string } & NameBinding;
  automation_runs: RunRow;
  automation_changes: ChangeRow;
  automation_fixtures: FixtureRow;
  automation_passes: { automation_id: string; workspace_id: string; hash: string; passed_at: Date };
  automation_kv: { automation_id: string; workspace_id: string; key: string; value: unknown; updated_at: Date };
  people_directory: { id: string; email: string };
};
export type Db = Kysely<Tables>;
