export { findStreamErrors } from './check-streams.ts';
export { createDescribedAsk, readDescribedChanges } from './create-streams.ts';
export { defineDescribedAction, describedWrite, type DescribedWrite, judgeListOutcome } from './described-write.ts';
export { described, type Descriptor, descriptorSchema } from './descriptor.ts';
export { readListPage, type AskEndpoint } from './list.ts';
export { checkNamedFields } from './named-fields.ts';
