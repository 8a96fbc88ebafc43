export { normalizeValue, isLoosely } from './compare.ts';
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
  makeOptional,
  createSchemaField,
  mapOption,
  text,
  time,
  values,
} from './fields.ts';
export { type AttachedFile, type FileBytes, mostFiles, readFile, readFiles, formatSize } from './files.ts';
export { filterAll, findFirst, assertFound, pick } from './find.ts';
export { type TargetFacts } from './snapshot.ts';
export { judgeChange, judgeCreation } from './state.ts';
export { escapeHtml, formatFew, splitParagraphs, isDay, writeIfKnown, parseTime } from './texts.ts';
