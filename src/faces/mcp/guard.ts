import { listOwnHostNames } from '#faces/web';
import { originValidationResponse } from '@modelcontextprotocol/server';

/** Answers a request that must not be served; undefined allows it. */
export type Guard = (request: Request) => Response | undefined;

/** Refuses pages of other origins. That the host name is one of this server's was checked for every route. */
export function createGuard({ publicUrl }: { publicUrl: string }): Guard {
  const ownNames = listOwnHostNames(publicUrl);
  return (request) => originValidationResponse(request, ownNames);
}
