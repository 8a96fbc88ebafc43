import { sql, type Kysely } from 'kysely';
import { createTableContents } from './contents.ts';

/** The kinds of suggestions. */
export const suggestionKinds = ['add_core_knowledge', 'remove_core_knowledge', 'save_skill', 'place_skill'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

export const suggestionStates = ['waiting', 'accepted', 'declined'] as const;
export type SuggestionState = (typeof suggestionStates)[number];

type SuggestionRow = {
  id: string;
  workspace_id: string;
  change: SuggestionKind;
  brain_id: string | null;
  skill_id: string | null;
  input: Record<string, unknown>;
  replaces: string | null;
  suggested_by: string;
  suggested_by_label: string;
  key_id: string | null;
  created_at: Date;
  state: SuggestionState;
  decided_by: string | null;
  decided_by_label: string | null;
  decided_at: Date | null;
};
type Tables = {
  suggestions: SuggestionRow;
  brains: { id: string; name: string };
  skills: { id: string; name: string };
  people_directory: { id: string; name: string };
  key_directory: { id: string; label: string };
};
type Db = Kysely<Tables>;

export type NewSuggestion = Omit<SuggestionRow, 'state' | 'decided_by' | 'decided_by_label' | 'decided_at'>;
export type Suggestion = SuggestionRow & {
  brain_name: string | null;
  skill_name: string | null;
  /** The agent that a skill would be assigned to: the label of its key. */
  agent_name: string | null;
  person_name: string;
};

/** Stores a pending suggestion. */
export async function insertSuggestion(db: Db, { input, ...suggestion }: NewSuggestion): Promise<void> {
  const decision = { state: 'waiting', decided_by: null, decided_by_label: null, decided_at: null } as const;
  await db
    .insertInto('suggestions')
    .values({ ...suggestion, ...decision, input: sql`${JSON.stringify(input)}::jsonb` })
    .execute();
}

/** The id of an equal pending suggestion of the same agent, about the same present state. */
export async function findEqual(db: Db, suggestion: NewSuggestion): Promise<string | undefined> {
  const { change, input, suggested_by, key_id, brain_id, skill_id, replaces } = suggestion;
  const row = await db
    .selectFrom('suggestions')
    .select('id')
    .where('state', '=', 'waiting')
    .where('change', '=', change)
    .where('suggested_by', '=', suggested_by)
    .where('key_id', 'is not distinct from', key_id)
    .where('brain_id', 'is not distinct from', brain_id)
    .where('skill_id', 'is not distinct from', skill_id)
    .where('replaces', 'is not distinct from', replaces)
    .where(sql<boolean>`input = ${JSON.stringify(input)}::jsonb`)
    .executeTakeFirst();
  return row?.id;
}

/** The number of pending suggestions of a person's agents. */
export async function countWaiting(db: Db, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('suggestions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('suggested_by', '=', personId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Suggestions of these brains in a state, newest first, after a given one. `beside` adds those without a brain: all
 * of them, or those of one person's agents.
 */
export async function listSuggestions(
  db: Db,
  {
    brainIds,
    state,
    beside,
    afterId,
    limit,
  }: {
    brainIds: readonly string[];
    state: SuggestionState;
    beside: 'everybody' | { personId: string } | null;
    afterId: string | null;
    limit: number;
  },
): Promise<Suggestion[]> {
  return selectSuggestions(db)
    .where('suggestions.state', '=', state)
    .where((eb) => {
      const ofBrains = eb('brain_id', 'in', [...brainIds]);
      if (!beside) return ofBrains;
      const ofNone = eb('brain_id', 'is', null);
      return eb.or([
        ofBrains,
        beside === 'everybody' ? ofNone : eb.and([ofNone, eb('suggested_by', '=', beside.personId)]),
      ]);
    })
    .$if(afterId !== null, (query) => query.where('suggestions.id', '<', afterId ?? ''))
    .orderBy('suggestions.id', 'desc')
    .limit(limit)
    .execute();
}

/** One suggestion, with a row lock. */
export async function lockSuggestion(db: Db, id: string): Promise<Suggestion | undefined> {
  await db.selectFrom('suggestions').select('id').where('id', '=', id).forUpdate().execute();
  return selectSuggestions(db).where('suggestions.id', '=', id).executeTakeFirst();
}

/** The brains of suggestions, and the people whose agents made them. */
export async function locateSuggestions(
  db: Db,
  ids: readonly string[],
): Promise<Pick<SuggestionRow, 'id' | 'brain_id' | 'suggested_by'>[]> {
  return db.selectFrom('suggestions').select(['id', 'brain_id', 'suggested_by']).where('id', 'in', ids).execute();
}

/** Stores the decision. The caller has locked the suggestion. */
export async function decideSuggestion(
  db: Db,
  id: string,
  decision: { state: Exclude<SuggestionState, 'waiting'>; by: string; byLabel: string; at: Date },
): Promise<void> {
  const { state, by: decided_by, byLabel: decided_by_label, at: decided_at } = decision;
  await db
    .updateTable('suggestions')
    .set({ state, decided_by, decided_by_label, decided_at })
    .where('id', '=', id)
    .execute();
}

function selectSuggestions(db: Db) {
  return db
    .selectFrom('suggestions')
    .leftJoin('brains', 'brains.id', 'suggestions.brain_id')
    .leftJoin('skills', 'skills.id', 'suggestions.skill_id')
    .leftJoin('key_directory as keys', (join) =>
      join.on(sql<boolean>`keys.id::text = suggestions.input ->> 'agent_id'`),
    )
    .innerJoin('people_directory as people', 'people.id', 'suggestions.suggested_by')
    .selectAll('suggestions')
    .select([
      'brains.name as brain_name',
      'skills.name as skill_name',
      'keys.label as agent_name',
      'people.name as person_name',
    ]);
}

/** Suggestions about a brain, with the decisions. */
export const suggestionContents = createTableContents('suggestions', { name: 'suggestions', kind: 'suggestion' });
