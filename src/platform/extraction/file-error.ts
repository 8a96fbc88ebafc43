/** The reason why a file has no words, for the person who sent it. */
export class FileError extends Error {
  readonly code: 'invalid_input' | 'payload_too_large';

  constructor(message: string, code: FileError['code'] = 'invalid_input') {
    super(message);
    this.code = code;
  }
}
