// Unsaved edits of drafts. They survive the form, the page and the draft, in this tab.
import { narrowToEditedPart } from './edited-part.ts';
import { formatFormField } from './form-values.ts';
import type { Draft } from './requests.ts';

/** Texts of fields, as they were typed. */
export type Texts = Readonly<Record<string, string>>;

type UnsavedEdit = {
  texts: Texts;
  /** The drafted content. A later equal draft is offered the texts. */
  contentKey: string;
  /** Whether the draft is no longer pending. */
  isOver: boolean;
};

const storageKey = 'thalamus-typed';
/** Older ones are dropped. */
const most = 50;

/** The unsaved texts of this draft, or of an equal closed one. Null: none. */
export function findUnsavedTexts(draft: Draft): Texts | null {
  const all = readAll();
  const own = all.get(draft.draft_id);
  if (own || draft.status !== 'pending') return own?.texts ?? null;
  const contentKey = buildContentKey(draft);
  const [formerId] = [...all].find(([, typed]) => typed.isOver && typed.contentKey === contentKey) ?? [];
  if (formerId === undefined) return null;
  moveTyped(formerId, draft);
  return readAll().get(draft.draft_id)?.texts ?? null;
}

/** Stores the texts of a form that differ from the draft. */
export function saveUnsavedTexts(draft: Draft, form: FormData): void {
  const texts = draft.editable.map((field) => [field, String(form.get(field) ?? '')] as const);
  const { payload } = narrowToEditedPart(draft);
  const changed = texts.filter(([field, text]) => text !== formatFormField(payload, field));
  if (!changed.length) return forgetUnsavedTexts(draft.draft_id);
  write((all) =>
    all.set(draft.draft_id, { texts: Object.fromEntries(changed), contentKey: buildContentKey(draft), isOver: false }),
  );
}

/** Drops the texts, after they were saved or rejected. */
export function forgetUnsavedTexts(draftId: string): void {
  write((all) => all.delete(draftId));
}

/** Marks the draft as closed. Its texts wait for an equal draft. */
export function closeTyped(draftId: string): void {
  const typed = readAll().get(draftId);
  if (typed && !typed.isOver) write((all) => all.set(draftId, { ...typed, isOver: true }));
}

/** Moves the texts of a closed draft to another one. */
export function moveTyped(fromId: string, to: Pick<Draft, 'draft_id'>): void {
  const typed = readAll().get(fromId);
  if (!typed) return;
  write((all) => {
    all.delete(fromId);
    all.set(to.draft_id, { ...typed, isOver: false });
  });
}

/** Drops all texts, so that the next person does not see them. */
export function forgetAllTyped(): void {
  sessionStorage.removeItem(storageKey);
}

function buildContentKey({ source, action, account, payload, edited }: Draft): string {
  return JSON.stringify([source, action, account, { ...payload, ...edited?.was }]);
}

function readAll(): Map<string, UnsavedEdit> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as [string, UnsavedEdit][]); // as it is written here
  } catch {
    return new Map();
  }
}

function write(change: (all: Map<string, UnsavedEdit>) => unknown): void {
  const all = readAll();
  change(all);
  sessionStorage.setItem(storageKey, JSON.stringify([...all].slice(-most)));
}
