export { clientAddress, isOnThisMachine, trustProxies } from './client-address.ts';
export {
  callerOf,
  callerOfForm,
  faceOf,
  proofField,
  refuseForeignOrigin,
  sessionCookie,
  viewerOf,
} from './credential.ts';
export { chooseCookies, dropOwnCookie, getOwnCookie, setOwnCookie } from './own-cookies.ts';
export { problemOf, retryAfterOf, type Problem } from './problem.ts';
export { readBody, readBodyText, type ReadBody } from './read-body.ts';
export { readJsonBody } from './read-json.ts';
export { restRoutes, type RestEnvironment } from './routes.ts';
