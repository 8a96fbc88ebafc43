export { openApi } from './openapi.ts';
export { referenceRoutes } from './routes.ts';
export { schemasOf, type JsonSchema } from './schemas.ts';
