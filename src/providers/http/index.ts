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
export { endpointSchema, listPlaceholders, splitTemplate } from './endpoint.ts';
export { type ExactJson, parseExactJson } from './exact-json.ts';
export { fill, type FilledRequest } from './fill.ts';
export { createGraphql } from './graphql.ts';
export { deepestJsonPath, findJsonPathError, JsonPathLimitError, locateByJsonPath } from './json-path.ts';
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
export { readWeb } from './read-web.ts';
export { readPauseMs, isNotFound, isWithheld, ProviderError } from './provider-error.ts';
export {
  fillPlainTemplate,
  fillTemplate,
  findPlainTemplateError,
  formatText,
  listTemplatePaths,
  readTemplateValue,
} from './templates.ts';
export { parsePath, readOwnValue, readValue, type Values } from './values.ts';
