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
  refusalsOf,
  template,
} from './api-schema.ts';
export { type Answer, type Ask, askThrough, atApi, onlyWhenChanged, type Version, versionOf } from './ask-through.ts';
export { holds } from './conditions.ts';
export { partsOf } from './endpoint.ts';
export { fill, type FilledRequest } from './fill.ts';
export { graphqlAt } from './graphql.ts';
export { pagesOf } from './pages.ts';
export {
  apiFor,
  at,
  type ListRequest,
  nothing,
  type ProviderApi,
  type Request,
  unlessMissing,
} from './provider-api.ts';
export {
  createProviderClient,
  type Link,
  type ProviderClient,
  type ProviderRequest,
  type Reach,
  type ReadBytes,
} from './provider-client.ts';
export { askedPauseMs, isNotFound, isWithheld, ProviderFault } from './provider-fault.ts';
export { textOf, valueOf, written } from './templates.ts';
export { stepsOf, valueAt, type Values } from './values.ts';
