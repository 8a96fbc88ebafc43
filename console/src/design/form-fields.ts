/** The fields of a form, as the person left them. */
export type FormFields = {
  /** The trimmed text of a field; empty where the form has no such field. */
  readText: (name: string) => string;
  /** The words of a field, which are separated by spaces or commas. */
  readWords: (name: string) => string[];
  /** All values, for files, boxes and texts whose spaces count. */
  data: FormData;
};

/** Reads the fields of a form that is submitted. */
export function readFormFields(form: HTMLFormElement): FormFields {
  const data = new FormData(form);
  const readText = (name: string) => String(data.get(name) ?? '').trim();
  const readWords = (name: string) =>
    readText(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  return { readText, readWords, data };
}
