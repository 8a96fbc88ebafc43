export { clientAddress, isOnThisMachine, trustProxies } from './client-address.ts';
export { callerOf, faceOf, refuseForeignOrigin, sessionCookie } from './credential.ts';
export { problemOf, retryAfterOf, type Problem } from './problem.ts';
export { restRoutes, type RestEnvironment } from './routes.ts';
