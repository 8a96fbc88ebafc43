export { wrongInStreams } from './check-streams.ts';
export { askOf, streamChanges } from './create-streams.ts';
export { checkOutcome } from './described-write.ts';
export { described, type Descriptor, descriptorSchema } from './descriptor.ts';
export { checkNamed } from './named-fields.ts';
