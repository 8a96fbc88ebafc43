/** The outcomes of events. `received`: waits for its translation. */
export const outcomes = [
  'received',
  'success',
  'partial',
  'dropped',
  'duplicate',
  'draft',
  'signature_failed',
  'translator_error',
  'ingest_error',
  'refused',
] as const;
export type Outcome = (typeof outcomes)[number];

export const eventFilters = ['all', 'success', 'errors', 'draft', 'signature_failed', 'dropped'] as const;
export type EventFilter = (typeof eventFilters)[number];

const filtered: Record<Exclude<EventFilter, 'all'>, readonly Outcome[]> = {
  success: ['success', 'partial'],
  errors: ['partial', 'translator_error', 'ingest_error', 'refused'],
  draft: ['draft'],
  signature_failed: ['signature_failed'],
  dropped: ['dropped', 'duplicate'],
};

/** The outcomes that a filter shows. */
export function listShownOutcomes(filter: EventFilter): readonly Outcome[] {
  return filter === 'all' ? outcomes : filtered[filter];
}

/** Outcomes whose events keep their bodies and can be translated again. */
export const replayable: readonly Outcome[] = [
  'success',
  'partial',
  'dropped',
  'draft',
  'translator_error',
  'ingest_error',
];
