export { referenceRoutes } from './routes.ts';
export { schemasOf, type JsonSchema } from './schemas.ts';
