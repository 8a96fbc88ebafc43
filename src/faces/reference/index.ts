export { createReferenceRoutes } from './routes.ts';
export { getOperationSchemas, type JsonSchema } from './schemas.ts';
