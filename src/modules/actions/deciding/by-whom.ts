import type { CallContext } from '#kernel/context';

/** Who does something to a draft, as what and by which face, as the ledger keeps it. */
export function byWhom({ caller, face, requestId }: CallContext) {
  const { kind, id, label, isHumanSurface } = caller;
  return { by: label, caller_kind: kind, caller_id: id, face, human_surface: isHumanSurface, request_id: requestId };
}
