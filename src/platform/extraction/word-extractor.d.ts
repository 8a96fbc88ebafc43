declare module 'word-extractor' {
  type WordDocument = {
    getBody(): string;
    getFootnotes(): string;
    getEndnotes(): string;
    getHeaders(options: { includeFooters: boolean }): string;
    getFooters(): string;
    getAnnotations(): string;
    getTextboxes(): string;
  };
  export default class WordExtractor {
    extract(source: Buffer): Promise<WordDocument>;
  }
}
