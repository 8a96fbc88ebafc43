export {
  type Api,
  apiSchema,
  call,
  type Call,
  condition,
  listing,
  type Listing,
  name,
  type Paging,
  path,
  pickRefusals,
  template,
} from './api-schema.ts';
export {
  type Answer,
  type AskProvider,
  createAsk,
  resolveAtApi,
  buildConditionalHeaders,
  type Version,
  readVersion,
} from './ask-through.ts';
export { isFulfilled } from './conditions.ts';
export { endpointSchema, splitTemplate } from './endpoint.ts';
export { fill, type FilledRequest } from './fill.ts';
export { createGraphql } from './graphql.ts';
export { walkPages } from './pages.ts';
export {
  createProviderApi,
  writePath,
  type ListRequest,
  nothing,
  type ProviderApi,
  type Request,
  allowMissing,
} from './provider-api.ts';
export {
  createProviderClient,
  type Link,
  type ProviderClient,
  type ProviderRequest,
  type Reach,
  type ReadBytes,
} from './provider-client.ts';
export { readPauseMs, isNotFound, isWithheld, ProviderError } from './provider-error.ts';
export { formatText, readTemplateValue, fillTemplate } from './templates.ts';
export { parsePath, readValue, type Values } from './values.ts';
