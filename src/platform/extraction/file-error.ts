/** The reason why a file has no words, for the person who sent it. */
export class FileError extends Error {
  readonly code: 'invalid_input' | 'payload_too_large';

  constructor(message: string, code: FileError['code'] = 'invalid_input') {
    super(message);
    this.code = code;
  }
}

/** For a file whose reader had no better reason. */
export function createDamagedFileError(): FileError {
  return new FileError('The file is damaged and cannot be read. Save it again and upload the new file.');
}

export function createTextTooLongError(mostCharacters: number): FileError {
  return new FileError(`The text is longer than ${mostCharacters} characters. Split the file.`, 'payload_too_large');
}
