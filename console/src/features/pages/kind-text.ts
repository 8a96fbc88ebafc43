const kinds: readonly [RegExp, string][] = [
  [/google-apps\.folder/, 'Folder'],
  [/google-apps\.document/, 'Google document'],
  [/google-apps\.spreadsheet|spreadsheetml|ms-excel/, 'Spreadsheet'],
  [/google-apps\.presentation|presentationml|powerpoint/, 'Presentation'],
  [/wordprocessingml|msword/, 'Word document'],
  [/pdf/, 'PDF'],
  [/^image\//, 'Image'],
  [/^(audio|video)\//, 'Recording'],
  [/markdown/, 'Markdown'],
  [/csv/, 'Table (CSV)'],
  [/^text\//, 'Text'],
  [/zip|compressed|tar/, 'Archive'],
];

/** What people call a content type. */
export function describeMimeType(mimeType: string): string {
  return kinds.find(([pattern]) => pattern.test(mimeType))?.[1] ?? mimeType;
}
