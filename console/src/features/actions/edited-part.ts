// What of a draft people edit: the payload, or, of an action that a recipe declares, the input of it.
import type { Draft, Payload } from './requests.ts';

type EditedDraft = Pick<Draft, 'source' | 'payload' | 'edited'>;

/** The draft with only the fields that a form edits. Others have their fields at the top of the payload already. */
export function narrowToEditedPart<Each extends EditedDraft>(draft: Each): Each {
  if (draft.source !== 'recipes') return draft;
  const { payload, edited } = draft;
  return { ...draft, payload: getInput(payload), edited: edited && { ...edited, was: getInput(edited.was) } };
}

function getInput({ input }: Payload): Payload {
  return typeof input === 'object' && input !== null ? (input as Payload) : {}; // an object, as the server stores it
}
