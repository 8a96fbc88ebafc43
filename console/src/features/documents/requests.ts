import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';
import { upload, type UploadOptions } from '../../api/upload.ts';

export type Document = Output<'list_documents'>['documents'][number];
export type Topic = Output<'get_document'>['constellations'][number];

const pageSize = 50;
/** The number of lines per part. */
const partLines = 200;

/** Documents, newest first, page by page. */
export const documentsQuery = infiniteQueryOptions({
  queryKey: ['documents', 'list'],
  queryFn: ({ pageParam, signal }) => call('list_documents', { limit: pageSize, offset: pageParam }, { signal }),
  initialPageParam: 0,
  getNextPageParam: ({ total }, pages) => {
    const shown = pages.reduce((sum, { documents }) => sum + documents.length, 0);
    return shown < total ? shown : undefined;
  },
});

export function buildDocumentQuery(documentId: string) {
  return queryOptions({
    queryKey: ['documents', documentId],
    queryFn: ({ signal }) => call('get_document', { document_id: documentId }, { signal }),
  });
}

/** The part that contains a line. */
export function computePartNumber(line: number): number {
  return Math.floor((line - 1) / partLines);
}

/** The lines of one part of a document; long lines are answered in several calls. */
export function buildDocumentPartQuery(documentId: string, part: number) {
  return queryOptions({
    queryKey: ['documents', documentId, 'part', part],
    staleTime: Infinity, // a document does not change
    async queryFn({ signal }) {
      const end = (part + 1) * partLines;
      const lines: { number: number; words: string }[] = [];
      let total = 0;
      for (let start: number | null = part * partLines + 1; start !== null;) {
        const input = { document_id: documentId, line_start: start, line_end: end };
        const read: Output<'read_document'> = await call('read_document', input, { signal });
        const { line_start: first } = read;
        lines.push(...read.text.split('\n').map((words, index) => ({ number: first + index, words })));
        [start, total] = [read.next_line, read.total_lines];
      }
      return { lines, isFirst: part === 0, isLast: end >= total };
    },
  });
}

export function deleteDocument(id: string) {
  return call('delete_document', { id });
}

/** Where a file is stored, and whether the document of the same name stays beside it. */
export type UploadTarget = { brainId: string; keepsBoth: boolean };

/** Stores a file in a brain. */
export function uploadDocument(file: File, { brainId, keepsBoth }: UploadTarget, options: UploadOptions) {
  const form = new FormData();
  form.append('brain_id', brainId);
  form.append('replace', String(!keepsBoth));
  form.append('file', file);
  return upload<Output<'upload_document'>>('/v1/documents', form, options);
}
