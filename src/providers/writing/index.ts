export { comparable, isLoosely } from './compare.ts';
export { defineWrite, type WrittenTo } from './define-write.ts';
export { type Draft } from './draft.ts';
export {
  address,
  addresses,
  choice,
  fieldTable,
  flag,
  line,
  lines,
  number,
  optional,
  schemaField,
  sentAs,
  text,
  time,
  values,
} from './fields.ts';
export { type Attached, type FileBytes, mostFiles, readFile, readFiles, sizeText } from './files.ts';
export { allOf, firstOf, orMissing, pick } from './find.ts';
export { type TargetFacts } from './snapshot.ts';
export { changeOutcome, madeOutcome } from './state.ts';
export { asHtml, fewOf, inParts, isDay, known, timeOf } from './texts.ts';
