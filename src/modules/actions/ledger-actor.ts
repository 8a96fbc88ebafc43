import type { CallContext } from '#kernel/context';

/** The person, their role and their face, as the ledger records them. */
export function getLedgerActor({ caller, face, requestId }: CallContext) {
  const { id, label, isHumanSurface } = caller;
  return {
    by: label,
    caller_kind: caller.kind,
    caller_id: id,
    face,
    human_surface: isHumanSurface,
    request_id: requestId,
  };
}
