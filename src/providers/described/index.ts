export { wrongInStreams } from './check-streams.ts';
export { checkOutcome } from './described-write.ts';
export {
  described,
  type Descriptor,
  descriptorSchema,
  type Detail,
  type Files,
  type Level,
  type Stream,
} from './descriptor.ts';
export { type MessageWords } from './message-words.ts';
export { checkNamed } from './named-fields.ts';
export { streamChanges } from './read-streams.ts';
export { askOf, sourceOf } from './source-of.ts';
