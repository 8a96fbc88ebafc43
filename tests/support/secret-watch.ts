// Watches for secrets in everything that is said: what was said is kept, and searched afterwards in every form of every secret.

/** A secret and where it must not be seen: anywhere, or anywhere but in the answers that show it. */
type Secret = { what: string; value: string; isShownOnce: boolean };

/** One thing that was said, and by whom. */
type WatchedText = { where: string; text: string; isAnswer: boolean };

export type SecretWatch = {
  say(where: string, text: string, isAnswer?: boolean): void;
  /** `isShownOnce` for a key of ours on the page that shows it. */
  secret(what: string, value: string, isShownOnce?: boolean): void;
  /** Every place where a secret was seen that must not be, in what was said and in `tables`. */
  leaks(tables: string): string[];
  /** How many secrets there are, and how much was said. */
  extent(): { secrets: number; said: number };
};

/** Opens a watch on which nothing was said yet. */
export function createSecretWatch(): SecretWatch {
  const said: WatchedText[] = [];
  const secrets = new Map<string, Secret>();
  return {
    say: (where, text, isAnswer = true) => void said.push({ where, text, isAnswer }),
    secret: (what, value, isShownOnce = false) => void secrets.set(value, { what, value, isShownOnce }),
    leaks(tables) {
      const all = [...said, { where: 'a table', text: tables, isAnswer: false }];
      const seen = [...secrets.values()].flatMap(({ what, value, isShownOnce }) =>
        listForms(value).flatMap((form) =>
          all
            .filter(({ text, isAnswer }) => !(isShownOnce && isAnswer) && text.includes(form))
            .map(({ where, text }) => `${what} in ${where}: ${cutAround(text, form)}`),
        ),
      );
      return [...new Set(seen)];
    },
    extent: () => ({ secrets: secrets.size, said: said.length }),
  };
}

/** What to look for: the value as it is, as JSON and addresses have it, in hexadecimal, and in base64 wherever it begins. */
function listForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const uri = encodeURIComponent(value);
  const hex = Buffer.from(value).toString('hex');
  const inner = [0, 1, 2].flatMap((shift) => {
    const coded = Buffer.from(`${' '.repeat(shift)}${value}`)
      .toString('base64')
      .slice(4, -4);
    return [coded, coded.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return [...new Set([value, json, json.replaceAll('/', '\\/'), uri, encodeURI(value), html, hex, ...inner])];
}

function cutAround(text: string, form: string): string {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 60), at + form.length + 20);
}
