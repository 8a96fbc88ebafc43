export { getClientAddress, isOnThisMachine, setTrustedProxies } from './client-address.ts';
export {
  findCaller,
  findFormCaller,
  findFace,
  proofField,
  refuseForeignOrigin,
  sessionCookie,
  findRequestViewer,
} from './credential.ts';
export { chooseCookies, dropOwnCookie, getOwnCookie, setOwnCookie } from './own-cookies.ts';
export { toProblem, formatRetryAfter, type Problem } from './problem.ts';
export { readBody, readBodyText, type ReadBody } from './read-body.ts';
export { readJsonBody } from './read-json.ts';
export { createRestRoutes, type RestEnvironment } from './routes.ts';
